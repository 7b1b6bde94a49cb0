// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>

// One function per command of gs-inspect, each in <name>_command.cpp.
namespace apps {

void addEvaluateCommand(CLI::App& app);
void addInfoCommand(CLI::App& app);
void addLogCommand(CLI::App& app);
void addOverviewCommand(CLI::App& app);
void addRenderCommand(CLI::App& app);
void addViewCommand(CLI::App& app);

}  // namespace apps

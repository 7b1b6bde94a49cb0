// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>

// One function per command of gs-simulator, each in the file named like it.
namespace apps {

void addRunCommand(CLI::App& app);
void addCheckCommand(CLI::App& app);
void addVerifyCommand(CLI::App& app);
void addSimulatorPrintDefaultConfigCommand(CLI::App& app);

}  // namespace apps

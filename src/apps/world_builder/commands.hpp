// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>

// One function per command of gs-world-builder, each in <name>_command.cpp. A command throws
// gs::Error when it cannot do what it was asked; its result goes to stdout.
namespace apps {

void addBuildCommand(CLI::App& app);
void addDoctorCommand(CLI::App& app);
void addExportCommand(CLI::App& app);
void addImportCommand(CLI::App& app);
void addPrintDefaultConfigCommand(CLI::App& app);
void addRebuildCommand(CLI::App& app);
void addReportCommand(CLI::App& app);
void addRulesCommand(CLI::App& app);
void addRunStepCommand(CLI::App& app);
void addValidateCommand(CLI::App& app);
void addValidateConfigCommand(CLI::App& app);

}  // namespace apps

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>

#include "gs/synthetic/drive_presets.hpp"

// Commands of gs-make-test-data that have a file of their own, <name>_command.cpp.
namespace apps {

void addDriveCommand(CLI::App& app);
void addViewCommand(CLI::App& app);

void addPresetOption(CLI::App& command, gs::DrivePreset& preset);

}  // namespace apps

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

// One function per command of gs-simulator, each in the file named like it.
namespace apps {

// `ros_arguments`: what stood behind --ros-args.
void addRunCommand(CLI::App& app, const std::vector<std::string>& ros_arguments);
void addCheckCommand(CLI::App& app);
void addVerifyCommand(CLI::App& app);
void addSimulatorPrintDefaultConfigCommand(CLI::App& app);

}  // namespace apps

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "gs_sim/config.hpp"

namespace apps {

// The command line's way to every parameter of the simulation.
struct ParameterArguments {
  std::string world;
  std::vector<std::filesystem::path> files;
  std::string vehicle_config, sim_config, sensor_config;
  std::vector<std::string> assignments;
  std::optional<double> real_time_factor, dt;
  bool is_fast = false, is_without_sensors = false, start_paused = false;
  std::string replay_control, on_collision, renderer;
};
void addParameterOptions(CLI::App& command, ParameterArguments& arguments);

// Files, then --set, then the flags. `defaults` are what is meant where nobody says anything.
gs_sim::SimulationParameters parametersFrom(const ParameterArguments& arguments,
                                            gs_sim::SimulationParameters defaults);

}  // namespace apps

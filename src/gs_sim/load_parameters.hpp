// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gs_sim/config.hpp"

namespace gs_sim {

// Where parameters come from; what comes later wins.
struct ParameterSources {
  SimulationParameters defaults;
  std::vector<std::filesystem::path> files;  // YAML, plain or as ROS 2 parameters; any part of them
  std::vector<std::string> assignments;      // "vehicle.max_speed=10"; values are YAML
};

// Throws gs::Error (CONFIG_INVALID) with every problem of a source, unknown keys with the key that
// was probably meant. Paths in a file are relative to it.
SimulationParameters loadParameters(const ParameterSources& sources);

// Names and YAML values as assignments; those of one group become one, "a.b" and "a.c" as
// "a={b: 1, c: 2}": some groups are whole or not at all.
std::vector<std::string> assignmentsFrom(
    const std::vector<std::pair<std::string, std::string>>& values);

// The three files people start from, as gs_ros2_simulator/config holds them.
enum class ParameterFile { Vehicle, Sim, Sensors };
constexpr auto enumWords(std::type_identity<ParameterFile>) {
  return std::to_array<gs::EnumWord<ParameterFile>>({{ParameterFile::Vehicle, "vehicle"},
                                                     {ParameterFile::Sim, "sim"},
                                                     {ParameterFile::Sensors, "sensors"}});
}
std::optional<ParameterFile> findParameterFile(std::string_view word);
const char* usualFileName(ParameterFile file);  // "default_vehicle.yaml"
std::string defaultParametersText(ParameterFile file, bool is_all_shown = false);

}  // namespace gs_sim

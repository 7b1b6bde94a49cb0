// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/sensor_kinds.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "gs/core/load_config.hpp"
#include "gs_sim/camera_sensor.hpp"
#include "gs_sim/effective_parameters.hpp"
#include "gs_sim/gnss_sensor.hpp"
#include "gs_sim/imu_sensor.hpp"
#include "gs_sim/lidar_sensor.hpp"
#include "gs_sim/wheel_odometry_sensor.hpp"

namespace gs_sim {
namespace {

struct Row {
  SensorKind kind;
  bool has_own_parameters = false;  // besides a SensorChoice
};

// To add a kind, add a row.
const std::vector<Row>& rows() {
  static const std::vector<Row> table = {
      {cameraKind(), true}, {lidarKind(), true}, {imuKind()}, {gnssKind()}, {wheelOdometryKind()},
  };
  return table;
}

const SensorKind& kindNamed(const std::string& name) {
  const auto row = std::find_if(rows().begin(), rows().end(),
                                [&](const Row& each) { return each.kind.name == name; });
  return row->kind;
}

std::string unknownIdText(const std::string& id, const std::vector<std::string>& known) {
  std::string message = "the world has no '" + id + "'";
  const std::string nearest = gs::nearestWord(id, known);
  if (!nearest.empty()) message += "; did you mean '" + nearest + "'?";
  for (size_t i = 0; i < known.size(); ++i) message += (i == 0 ? " It has: " : ", ") + known[i];
  return message;
}

// Of the calibrated ones those that were asked for.
std::vector<std::string> chosenIds(const SensorChoice& choice,
                                   std::vector<std::string> calibrated) {
  if (!choice.enable) return {};
  if (!choice.ids.empty())
    std::erase_if(calibrated, [&](const std::string& id) {
      return std::find(choice.ids.begin(), choice.ids.end(), id) == choice.ids.end();
    });
  return calibrated;
}

}  // namespace

const std::vector<SensorKind>& sensorKinds() {
  static const std::vector<SensorKind> kinds = [] {
    std::vector<SensorKind> all;
    for (const Row& row : rows()) all.push_back(row.kind);
    return all;
  }();
  return kinds;
}

std::map<std::string, SensorChoice> plainSensorChoices() {
  std::map<std::string, SensorChoice> choices;
  for (const Row& row : rows())
    if (!row.has_own_parameters) choices[row.kind.name] = {};
  return choices;
}

std::vector<gs::Problem> problemsWithIds(const SensorParameters& parameters,
                                         const gs::Calibration& calibration) {
  std::vector<gs::Problem> problems;
  SensorParameters copy = parameters;
  for (const NamedChoice& named : choicesIn(copy)) {
    const std::vector<std::string> known = kindNamed(named.kind).ids(calibration);
    for (const std::string& id : named.choice.ids)
      if (std::find(known.begin(), known.end(), id) == known.end())
        problems.push_back(
            {gs::Problem::Kind::BadValue, named.ids_path, 0, unknownIdText(id, known)});
  }
  return problems;
}

CreatedSensors createSensors(const WorldData& world, const SimulationParameters& parameters) {
  const gs::Calibration& calibration = world.bundle.calibration;
  const auto problems = problemsWithIds(parameters.sensors, calibration);
  if (!problems.empty()) throw gs::configError("the parameters of the simulation", problems);
  const FrameNames frames = frameNamesOf(effectiveParameters(parameters, world.bundle));
  CreatedSensors all;
  SensorParameters copy = parameters.sensors;
  const std::vector<NamedChoice> choices = choicesIn(copy);
  for (const SensorKind& kind : sensorKinds()) {
    const auto named = std::find_if(choices.begin(), choices.end(), [&](const NamedChoice& each) {
      return each.kind == kind.name;
    });
    const std::vector<std::string> ids = chosenIds(named->choice, kind.ids(calibration));
    if (ids.empty()) continue;
    auto [sensors, warnings] = kind.create({world, parameters, frames, ids, named->choice});
    std::move(sensors.begin(), sensors.end(), std::back_inserter(all.sensors));
    std::move(warnings.begin(), warnings.end(), std::back_inserter(all.warnings));
  }
  return all;
}

}  // namespace gs_sim

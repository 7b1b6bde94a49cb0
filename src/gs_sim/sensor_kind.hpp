// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "gs/bundle/calibration.hpp"
#include "gs/core/rng.hpp"
#include "gs_sim/config.hpp"
#include "gs_sim/sensor.hpp"
#include "gs_sim/world_loader.hpp"

namespace gs_sim {

// What sensors are made from.
struct SensorContext {
  const WorldData& world;
  const SimulationParameters& parameters;  // as given
  const FrameNames& frames;                // as they act in this world
  // Those to make of this kind: keys of the calibration.
  const std::vector<std::string>& ids;
  const SensorChoice& choice;  // of this kind

  double rateOf(double calibrated_hz) const { return choice.rate_override.value_or(calibrated_hz); }
  // One stream per sensor: what one draws does not change what another gets.
  gs::Rng randomNumbersOf(const std::string& kind, const std::string& id) const {
    gs::Rng rng(parameters.sensors.seed);
    for (const char c : kind + "/" + id) rng = rng.fork(static_cast<uint8_t>(c));
    return rng;
  }
};

struct CreatedSensors {
  Sensors sensors;
  std::vector<std::string> warnings;  // for the log and the first status
};

// A kind of sensor: a new one is a file pair, a section of the calibration and a row in
// sensor_kinds.cpp.
struct SensorKind {
  std::string name;  // "camera": sensors.camera of the parameters
  std::function<std::vector<std::string>(const gs::Calibration&)> ids;  // sorted
  // Throws gs::Error when one can never work (INVALID_CALIBRATION), or needs what is not there.
  std::function<CreatedSensors(const SensorContext&)> create;
};

template <typename Section>
std::vector<std::string> keysOf(const Section& section) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : section) keys.push_back(key);
  return keys;
}

}  // namespace gs_sim

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gs_sim/types.hpp"

namespace gs_sim {

// What a sensor made, or why it made nothing. Sensors never throw inside a step; degraded.hpp says
// what is published instead.
template <typename T>
struct SensorOutcome {
  std::optional<T> value;
  std::string problem;  // one sentence, when there is no value
};

// The cameras of a world. Not safe to call from several threads; may use several itself.
class CameraRendererInterface {
 public:
  virtual ~CameraRendererInterface() = default;
  // One outcome per id, in that order; ids are keys of the calibration.
  virtual std::vector<SensorOutcome<CameraFrame>> render(std::span<const std::string> camera_ids,
                                                         const EgoState& ego,
                                                         const StepInfo& info) = 0;
};

class LidarGeneratorInterface {
 public:
  virtual ~LidarGeneratorInterface() = default;
  virtual std::vector<SensorOutcome<LidarScan>> generate(std::span<const std::string> lidar_ids,
                                                         const EgoState& ego,
                                                         const StepInfo& info) = 0;
};

// Null: no such sensor is simulated.
struct Sensors {
  std::unique_ptr<CameraRendererInterface> cameras;
  std::unique_ptr<LidarGeneratorInterface> lidars;
};

}  // namespace gs_sim

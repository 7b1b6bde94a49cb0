// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gs/bundle/world_bundle.hpp"
#include "gs_sim/simulator.hpp"
#include "gs_sim/to_messages.hpp"
#include "gs_sim/types.hpp"

namespace gs_ros2 {

// What peers need to know about the world besides the steps in it.
struct WorldDescription {
  std::shared_ptr<const gs_sim::WorldData> world;
  gs_sim::FrameNames frames;
  std::vector<std::string> cameras, lidars;  // those simulated
  gs_sim::CloudLayout cloud_layout;
};

// Whoever runs the loop, as services see it. All calls come from Ros2Bridge::handleRequests() and
// so from the loop's own thread, between two steps.
class SimulationHost {
 public:
  virtual ~SimulationHost() = default;

  virtual WorldDescription describe() const = 0;
  virtual gs_sim::StepOutput current() const = 0;
  virtual bool isPaused() const = 0;

  virtual void setPaused(bool is_paused) = 0;
  // Only while paused. `done` is called after the last of the steps was published.
  virtual void step(uint64_t count, std::function<void(gs_sim::RequestResult)> done) = 0;
  virtual gs_sim::RequestResult reset(const std::optional<gs_sim::EgoPose>& initial_pose,
                                      bool reset_time) = 0;
  virtual gs_sim::RequestResult setEgoPose(const gs_sim::EgoPose& pose,
                                           const gs_sim::EgoTwist& twist) = 0;
  // On failure the world before stays.
  virtual gs_sim::RequestResult loadWorld(const std::string& bundle_path) = 0;
  virtual void setRealTimeFactor(double factor) = 0;
  virtual void quit() = 0;
};

}  // namespace gs_ros2

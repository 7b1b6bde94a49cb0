// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gs_sim/config.hpp"
#include "gs_sim/sensor.hpp"
#include "gs_sim/types.hpp"
#include "gs_sim/world_loader.hpp"

namespace gs_sim {

// The answer to a request of a person or a service.
struct RequestResult {
  bool success = true;
  std::string message;
};

// The closed loop, one step at a time. It has no threads, asks no wall clock and throws nothing
// once constructed: the same world, parameters and commands give the same outputs. One thread at a
// time may call it.
class Simulator {
 public:
  // Throws gs::Error (CONFIG_INVALID) when parameters and world do not go together.
  Simulator(std::shared_ptr<const WorldData> world, SimulationParameters parameters,
            Sensors sensors = {});
  ~Simulator();
  Simulator(Simulator&&) noexcept;
  Simulator& operator=(Simulator&&) noexcept;

  // The next step, paused or not. The first call returns the initial state at start_time, before
  // any integration; each later one advances by dt. Of several commands between two steps the
  // caller passes the last.
  StepOutput step(const std::optional<ControlInput>& control = std::nullopt);

  // Where things stand, with a status and without sensors; nothing advances.
  StepOutput current() const;

  // The flag in StepInfo. Whoever calls step() decides when: while paused, only to single-step.
  void setPaused(bool is_paused);
  bool isPaused() const;

  // Back to the beginning, or to a given pose at rest; the next step publishes it unmoved. With
  // reset_time the clock starts again at start_time.
  RequestResult reset(const std::optional<EgoPose>& initial_pose, bool reset_time);
  // Moves the ego; height and slope follow the ground where it is known. A body that leans has
  // leant into the curve of the twist, and under `acceleration` along the vehicle.
  RequestResult setEgoPose(const EgoPose& pose, const EgoTwist& twist, double acceleration = 0);

  // What stands where from the next step on, besides the background: instances of world().assets.
  // Sensors and collision take it. Throws gs::Error (INPUT_INVALID) when it is not sound.
  void setScene(gs::SceneState scene);

  // For the next status.
  void reportTiming(const StepTiming& timing);
  // For the log and the next status. Of a kind, once per episode: until it has not been reported
  // for a second of simulated time.
  void reportWarning(std::string warning);
  void reportWarning(const std::string& kind, std::string warning);

  const WorldData& world() const;
  const SimulationParameters& parameters() const;           // as given
  const SimulationParameters& effectiveParameters() const;  // as they act in this world
  const FrameNames& frames() const;
  gs::Duration dt() const;
  // What is simulated; StepOutput::readings name their sensors by their place here.
  const std::vector<SensorDescription>& sensors() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace gs_sim

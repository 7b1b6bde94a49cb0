// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gs/bundle/scene_state.hpp"
#include "gs/formats/cdr.hpp"
#include "gs_sim/topic.hpp"
#include "gs_sim/types.hpp"

namespace gs_sim {

// What everybody may know about a sensor without knowing its kind.
struct SensorDescription {
  std::string kind;  // "camera": as in sensors.camera of the parameters
  std::string id;    // "front": its key in the calibration
  std::string frame_id;
  double rate_hz = 0;
  std::vector<SensorTopic> topics;
  // For messages about it: "[CameraRenderer] front: out of memory: the picture before is ..."
  std::string component;
  std::string instead = "nothing is published";  // of a reading that failed
};

// The world at one instant, as a sensor sees it.
struct SensorStep {
  const StepInfo& info;
  const EgoState& ego;
  const gs::SceneState& scene;
};

// What a sensor made of a step. With a problem (one sentence), `data` is what is published instead,
// or null for nothing.
struct SensorResult {
  std::shared_ptr<const SensorData> data;
  std::string problem;
};

// A sensor on the vehicle. Sensors of one world share nothing that changes: several may be asked at
// the same time, each by one thread. They have random numbers of their own, so that the readings of
// one do not depend on the others.
class Sensor {
 public:
  explicit Sensor(SensorDescription description) : description_(std::move(description)) {}
  virtual ~Sensor() = default;

  const SensorDescription& description() const { return description_; }

  // Called at the steps in which it fires, in their order.
  virtual SensorResult sample(const SensorStep& step) = 0;
  // The ego was put elsewhere, or time was set back: what was seen before does not count any more.
  virtual void restart() {}

 private:
  SensorDescription description_;
};

using Sensors = std::vector<std::unique_ptr<Sensor>>;

// A topic whose messages `encode` writes from the sensor's value.
template <gs::HasRosType Message, typename Value>
SensorTopic bulkTopic(std::string name, double usual_bytes,
                      std::function<void(const Value&, std::vector<std::byte>&)> encode) {
  return {.name = std::move(name),
          .type = gs::describeRosType<Message>(),
          .qos = {.depth = 5, .is_bulk = true},
          .encode =
              [encode = std::move(encode)](const SensorData& data, std::vector<std::byte>& out) {
                if (const Value* value = findValue<Value>(&data)) encode(*value, out);
              },
          .usual_bytes = usual_bytes};
}

// A topic of messages that `make` makes from the sensor's value.
template <gs::HasRosType Message, typename Value>
SensorTopic smallTopic(std::string name, int depth, std::function<Message(const Value&)> make) {
  return {.name = std::move(name),
          .type = gs::describeRosType<Message>(),
          .qos = {.depth = depth},
          .encode = [make = std::move(make)](const SensorData& data, std::vector<std::byte>& out) {
            if (const Value* value = findValue<Value>(&data)) gs::encodeCdr(make(*value), out);
          }};
}

}  // namespace gs_sim

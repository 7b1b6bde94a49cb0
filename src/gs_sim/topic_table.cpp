// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/topic_table.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "gs_sim/to_messages.hpp"

namespace gs_sim {
namespace {

namespace msgs = gs::msgs;

// Depths are those of the contract.
constexpr TopicQos kClock{.depth = 1};
constexpr TopicQos kTf{.depth = 100};
constexpr TopicQos kTfStatic{.is_latched = true, .depth = 100};
constexpr TopicQos kState{.depth = 10};
constexpr TopicQos kWorldInfo{.is_latched = true, .depth = 1};

Topic global(Topic topic) {
  topic.is_global = true;
  return topic;
}

Topic once(Topic topic) {
  topic.when = TopicWhen::Once;
  return topic;
}

Topic statusTopic(const FrameNames& frames) {
  return {.name = "/sim/status",
          .type = gs::describeRosType<msgs::SimulationStatus>(),
          .qos = kState,
          .when = TopicWhen::WithStatus,
          .make = [frames](const StepPointer& step) -> EncodeMessage {
            if (!step->status) return nullptr;
            return [step, frames](std::vector<std::byte>& out) {
              gs::encodeCdr(statusMessage(step->info, *step->status, frames), out);
            };
          }};
}

Topic sensorTopic(const SensorTopic& topic, size_t sensor, double rate_hz) {
  const auto make = [encode = topic.encode, sensor](const StepPointer& step) -> EncodeMessage {
    for (const SensorReading& reading : step->readings)
      if (reading.sensor == sensor)
        return [encode, data = reading.data](std::vector<std::byte>& out) { encode(*data, out); };
    return nullptr;
  };
  return {.name = topic.name,
          .type = topic.type,
          .qos = topic.qos,
          .when = TopicWhen::WithSensor,
          .make = make,
          .audience = topic.audience,
          .sensor = sensor,
          .rate_hz = rate_hz,
          .usual_bytes = topic.usual_bytes};
}

// "sensor_msgs/Image", as people write it.
std::string shortTypeName(const std::string& type) {
  const size_t at = type.find("/msg/");
  return at == type.npos ? type : type.substr(0, at) + type.substr(at + 4);
}

std::string whenText(const Topic& topic) {
  switch (topic.when) {
    case TopicWhen::Once: return "once per world";
    case TopicWhen::EveryStep: return "every step";
    case TopicWhen::WithStatus: return "10 Hz";
    case TopicWhen::WithSensor: break;
  }
  return "rate of the calibration";
}

}  // namespace

TopicTable::TopicTable(std::shared_ptr<const WorldData> world, const FrameNames& frames,
                       const std::vector<SensorDescription>& sensors, std::vector<Topic> more) {
  topics_ = {
      global(stepTopic<msgs::Clock>(
          "/clock", kClock, [](const StepOutput& step) { return clockMessage(step.info); })),
      global(stepTopic<msgs::TFMessage>(
          "/tf", kTf, [frames](const StepOutput& step) { return tfMessage(step, frames); })),
      global(once(stepTopic<msgs::TFMessage>("/tf_static", kTfStatic,
                                             [world, frames](const StepOutput& step) {
                                               return staticTfMessage(step.info.stamp,
                                                                      world->bundle.calibration,
                                                                      frames);
                                             }))),
      stepTopic<msgs::Odometry>(
          "/odom", kState,
          [frames](const StepOutput& step) { return odometryMessage(step, frames); }),
      stepTopic<msgs::VehicleState>(
          "/vehicle/state", kState,
          [frames](const StepOutput& step) { return vehicleStateMessage(step, frames); }),
      statusTopic(frames),
      once(stepTopic<msgs::WorldInfo>("/sim/world_info", kWorldInfo,
                                      [world, frames, sensors](const StepOutput& step) {
                                        return worldInfoMessage(step.info.stamp, *world, frames,
                                                                sensors);
                                      })),
  };
  for (size_t i = 0; i < sensors.size(); ++i)
    for (const SensorTopic& topic : sensors[i].topics)
      topics_.push_back(sensorTopic(topic, i, sensors[i].rate_hz));
  std::move(more.begin(), more.end(), std::back_inserter(topics_));
}

std::vector<StepMessage> TopicTable::saidOnce(gs::Stamp stamp) const {
  auto step = std::make_shared<StepOutput>();
  step->info.stamp = stamp;
  std::vector<StepMessage> messages;
  for (size_t i = 0; i < topics_.size(); ++i)
    if (topics_[i].when == TopicWhen::Once)
      messages.push_back({i, stamp, std::make_shared<const EncodeMessage>(topics_[i].make(step))});
  return messages;
}

std::vector<StepMessage> TopicTable::messagesOf(const StepPointer& step,
                                                std::optional<TopicWhen> only) const {
  std::vector<StepMessage> messages;
  for (size_t i = 0; i < topics_.size(); ++i) {
    const TopicWhen when = topics_[i].when;
    if (when == TopicWhen::Once || when != only.value_or(when)) continue;
    if (EncodeMessage encode = topics_[i].make(step))
      messages.push_back(
          {i, step->info.stamp, std::make_shared<const EncodeMessage>(std::move(encode))});
  }
  return messages;
}

std::string toMarkdown(const std::vector<Topic>& topics) {
  std::string text = "| topic | type | when | durability, depth |\n|---|---|---|---|\n";
  for (const Topic& topic : topics)
    text += fmt::format("| `{}` | {} | {}{} | {}, {} |\n", topic.name,
                        shortTypeName(topic.type.type.name), whenText(topic),
                        topic.audience == Audience::Browsers ? ", to browsers only" : "",
                        topic.qos.is_latched ? "transient local" : "volatile", topic.qos.depth);
  return text;
}

}  // namespace gs_sim

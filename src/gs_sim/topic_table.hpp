// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gs/core/time.hpp"
#include "gs_sim/sensor.hpp"
#include "gs_sim/topic.hpp"
#include "gs_sim/types.hpp"
#include "gs_sim/world_loader.hpp"

namespace gs_sim {

using StepPointer = std::shared_ptr<const StepOutput>;

enum class TopicWhen { Once, EveryStep, WithStatus, WithSensor };

// A row of the table: a topic that the simulator publishes.
struct Topic {
  std::string name;
  gs::RosTypeTree type;
  TopicQos qos;
  TopicWhen when = TopicWhen::EveryStep;
  // What a step has to say here; null: nothing. The bytes are made when somebody wants them, on any
  // thread. Of topics that are said once, only the stamp of the step is looked at.
  std::function<EncodeMessage(const StepPointer& step)> make;
  // On ROS 2 the name stays as it is in every namespace, as tools expect of /clock and /tf.
  bool is_global = false;
  Audience audience = Audience::Everybody;
  std::optional<size_t> sensor;  // its place in the list, WithSensor
  double rate_hz = 0;            // of that sensor
  double usual_bytes = 0;        // of a message, where it is bulk
};

// One message of a step, for everybody who publishes or records it.
struct StepMessage {
  size_t topic = 0;  // row of the table
  gs::Stamp stamp;
  std::shared_ptr<const EncodeMessage> encode;
};

// Everything that is published about a world and the steps in it, and how it is made. Adding a
// topic is a row. Wires, recorder and documents iterate over the rows and know none by name.
class TopicTable {
 public:
  // `more` are rows of another interface, see autoware_topics.hpp.
  TopicTable(std::shared_ptr<const WorldData> world, const FrameNames& frames,
             const std::vector<SensorDescription>& sensors, std::vector<Topic> more = {});

  const std::vector<Topic>& topics() const { return topics_; }

  std::vector<StepMessage> saidOnce(gs::Stamp stamp) const;
  // In the order of the rows; of those of one kind, where it is given.
  std::vector<StepMessage> messagesOf(const StepPointer& step,
                                      std::optional<TopicWhen> only = std::nullopt) const;

 private:
  std::vector<Topic> topics_;
};

// A step and its messages, as wires get them.
struct PublishedStep {
  StepPointer step;
  std::vector<StepMessage> messages;
};

// A row whose message `make` makes of every step.
template <gs::HasRosType Message>
Topic stepTopic(std::string name, TopicQos qos, std::function<Message(const StepOutput&)> make) {
  return {.name = std::move(name),
          .type = gs::describeRosType<Message>(),
          .qos = qos,
          .make = [make = std::move(make)](const StepPointer& step) -> EncodeMessage {
            return [message = make(*step)](std::vector<std::byte>& out) {
              gs::encodeCdr(message, out);
            };
          }};
}

// The table in words, for the documents: a Markdown table of the rows.
std::string toMarkdown(const std::vector<Topic>& topics);

}  // namespace gs_sim

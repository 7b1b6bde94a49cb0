// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gs_ros2/node.hpp"

namespace gs_ros2 {

// A topic that is published with the steps and remembers its last message, to show it to readers
// that come later. DDS could keep it for them ("transient local"), but then a reader that asks for
// history would get the past of every topic in a running simulation too.
class StepTopic {
 public:
  explicit StepTopic(Writer* writer) : writer_(writer) {}

  // Remembered in any case; sent if somebody reads, or always.
  void publish(Encode encode, bool only_if_read);
  void showAgain();
  void showToNewcomers();
  void forget() { last_.reset(); }
  const Writer* writer() const { return writer_; }

 private:
  void send();

  Writer* writer_;
  std::shared_ptr<const Encode> last_;
  uint64_t matches_when_sent_ = 0;
};

// As Publisher. Cheap to copy.
template <gs::HasRosType T>
class StepPublisher {
 public:
  StepPublisher() = default;
  explicit StepPublisher(StepTopic* topic) : topic_(topic) {}

  void publish(T message) const {
    topic_->publish([message = std::move(message)](
                        std::vector<std::byte>& out) { gs::encodeCdr(message, out); },
                    false);
  }
  // For large messages, which nobody encodes while nobody reads them.
  void publishBytes(Encode encode) const { topic_->publish(std::move(encode), true); }

  StepTopic* topic() const { return topic_; }

 private:
  StepTopic* topic_ = nullptr;
};

// All of them, in the order in which they were advertised.
class StepTopics {
 public:
  // `on_match` is called on a thread of DDS when a reader of any of them comes or goes.
  StepTopics(Node& node, std::function<void()> on_match)
      : node_(node), on_match_(std::move(on_match)) {}

  template <gs::HasRosType T>
  StepPublisher<T> advertise(const std::string& topic, const Qos& qos) {
    Writer* writer = node_.advertise<T>(topic, qos).writer();
    writer->onMatch(on_match_);
    topics_.push_back(std::make_unique<StepTopic>(writer));
    return StepPublisher<T>(topics_.back().get());
  }
  // The topic goes; no copy of the publisher may be used any more.
  template <gs::HasRosType T>
  void withdraw(const StepPublisher<T>& publisher) {
    node_.withdraw(publisher.topic()->writer());
    std::erase_if(topics_, [&](const auto& topic) { return topic.get() == publisher.topic(); });
  }

  void showAgain();  // everything, to everybody
  void showToNewcomers();
  void forget();
  uint64_t lostMessages() const;

 private:
  Node& node_;
  std::function<void()> on_match_;
  std::vector<std::unique_ptr<StepTopic>> topics_;
};

}  // namespace gs_ros2

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

  // Remembered in any case; sent if somebody reads, or always. What is large is not encoded while
  // nobody reads it.
  void publish(std::shared_ptr<const Encode> encode, bool only_if_read);
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

// All of them, in the order in which they were advertised.
class StepTopics {
 public:
  // `on_match` is called on a thread of DDS when a reader of any of them comes or goes.
  StepTopics(Node& node, std::function<void()> on_match)
      : node_(node), on_match_(std::move(on_match)) {}

  StepTopic* advertise(const std::string& topic, const gs::RosTypeTree& type, const Qos& qos);
  void withdraw(const StepTopic* topic);

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

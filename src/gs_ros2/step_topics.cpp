// SPDX-License-Identifier: Apache-2.0
#include "gs_ros2/step_topics.hpp"

namespace gs_ros2 {

void StepTopic::publish(std::shared_ptr<const Encode> encode, bool only_if_read) {
  last_ = std::move(encode);
  matches_when_sent_ = 0;  // whoever comes has not seen it
  if (!only_if_read || writer_->readerCount() > 0) send();
}

void StepTopic::send() {
  // Counted first: a reader that comes meanwhile may see the message twice, but not miss it.
  matches_when_sent_ = writer_->matchCount();
  writer_->publish([last = last_](std::vector<std::byte>& out) { (*last)(out); });
}

void StepTopic::showAgain() {
  if (last_ && writer_->readerCount() > 0) send();
}

void StepTopic::showToNewcomers() {
  if (writer_->matchCount() != matches_when_sent_) showAgain();
}

StepTopic* StepTopics::advertise(const std::string& topic, const gs::RosTypeTree& type,
                                 const Qos& qos) {
  Writer* writer = node_.advertise(topic, type, qos);
  writer->onMatch(on_match_);
  return topics_.emplace_back(std::make_unique<StepTopic>(writer)).get();
}

void StepTopics::withdraw(const StepTopic* topic) {
  node_.withdraw(topic->writer());
  std::erase_if(topics_, [&](const auto& each) { return each.get() == topic; });
}

void StepTopics::showAgain() {
  for (const auto& topic : topics_) topic->showAgain();
}

void StepTopics::showToNewcomers() {
  for (const auto& topic : topics_) topic->showToNewcomers();
}

void StepTopics::forget() {
  for (const auto& topic : topics_) topic->forget();
}

uint64_t StepTopics::lostMessages() const {
  uint64_t lost = 0;
  for (const auto& topic : topics_) lost += topic->writer()->lostCount();
  return lost;
}

}  // namespace gs_ros2

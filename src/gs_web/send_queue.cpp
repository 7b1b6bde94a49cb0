// SPDX-License-Identifier: Apache-2.0
#include "gs_web/send_queue.hpp"

#include <algorithm>
#include <utility>

namespace gs_web {

bool SendQueue::push(Frame frame) {
  if (frame.channel == 0) {
    undroppable_bytes_ += frame.size();
    frames_.push_back(std::move(frame));
    return undroppable_bytes_ <= kMaxUndroppable;
  }
  const auto is_same = [&](const Frame& waiting) { return waiting.channel == frame.channel; };
  const auto waiting = std::count_if(frames_.begin(), frames_.end(), is_same);
  if (static_cast<size_t>(waiting) >= frame.max_waiting)
    dropped_ += std::erase_if(frames_, is_same);
  frames_.push_back(std::move(frame));
  return true;
}

std::optional<Frame> SendQueue::pop() {
  if (frames_.empty()) return std::nullopt;
  Frame frame = std::move(frames_.front());
  frames_.pop_front();
  if (frame.channel == 0) undroppable_bytes_ -= frame.size();
  return frame;
}

void SendQueue::forget(uint64_t channel) {
  std::erase_if(frames_, [channel](const Frame& waiting) { return waiting.channel == channel; });
}

}  // namespace gs_web

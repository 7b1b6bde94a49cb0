// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/clock_check.hpp"

#include <algorithm>
#include <cmath>

namespace gs_builder {
namespace {

// As doubles: a hostile log may hold times whose difference no integer holds.
double offsetOf(const LoggedStamp& message) {
  return gs::toSeconds(message.stamp) - gs::toSeconds(message.log_time);
}

}  // namespace

ClockCheck checkClock(const std::vector<LoggedStamp>& messages) {
  constexpr double kJump = 1.0;  // s
  ClockCheck result;
  result.is_usable.assign(messages.size(), true);
  if (messages.empty()) return result;
  std::vector<double> offsets;
  bool has_time = false;
  for (const LoggedStamp& message : messages) {
    offsets.push_back(offsetOf(message));
    has_time = has_time || message.stamp.ns != 0;
  }
  const auto middle = offsets.begin() + static_cast<std::ptrdiff_t>(offsets.size() / 2);
  std::nth_element(offsets.begin(), middle, offsets.end());
  const double usual = *middle;
  for (size_t i = 0; i < messages.size(); ++i) {
    result.stamps.push_back(messages[i].stamp);
    result.is_usable[i] = std::abs(offsetOf(messages[i]) - usual) <= kJump;
    result.jumps += !result.is_usable[i];
  }
  if (has_time && result.jumps * 10 < messages.size()) return result;
  result.uses_log_time = true;
  result.is_usable.assign(messages.size(), true);
  for (size_t i = 0; i < messages.size(); ++i) result.stamps[i] = messages[i].log_time;
  return result;
}

}  // namespace gs_builder

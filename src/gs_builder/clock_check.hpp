// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "gs/core/time.hpp"

namespace gs_builder {

// When a message was logged, and when its header says its content is from.
struct LoggedStamp {
  gs::Stamp log_time, stamp;
};

// Which stamps of a topic can be believed. Sensors and recorder may have different clocks, so what
// counts is the usual distance between the two: a stamp more than a second away from it has jumped.
// When one in ten has jumped, or the headers carry no time at all, log times are used instead.
struct ClockCheck {
  std::vector<gs::Stamp> stamps;  // to be used; one per message
  std::vector<bool> is_usable;    // false: jumped, leave it out
  size_t jumps = 0;
  bool uses_log_time = false;
};
ClockCheck checkClock(const std::vector<LoggedStamp>& messages);

}  // namespace gs_builder

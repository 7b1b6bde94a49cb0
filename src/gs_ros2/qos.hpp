// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gs/core/time.hpp"

namespace gs_ros2 {

// What an endpoint offers or asks for; history is always "keep the last `depth`".
struct Qos {
  bool is_reliable = true;
  bool is_latched = false;  // transient local: late readers get the last `depth` messages
  int depth = 10;
  gs::Duration lifespan = {};  // 0: for ever
  // Megabytes, written on a thread of their own so that nothing small waits behind them.
  bool is_bulk = false;
};

}  // namespace gs_ros2

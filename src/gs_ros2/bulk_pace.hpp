// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "gs_sim/topic_table.hpp"

namespace gs_ros2 {

// The most that leaves in one datagram. The socket of a reader that nobody has tuned holds twelve
// of them, and the first that does not fit costs a best-effort reader its whole image.
constexpr uint32_t kBulkDatagramBytes = 16 << 10;

// The messages of one sensor.
struct BulkStream {
  double bytes = 0;
  double rate_hz = 0;  // in simulated time
};

// How many bytes of big messages leave per millisecond: evenly, so that the reader of a small
// socket keeps up, and fast enough that the images of all cameras, which are due in the same step,
// are out well before their next ones and soon enough for a controller. Where both cannot be, the
// small socket comes first as long as the next images need not wait for these.
// A `real_time_factor` of 0 means as fast as possible.
int32_t bulkBytesPerMs(const std::vector<BulkStream>& streams, double real_time_factor);

// Those of a world's topics that go to ROS 2.
std::vector<BulkStream> bulkStreams(const std::vector<gs_sim::Topic>& topics);

}  // namespace gs_ros2

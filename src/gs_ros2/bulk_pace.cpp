// SPDX-License-Identifier: Apache-2.0
#include "gs_ros2/bulk_pace.hpp"

#include <algorithm>
#include <cmath>

namespace gs_ros2 {
namespace {

// A message is out after a third of its sensor's period, and after 28 ms at the latest.
constexpr double kSlack = 3, kLongest = 0.028;
// Half a small socket: its reader may be late by one millisecond.
constexpr double kGentleDatagrams = 6;
// The least that still empties the queue now and then.
constexpr double kLeastSlack = 1.5;
// Nobody knows how fast "as fast as possible" is; images are hardly rendered faster than this.
constexpr double kFastest = 10;
constexpr double kLeastDatagrams = 4, kMostDatagrams = 1 << 16;

}  // namespace

int32_t bulkBytesPerMs(const std::vector<BulkStream>& streams, double real_time_factor) {
  const double speed = real_time_factor > 0 ? std::max(1.0, real_time_factor) : kFastest;
  double due = 0, wanted = 0;  // bytes per second
  for (const BulkStream& stream : streams) {
    due += stream.bytes * stream.rate_hz * speed;
    wanted += stream.bytes * std::max(kSlack * stream.rate_hz * speed, 1 / kLongest);
  }
  const auto datagrams = [](double bytes_per_second) {
    return std::round(bytes_per_second / 1000 / kBulkDatagramBytes);
  };
  // Whole datagrams, since the pace is kept per millisecond and a datagram cannot be cut.
  double pace = datagrams(wanted);
  if (datagrams(kLeastSlack * due) <= kGentleDatagrams) pace = std::min(pace, kGentleDatagrams);
  const double allowed =
      pace < kMostDatagrams ? std::max(pace, kLeastDatagrams) : kMostDatagrams;  // NaN too
  return static_cast<int32_t>(allowed) * static_cast<int32_t>(kBulkDatagramBytes);
}

std::vector<BulkStream> bulkStreams(const std::vector<gs_sim::Topic>& topics) {
  std::vector<BulkStream> streams;
  for (const gs_sim::Topic& topic : topics)
    if (topic.qos.is_bulk && topic.audience == gs_sim::Audience::Everybody)
      streams.push_back({topic.usual_bytes, topic.rate_hz});
  return streams;
}

}  // namespace gs_ros2

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
constexpr double kBytesPerPoint = 32;

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

std::vector<BulkStream> bulkStreams(const gs_sim::WorldDescription& world) {
  const gs::Calibration& calibration = world.world->bundle.calibration;
  std::vector<BulkStream> streams;
  for (const std::string& id : world.cameras)
    if (const auto camera = calibration.cameras.find(id); camera != calibration.cameras.end())
      streams.push_back(
          {3.0 * camera->second.image_width * camera->second.image_height, camera->second.rate_hz});
  for (const std::string& id : world.lidars)
    if (const auto lidar = calibration.lidars.find(id); lidar != calibration.lidars.end())
      streams.push_back({kBytesPerPoint * lidar->second.spec.channels * 360 /
                             std::max(0.01, lidar->second.spec.horizontal_resolution_deg),
                         lidar->second.rate_hz});
  return streams;
}

}  // namespace gs_ros2

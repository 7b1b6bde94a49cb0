// SPDX-License-Identifier: Apache-2.0
// write_big_log FILE MEGABYTES: a drive log of that size, quickly: clouds of 960 kB at 20 Hz and
// odometry at 100 Hz, uncompressed.
#include <cstdlib>
#include <iostream>

#include "gs/core/rng.hpp"
#include "gs/formats/cdr.hpp"
#include "gs/formats/mcap_writer.hpp"
#include "gs/formats/ros_schema.hpp"
#include "gs/msgs/nav_msgs.hpp"
#include "gs/msgs/sensor_msgs.hpp"

namespace {

constexpr uint32_t kPoints = 60'000, kPointStep = 16;

template <typename Message>
uint16_t addTopic(gs::McapWriter& log, const std::string& topic) {
  const uint16_t schema = log.addSchema(Message::kRosType, "ros2msg", gs::rosSchemaText<Message>());
  return log.addChannel(schema, topic, "cdr");
}

gs::msgs::PointCloud2 makeCloud() {
  gs::msgs::PointCloud2 cloud;
  cloud.header.frame_id = "lidar_top";
  cloud.width = kPoints;
  cloud.height = 1;
  cloud.point_step = kPointStep;
  cloud.row_step = kPoints * kPointStep;
  cloud.point_fields = {{"x", 0, 7, 1}, {"y", 4, 7, 1}, {"z", 8, 7, 1}, {"intensity", 12, 7, 1}};
  gs::Rng rng(1);
  cloud.data.resize(size_t{kPoints} * kPointStep);
  for (uint8_t& byte : cloud.data) byte = static_cast<uint8_t>(rng.below(256));
  return cloud;
}

void writeLog(const char* path, int64_t megabytes) {
  gs::McapWriter log(path, {.compression = gs::McapCompression::None});
  const uint16_t points = addTopic<gs::msgs::PointCloud2>(log, "/points");
  const uint16_t odom = addTopic<gs::msgs::Odometry>(log, "/odom");
  const std::vector<std::byte> cloud = gs::encodeCdr(makeCloud());
  const std::vector<std::byte> pose = gs::encodeCdr(gs::msgs::Odometry{});
  int64_t written = 0;
  for (int64_t tick = 0; written < megabytes * 1'000'000; ++tick) {
    const gs::Stamp time{tick * 10'000'000};
    log.write({.channel_id = odom, .log_time = time, .publish_time = time, .data = pose});
    if (tick % 5 != 0) continue;
    log.write({.channel_id = points, .log_time = time, .publish_time = time, .data = cloud});
    written += static_cast<int64_t>(cloud.size());
  }
  log.close();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: write_big_log FILE MEGABYTES\n";
    return 1;
  }
  writeLog(argv[1], std::atoll(argv[2]));
}

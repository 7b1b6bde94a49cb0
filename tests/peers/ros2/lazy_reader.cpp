// SPDX-License-Identifier: Apache-2.0
// lazy_reader DOMAIN: reads point clouds reliably until stdin closes, so that a test can stop it.
// Prints "reading" after the first one.
#include <cstdlib>
#include <iostream>

#include "gs/formats/ros_schema.hpp"
#include "gs/msgs/sensor_msgs.hpp"
#include "gs_ros2/wire.hpp"

int main(int argc, char** argv) {
  if (argc != 2) return std::cerr << "usage: lazy_reader DOMAIN\n", 1;
  gs_ros2::Participant participant({.domain = static_cast<uint32_t>(std::atoi(argv[1])),
                                    .range = gs_ros2::DiscoveryRange::Localhost,
                                    .static_peers = {},
                                    .gid_bytes = 16});
  bool has_read = false;
  const auto reader = participant.createReader(
      {"rt/lidar/top/points", gs::ddsTypeName<gs::msgs::PointCloud2>(), "", {.depth = 5}},
      [&](const gs_ros2::Arrival&) {
        if (!has_read) std::cout << "reading" << std::endl;
        has_read = true;
      });
  std::cin.get();
  return 0;
}

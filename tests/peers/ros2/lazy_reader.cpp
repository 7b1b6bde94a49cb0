// SPDX-License-Identifier: Apache-2.0
// lazy_reader DOMAIN: reads point clouds reliably until stdin closes, so that a test can stop it.
// Prints "reading" after the first one.
#include <cstdlib>
#include <iostream>

#include "gs/msgs/sensor_msgs.hpp"
#include "peers/ros2/rmw_peer.hpp"

int main(int argc, char** argv) {
  if (argc != 2) return std::cerr << "usage: lazy_reader DOMAIN\n", 1;
  bool has_read = false;
  peers::RmwPeer peer(peers::dialect(), static_cast<uint32_t>(std::atoi(argv[1])), "lazy_reader");
  peer.subscribe<gs::msgs::PointCloud2>("/lidar/top/points", {.depth = 5},
                                        [&](gs::msgs::PointCloud2&&) {
                                          if (!has_read) std::cout << "reading" << std::endl;
                                          has_read = true;
                                        });
  std::cin.get();
  return 0;
}

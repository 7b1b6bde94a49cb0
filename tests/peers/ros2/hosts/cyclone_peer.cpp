// SPDX-License-Identifier: Apache-2.0
// cyclone_peer DOMAIN: a node of rmw_cyclonedds as far as finding others goes, until stdin closes;
// CYCLONEDDS_URI says how it looks for them. It reads the node graph and /clock, writes commands,
// and prints "graph" for each graph message, "clock" once it has read five clocks, "matched" once
// somebody reads its commands.
#include <cstdlib>
#include <iostream>

#include "peers/ros2/child_process.hpp"
#include "peers/ros2/cyclone.hpp"

int main(int argc, char** argv) {
  using namespace peers;
  if (argc != 2) return std::cerr << "usage: cyclone_peer DOMAIN\n", 1;
  const CycloneParticipant participant(static_cast<uint32_t>(std::atoi(argv[1])));
  CycloneReader<rmw_dds_common_msg_dds__ParticipantEntitiesInfo_> graph(
      participant, rmw_dds_common_msg_dds__ParticipantEntitiesInfo__desc, "ros_discovery_info",
      {.is_latched = true});
  CycloneReader<rosgraph_msgs_msg_dds__Clock_> clock(
      participant, rosgraph_msgs_msg_dds__Clock__desc, "rt/clock", {});
  CycloneWriter<ackermann_msgs_msg_dds__AckermannDriveStamped_> command(
      participant, ackermann_msgs_msg_dds__AckermannDriveStamped__desc, "rt/vehicle/control_cmd",
      {});
  int clocks = 0;
  bool was_matched = false;
  while (!isStdinClosed()) {
    graph.takeAll([](const auto&) { std::cout << "graph" << std::endl; });
    clock.takeAll([&](const auto&) {
      if (++clocks == 5) std::cout << "clock" << std::endl;
    });
    if (!was_matched && command.isMatched()) std::cout << "matched" << std::endl;
    was_matched = command.isMatched();
    dds_sleepfor(DDS_MSECS(5));
  }
  return 0;
}

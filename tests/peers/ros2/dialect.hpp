// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdlib>
#include <stdexcept>
#include <string>

// What the distributions of ROS 2 say differently on the wire, for peers that speak as one of them.
namespace peers {

struct PeerQos {
  bool is_reliable = true;
  bool is_latched = false;
  int depth = 100;
};

struct Dialect {
  const char* distro;    // as in ROS_DISTRO
  size_t gid_bytes;      // in messages of the node graph
  bool has_type_hashes;  // in the USER_DATA of endpoints
  PeerQos topic_pub;     // what `ros2 topic pub` offers
};

// rmw_fastrtps 6.2 and ros2cli 0.18.
constexpr Dialect kHumble{.distro = "humble",
                          .gid_bytes = 24,
                          .has_type_hashes = false,
                          .topic_pub = {.is_latched = true, .depth = 1}};
// rmw_fastrtps 8.4 and ros2cli 0.32.
constexpr Dialect kJazzy{
    .distro = "jazzy", .gid_bytes = 16, .has_type_hashes = true, .topic_pub = {.depth = 10}};

// The dialect that this run of the tests is in: ctest runs all of them once in each.
inline const Dialect& dialect() {
  const char* name = std::getenv("GS_PEER_DIALECT");
  if (name == nullptr || name == std::string(kJazzy.distro)) return kJazzy;
  if (name == std::string(kHumble.distro)) return kHumble;
  throw std::runtime_error(std::string("GS_PEER_DIALECT is ") + name);
}

}  // namespace peers

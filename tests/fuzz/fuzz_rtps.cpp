// SPDX-License-Identifier: Apache-2.0
// The guard at the door of the ROS 2 wire: datagrams of anybody.
#include <cstdint>

#include "gs_ros2/rtps_check.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const gs::Bytes datagram{reinterpret_cast<const std::byte*>(data), size};
  // What was let in once is let in again, whole.
  const gs::Bytes sound = gs_ros2::soundRtps(datagram);
  if (!sound.empty() && gs_ros2::soundRtps(sound).size() != sound.size()) __builtin_trap();
  return 0;
}

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <mutex>

#include "gs/core/bytes.hpp"

namespace gs_ros2 {

// Holds readers to what they announced first. A reader is reliable or best effort for life; Fast
// DDS 2.9.1 takes over what a later announcement says, and an assertion fails with the next
// message. Any thread may call.
class ReaderPromises {
 public:
  // False for a sound datagram in which a reader says the opposite of what it said before.
  bool areKept(gs::Bytes datagram);

 private:
  using Name = std::array<std::byte, 16>;

  bool isKept(const Name& reader, uint32_t reliability);

  std::mutex mutex_;
  std::map<Name, uint32_t> reliability_;
};

}  // namespace gs_ros2

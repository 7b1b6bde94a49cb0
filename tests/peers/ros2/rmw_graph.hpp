// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "gs/core/bytes.hpp"

// Messages of `ros_discovery_info` as the type support that ROS generates reads and writes them:
// with Fast CDR, in the one width its distribution knows, and believing every count it reads.
namespace peers {

using Gid = std::array<uint8_t, 16>;  // in Humble's messages eight zeros follow

struct RmwNode {
  std::string ns, name;
  std::vector<Gid> readers, writers;
};

std::string writeGraph(const Gid& participant, const std::vector<RmwNode>& nodes, size_t gid_bytes);

struct GraphReading {
  std::vector<RmwNode> nodes;
  size_t bytes_left = 0;  // that the message had behind its end, as this width sees it
  std::string problem;    // what the node would have died of, or been unable to read
};

GraphReading readGraph(gs::Bytes message, size_t gid_bytes);

}  // namespace peers

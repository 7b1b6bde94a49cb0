// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gs_ros2/wire.hpp"

// The node graph of topic `ros_discovery_info`: who we say we are and what others say. No sockets.
namespace gs_ros2 {

// A peer's graph message in the form it was written in. Nothing when the bytes are neither form, or
// when they speak of another participant than the one that wrote them.
struct PeerGraph {
  int gid_bytes = 16;
  std::vector<std::string> nodes;  // "/ns/name"
};
std::optional<PeerGraph> parseGraph(gs::Bytes bytes, const Guid& writer);

std::vector<std::byte> encodeGraph(const Guid& participant, const std::vector<GraphNode>& nodes,
                                   int gid_bytes);

// Keeps both sides. The width of a GID is 24 bytes in Humble and 16 later, under one type name; a
// message in the narrow form can make a Humble node exhaust its memory, the wide one is merely not
// understood by later nodes. So: what was configured, else what peers write, else wide.
class Graph {
 public:
  explicit Graph(std::optional<int> configured_gid_bytes) : configured_(configured_gid_bytes) {}

  // True when our own message must be written again, in the other form.
  bool receive(gs::Bytes bytes, const Guid& writer);
  void forget(const Guid& participant);

  int gidBytes() const;
  std::vector<std::string> peerNodes() const;  // sorted

  std::vector<GraphNode> own_nodes;

 private:
  std::optional<int> configured_;
  std::optional<int> seen_;
  bool has_warned_ = false;
  std::map<Guid, PeerGraph> peers_;  // by participant
};

}  // namespace gs_ros2

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

// Keeps both sides. The width of a GID is 24 bytes in Humble and 16 later, under one type name. A
// narrow message can make a Humble node exhaust its memory, and a latched one reaches whoever
// comes; a wide one merely says "no nodes" to later distributions. So: what was configured, else
// narrow while every peer is known to read it and there is one, else wide.
class Graph {
 public:
  explicit Graph(std::optional<int> configured_gid_bytes) : configured_(configured_gid_bytes) {}

  // Each is true when our own message must be written again, in the other form.
  // A peer reads the graph; all distributions after Humble announce the hash of its type.
  bool noticeReader(const Guid& reader, bool has_type_hash);
  bool receive(gs::Bytes bytes, const Guid& writer);
  bool forget(const Guid& participant);

  int gidBytes() const;
  std::vector<std::string> peerNodes() const;  // sorted

  std::vector<GraphNode> own_nodes;

 private:
  struct Peer {
    bool has_type_hash = false;
    bool is_reader = false;
    std::optional<PeerGraph> graph;  // what it wrote last

    std::optional<int> gidBytes() const;  // what it reads, as far as one can tell
  };

  void warnIfMixed();
  // Whether `change` made our own form another one.
  template <typename Change>
  bool changesForm(Change change);

  std::optional<int> configured_;
  bool has_warned_ = false;
  std::map<Guid, Peer> peers_;  // by participant
};

}  // namespace gs_ros2

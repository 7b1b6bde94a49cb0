// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "gs/msgs/bounded.hpp"

// The node graph, topic `ros_discovery_info`. A GID has 16 bytes since Iron and had 24 in Humble,
// under the same type names; which one to write is for the caller to find out.
namespace gs::msgs {

// rmw_dds_common/msg/Gid. `char` in the definition, which is uint8 in ROS 2.
template <size_t N>
struct GidOf {
  static constexpr const char* kRosType = "rmw_dds_common/msg/Gid";

  std::array<uint8_t, N> data{};

  static void fields(auto& self, auto&& visit) { visit("data", self.data); }
  bool operator==(const GidOf&) const = default;
};

// rmw_dds_common/msg/NodeEntitiesInfo.
template <size_t N>
struct NodeEntitiesInfoOf {
  static constexpr const char* kRosType = "rmw_dds_common/msg/NodeEntitiesInfo";

  BoundedString<256> node_namespace;
  BoundedString<256> node_name;
  std::vector<GidOf<N>> reader_gid_seq;
  std::vector<GidOf<N>> writer_gid_seq;

  static void fields(auto& self, auto&& visit) {
    visit("node_namespace", self.node_namespace);
    visit("node_name", self.node_name);
    visit("reader_gid_seq", self.reader_gid_seq);
    visit("writer_gid_seq", self.writer_gid_seq);
  }
  bool operator==(const NodeEntitiesInfoOf&) const = default;
};

// rmw_dds_common/msg/ParticipantEntitiesInfo.
template <size_t N>
struct ParticipantEntitiesInfoOf {
  static constexpr const char* kRosType = "rmw_dds_common/msg/ParticipantEntitiesInfo";

  GidOf<N> gid;
  std::vector<NodeEntitiesInfoOf<N>> node_entities_info_seq;

  static void fields(auto& self, auto&& visit) {
    visit("gid", self.gid);
    visit("node_entities_info_seq", self.node_entities_info_seq);
  }
  bool operator==(const ParticipantEntitiesInfoOf&) const = default;
};

using Gid = GidOf<16>;
using NodeEntitiesInfo = NodeEntitiesInfoOf<16>;
using ParticipantEntitiesInfo = ParticipantEntitiesInfoOf<16>;
using HumbleParticipantEntitiesInfo = ParticipantEntitiesInfoOf<24>;

}  // namespace gs::msgs

// SPDX-License-Identifier: Apache-2.0
#include "gs_ros2/graph.hpp"

#include <algorithm>

#include "gs/core/log.hpp"
#include "gs/formats/cdr.hpp"
#include "gs/msgs/rmw_dds_common.hpp"

namespace gs_ros2 {
namespace {

namespace msgs = gs::msgs;

constexpr std::array<uint8_t, 4> kParticipantEntity = {0, 0, 1, 0xc1};

Guid participantOf(Guid guid) {
  std::copy(kParticipantEntity.begin(), kParticipantEntity.end(), guid.bytes.begin() + 12);
  return guid;
}

template <size_t N>
msgs::GidOf<N> toGid(const Guid& guid) {
  msgs::GidOf<N> gid;
  std::copy(guid.bytes.begin(), guid.bytes.end(), gid.data.begin());
  return gid;
}

template <size_t N>
std::vector<std::byte> encodeAs(const Guid& participant, const std::vector<GraphNode>& nodes) {
  msgs::ParticipantEntitiesInfoOf<N> message{.gid = toGid<N>(participant)};
  for (const GraphNode& node : nodes) {
    auto& entry = message.node_entities_info_seq.emplace_back();
    entry.node_namespace.assign(node.ns);
    entry.node_name.assign(node.name);
    for (const Guid& reader : node.readers) entry.reader_gid_seq.push_back(toGid<N>(reader));
    for (const Guid& writer : node.writers) entry.writer_gid_seq.push_back(toGid<N>(writer));
  }
  return gs::encodeCdr(message);
}

// The right form names its own writer and fills the payload to the end but for padding; a wrong
// one reads counts from the middle of other fields.
template <size_t N>
std::optional<PeerGraph> parseAs(gs::Bytes bytes, const Guid& writer) {
  const auto message = gs::findCdr<msgs::ParticipantEntitiesInfoOf<N>>(bytes);
  if (!message) return std::nullopt;
  const auto& gid = message->gid.data;
  if (!std::equal(gid.begin(), gid.begin() + 12, writer.bytes.begin())) return std::nullopt;
  if (!std::all_of(gid.begin() + 16, gid.end(), [](uint8_t b) { return b == 0; }))
    return std::nullopt;
  if (gs::encodeCdr(*message).size() + 4 <= bytes.size()) return std::nullopt;
  PeerGraph graph{.gid_bytes = N};
  for (const auto& node : message->node_entities_info_seq) {
    const std::string ns = node.node_namespace;
    graph.nodes.push_back((ns == "/" ? "" : ns) + "/" + std::string(node.node_name));
  }
  return graph;
}

}  // namespace

std::optional<PeerGraph> parseGraph(gs::Bytes bytes, const Guid& writer) {
  if (auto narrow = parseAs<16>(bytes, writer)) return narrow;
  return parseAs<24>(bytes, writer);
}

std::vector<std::byte> encodeGraph(const Guid& participant, const std::vector<GraphNode>& nodes,
                                   int gid_bytes) {
  return gid_bytes == 24 ? encodeAs<24>(participant, nodes) : encodeAs<16>(participant, nodes);
}

// The hash is the better witness: whoever announces it reads the narrow form, whatever it writes.
std::optional<int> Graph::Peer::gidBytes() const {
  if (has_type_hash) return 16;
  if (graph) return graph->gid_bytes;
  return is_reader ? std::optional(24) : std::nullopt;
}

template <typename Change>
bool Graph::changesForm(Change change) {
  const int before = gidBytes();
  change();
  warnIfMixed();
  return gidBytes() != before;
}

bool Graph::noticeReader(const Guid& reader, bool has_type_hash) {
  return changesForm([&] {
    Peer& peer = peers_[participantOf(reader)];
    peer.is_reader = true;
    peer.has_type_hash = has_type_hash;
  });
}

bool Graph::receive(gs::Bytes bytes, const Guid& writer) {
  auto graph = parseGraph(bytes, writer);
  if (!graph) return false;
  return changesForm([&] { peers_[participantOf(writer)].graph = std::move(*graph); });
}

bool Graph::forget(const Guid& participant) {
  return changesForm([&] { peers_.erase(participantOf(participant)); });
}

void Graph::warnIfMixed() {
  if (has_warned_) return;
  const int own = gidBytes();
  has_warned_ = std::any_of(peers_.begin(), peers_.end(), [own](const auto& entry) {
    return entry.second.gidBytes().value_or(own) != own;
  });
  if (!has_warned_) return;
  gs::logger("ros2").warn(
      own == 24 ? "a node of a later distribution than Humble is here, and the node graph is "
                  "written in Humble's form: its `ros2 node list` will not show this node. Set "
                  "ROS_DISTRO to the side that should."
                : "a node of Humble is here, and the node graph is written in the form of later "
                  "distributions: it may exhaust its memory. Unset ROS_DISTRO, or set it to "
                  "humble.");
}

int Graph::gidBytes() const {
  if (configured_) return *configured_;
  bool has_narrow = false;
  for (const auto& [participant, peer] : peers_) {
    const auto reads = peer.gidBytes();
    if (reads == 24) return 24;
    has_narrow |= reads == 16;
  }
  return has_narrow ? 16 : 24;
}

std::vector<std::string> Graph::peerNodes() const {
  std::vector<std::string> nodes;
  for (const auto& [participant, peer] : peers_)
    if (peer.graph) nodes.insert(nodes.end(), peer.graph->nodes.begin(), peer.graph->nodes.end());
  std::sort(nodes.begin(), nodes.end());
  return nodes;
}

}  // namespace gs_ros2

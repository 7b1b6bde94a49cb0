// SPDX-License-Identifier: Apache-2.0
#include "gs_ros2/graph.hpp"

#include <gmock/gmock.h>

#include "gs/core/rng.hpp"

namespace gs_ros2 {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr Guid kPeer{{1, 15, 120, 253, 61, 60, 10, 124, 0, 0, 0, 0, 0, 0, 1, 0xc1}};
constexpr Guid kPeersGraphWriter{{1, 15, 120, 253, 61, 60, 10, 124, 0, 0, 0, 0, 0, 0, 1, 3}};
constexpr Guid kPublisher{{1, 15, 120, 253, 61, 60, 10, 124, 0, 0, 0, 0, 0, 0, 2, 3}};

std::vector<GraphNode> twoNodes() {
  return {{.ns = "/", .name = "sim", .readers = {}, .writers = {kPublisher}},
          {.ns = "/car", .name = "driver", .readers = {kPublisher, kPeer}, .writers = {}}};
}

// Written by hand from the definition; a Cyclone DDS reader understood these bytes.
TEST(Graph, HasTheBytesThatRosNodesWrite) {
  const auto bytes =
      encodeGraph(kPeer, {{.ns = "/", .name = "sim", .readers = {}, .writers = {kPublisher}}}, 16);
  std::string hex;
  for (const std::byte b : bytes) {
    constexpr const char* kDigits = "0123456789abcdef";
    hex += kDigits[std::to_integer<int>(b) >> 4];
    hex += kDigits[std::to_integer<int>(b) & 15];
  }
  EXPECT_EQ(hex,
            "00010000"
            "010f78fd3d3c0a7c00000000000001c1"
            "01000000"
            "020000002f000000"
            "0400000073696d00"
            "00000000"
            "01000000"
            "010f78fd3d3c0a7c0000000000000203");
}

TEST(Graph, BothWidthsAreRecognised) {
  for (const int width : {16, 24}) {
    for (const auto& nodes : {std::vector<GraphNode>(), twoNodes()}) {
      const auto parsed = parseGraph(encodeGraph(kPeer, nodes, width), kPeersGraphWriter);
      ASSERT_TRUE(parsed) << width;
      // Without nodes both forms are possible readings; nothing hangs on the answer then.
      if (!nodes.empty()) {
        EXPECT_EQ(parsed->gid_bytes, width);
        EXPECT_THAT(parsed->nodes, ElementsAre("/sim", "/car/driver"));
      }
    }
  }
}

TEST(Graph, AMessageAboutSomebodyElseIsNotBelieved) {
  Guid other = kPeersGraphWriter;
  other.bytes[3] ^= 1;
  EXPECT_FALSE(parseGraph(encodeGraph(kPeer, twoNodes(), 16), other));
}

TEST(Graph, DamagedMessagesDoNoHarm) {
  gs::Rng rng(7);
  const auto sound = encodeGraph(kPeer, twoNodes(), 24);
  Graph graph({});
  for (int i = 0; i < 2000; ++i) {
    auto bytes = sound;
    bytes.resize(rng.below(sound.size() + 1));
    for (int k = 0; k < 3 && !bytes.empty(); ++k)
      bytes[rng.below(bytes.size())] = static_cast<std::byte>(rng.below(256));
    const auto known = graph.peerNodes();
    const bool is_sound = parseGraph(bytes, kPeersGraphWriter).has_value();
    graph.receive(bytes, kPeersGraphWriter);
    if (!is_sound) {
      EXPECT_EQ(graph.peerNodes(), known) << "a message nobody can read changed something";
    }
  }
  // What still looks like a message replaces what its sender said before, and so does a sound one.
  graph.receive(sound, kPeersGraphWriter);
  EXPECT_THAT(graph.peerNodes(), ElementsAre("/car/driver", "/sim"));
  graph.forget(kPeer);
  EXPECT_THAT(graph.peerNodes(), IsEmpty());
}

TEST(Graph, WritesTheWideFormUntilAPeerShowsTheNarrowOne) {
  Graph graph({});
  EXPECT_EQ(graph.gidBytes(), 24);
  EXPECT_TRUE(graph.receive(encodeGraph(kPeer, twoNodes(), 16), kPeersGraphWriter));
  EXPECT_EQ(graph.gidBytes(), 16);
  EXPECT_FALSE(graph.receive(encodeGraph(kPeer, twoNodes(), 16), kPeersGraphWriter));
  EXPECT_THAT(graph.peerNodes(), ElementsAre("/car/driver", "/sim"));
  graph.forget(kPeer);
  EXPECT_THAT(graph.peerNodes(), IsEmpty());
}

constexpr Guid kPeersGraphReader{{1, 15, 120, 253, 61, 60, 10, 124, 0, 0, 0, 0, 0, 0, 1, 4}};
constexpr Guid kStrangersReader{{1, 16, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 1, 4}};

TEST(Graph, AReaderThatAnnouncesItsTypeHashGetsTheNarrowForm) {
  Graph graph({});
  EXPECT_TRUE(graph.noticeReader(kPeersGraphReader, true));
  EXPECT_EQ(graph.gidBytes(), 16);
  // A program of ours that has not made up its mind writes the wide form and reads both.
  EXPECT_FALSE(graph.receive(encodeGraph(kPeer, twoNodes(), 24), kPeersGraphWriter));
  EXPECT_EQ(graph.gidBytes(), 16);
}

TEST(Graph, NothingNarrowStaysWhereAReaderMayBeHumble) {
  Graph graph({});
  graph.noticeReader(kPeersGraphReader, true);
  EXPECT_TRUE(graph.noticeReader(kStrangersReader, false));
  EXPECT_EQ(graph.gidBytes(), 24);
  EXPECT_TRUE(graph.forget(kStrangersReader));
  EXPECT_EQ(graph.gidBytes(), 16);
  EXPECT_TRUE(graph.forget(kPeer));  // nobody is left: the form that hurts nobody
  EXPECT_EQ(graph.gidBytes(), 24);
}

TEST(Graph, AConfiguredWidthIsKept) {
  Graph graph(24);
  EXPECT_FALSE(graph.receive(encodeGraph(kPeer, twoNodes(), 16), kPeersGraphWriter));
  EXPECT_FALSE(graph.noticeReader(kPeersGraphReader, true));
  EXPECT_EQ(graph.gidBytes(), 24);
  Graph narrow(16);
  EXPECT_FALSE(narrow.noticeReader(kStrangersReader, false));
  EXPECT_EQ(narrow.gidBytes(), 16);
}

}  // namespace
}  // namespace gs_ros2

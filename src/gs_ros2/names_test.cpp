// SPDX-License-Identifier: Apache-2.0
#include "gs_ros2/names.hpp"

#include <gmock/gmock.h>

namespace gs_ros2 {
namespace {

const NodeName kNode{.ns = "/car", .name = "sim"};

TEST(Names, RelativeAndPrivateNamesBecomeWhole) {
  EXPECT_EQ(expandName("/clock", kNode), "/clock");
  EXPECT_EQ(expandName("points", kNode), "/car/points");
  EXPECT_EQ(expandName("~/state", kNode), "/car/sim/state");
  EXPECT_EQ(expandName("~/state", {.ns = "/", .name = "sim"}), "/sim/state");
  EXPECT_EQ(kNode.full(), "/car/sim");
  EXPECT_EQ(kNode.logger(), "car.sim");
}

TEST(Names, TheFirstRemapThatFitsWins) {
  const std::vector<Remap> remaps = {{"other", "odom", "/wrong"},
                                     {"", "odom", "ego/odom"},
                                     {"", "/car/odom", "/late"},
                                     {"sim", "~/state", "/state"}};
  EXPECT_EQ(resolveName("odom", kNode, remaps), "/car/ego/odom");
  EXPECT_EQ(resolveName("/car/odom", kNode, remaps), "/car/ego/odom");
  EXPECT_EQ(resolveName("/odom", kNode, remaps), "/odom");
  EXPECT_EQ(resolveName("~/state", kNode, remaps), "/state");
}

TEST(Names, TheNodeItselfCanBeRenamed) {
  const std::vector<Remap> remaps = {
      {"other", "__ns", "/no"}, {"", "__node", "ego"}, {"sim", "__ns", "/lab/a"}};
  EXPECT_EQ(resolveNodeName(kNode, remaps), (NodeName{.ns = "/lab/a", .name = "ego"}));
  EXPECT_EQ(resolveNodeName(kNode, {}), kNode);
}

TEST(Names, AreSpelledForDds) {
  EXPECT_EQ(topicForDds("/a/b"), "rt/a/b");
  EXPECT_EQ(requestForDds("/s"), "rq/sRequest");
  EXPECT_EQ(replyForDds("/s"), "rr/sReply");
}

TEST(Names, WhatRosRefusesIsRefused) {
  for (const char* good : {"a", "/a", "~/a_1", "/a/_b/c2"}) EXPECT_EQ(problemWithName(good), "");
  for (const char* bad : {"", "/", "a//b", "a/", "1a", "/a/2b", "a b", "a-b", "~a", "~/"})
    EXPECT_NE(problemWithName(bad), "") << bad;
  EXPECT_NE(problemWithName(std::string(300, 'a')), "");
  EXPECT_EQ(problemWithNamespace("/"), "");
  EXPECT_NE(problemWithNamespace("a"), "");
  EXPECT_NE(problemWithNodeName("a/b"), "");
}

}  // namespace
}  // namespace gs_ros2

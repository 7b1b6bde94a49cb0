// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/tf_tree.hpp"

#include <cmath>
#include <numbers>

#include <gmock/gmock.h>

#include "gs/core/file.hpp"
#include "gs/core/testing/temp_dir.hpp"
#include "gs_builder/tf_file.hpp"

namespace gs_builder {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::array<double, 4> kNoTurn = {0, 0, 0, 1};

void addStatic(TfTree& tree, const char* parent, const char* child, double x) {
  tree.add(parent, child, true, {0}, {0}, {x, 0, 0}, kNoTurn);
}
void addMoving(TfTree& tree, const char* parent, const char* child, int64_t ns, double x) {
  tree.add(parent, child, false, {ns}, {ns}, {x, 0, 0}, kNoTurn);
}

// map -> odom (moving) -> base (moving) -> lidar (static)
TfTree vehicle() {
  TfTree tree;
  addStatic(tree, "base", "lidar", 1);
  for (int64_t i = 0; i <= 10; ++i) {
    addMoving(tree, "odom", "base", i * 100, static_cast<double>(i));
    if (i % 5 == 0) addMoving(tree, "/map", "odom", i * 100, 100.0);
  }
  tree.settle();
  return tree;
}

TEST(TfTree, ComposesAlongTheTreeAndInterpolatesInTime) {
  const TfTree tree = vehicle();
  EXPECT_DOUBLE_EQ(tree.find("map", "lidar", {250})->translation.x(), 103.5);
  EXPECT_DOUBLE_EQ(tree.find("lidar", "map", {250})->translation.x(), -103.5);
  EXPECT_DOUBLE_EQ(tree.find("odom", "base", {5000})->translation.x(), 10);  // held at the end
  EXPECT_FALSE(tree.find("map", "camera", {0}));
  EXPECT_THAT(tree.ancestorsOf("lidar"), ElementsAre("base", "odom", "map"));
  EXPECT_EQ(tree.rootOf("lidar"), "map");
}

TEST(TfTree, TurnsAlongTheShorterArc) {
  TfTree tree;
  const double half = std::sqrt(0.5);
  tree.add("a", "b", false, {0}, {0}, {0, 0, 0}, kNoTurn);
  tree.add("a", "b", false, {100}, {100}, {0, 0, 0}, {0, 0, -half, -half});  // 90 degrees
  tree.settle();
  EXPECT_NEAR(gs::toRollPitchYaw(tree.find("a", "b", {50})->rotation).yaw, std::numbers::pi / 4,
              1e-12);
}

TEST(TfTree, ALoopIsFoundAndEndsNoWalk) {
  TfTree tree;
  addStatic(tree, "a", "b", 1);
  addStatic(tree, "b", "c", 1);
  addStatic(tree, "c", "a", 1);
  addStatic(tree, "base", "sensor", 1);
  tree.settle();
  EXPECT_THAT(tree.findLoop(), ElementsAre("a", "c", "b", "a"));
  EXPECT_FALSE(tree.find("base", "a", {0}));
  EXPECT_TRUE(tree.find("base", "sensor", {0}));
  EXPECT_THAT(vehicle().findLoop(), IsEmpty());
}

TEST(TfTree, AFrameKeepsItsBestDocumentedParent) {
  TfTree tree;
  for (int64_t i = 0; i < 5; ++i) addMoving(tree, "odom", "base", i, 1);
  addMoving(tree, "other", "base", 2, 7);
  tree.settle();
  EXPECT_THAT(tree.ancestorsOf("base"), ElementsAre("odom"));
  EXPECT_EQ(tree.counts().other_parents, 1u);
}

TEST(TfTree, WhatIsNoTransformIsCounted) {
  TfTree tree;
  const double nan = std::nan("");
  tree.add("a", "b", true, {0}, {0}, {nan, 0, 0}, kNoTurn);
  tree.add("a", "b", true, {0}, {0}, {0, 0, 0}, {0, 0, 0, 0});
  tree.add("", "b", true, {0}, {0}, {0, 0, 0}, kNoTurn);
  tree.add("b", "b", true, {0}, {0}, {0, 0, 0}, kNoTurn);
  tree.settle();
  EXPECT_EQ(tree.counts().invalid, 4u);
  EXPECT_FALSE(tree.has("a"));
}

TEST(TfTree, StampsThatJumpAreLeftOut) {
  TfTree tree;
  for (int64_t i = 0; i < 30; ++i) {
    const int64_t ns = i * 100'000'000;
    const int64_t jump = i == 7 ? 3'600'000'000'000 : 0;
    tree.add("odom", "base", false, {ns}, {ns + jump}, {static_cast<double>(i), 0, 0}, kNoTurn);
  }
  tree.settle();
  EXPECT_EQ(tree.counts().clock_jumps, 1u);
  EXPECT_DOUBLE_EQ(tree.find("odom", "base", {700'000'000})->translation.x(),
                   7);  // between 6 and 8
}

TEST(TfFile, LeadsThereAndBackToTheLastBit) {
  TfTree tree;
  tree.add("map", "odom", false, {0}, {1'772'359'200'083'333'333}, {0.1, -2.0 / 3, 1e-17},
           {0, 0, 0.6, 0.8});
  addStatic(tree, "base", "lidar", 1.0 / 3);
  tree.settle();
  const gs::testing::TempDir dir;
  gs::writeFile(dir / "tf.json", toTfText(tree, TfKind::Moving));
  gs::writeFile(dir / "tf_static.json", toTfText(tree, TfKind::Static));
  TfTree read;
  readTfFile(dir / "tf.json", TfKind::Moving, read);
  readTfFile(dir / "tf_static.json", TfKind::Static, read);
  read.settle();
  EXPECT_EQ(toTfText(read, TfKind::Moving), toTfText(tree, TfKind::Moving));
  EXPECT_EQ(toTfText(read, TfKind::Static), toTfText(tree, TfKind::Static));
  EXPECT_EQ(read.edges()[1]->samples[0].stamp.ns, 1'772'359'200'083'333'333);
}

}  // namespace
}  // namespace gs_builder

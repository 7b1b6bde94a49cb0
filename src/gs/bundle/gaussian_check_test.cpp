// SPDX-License-Identifier: Apache-2.0
#include "gs/bundle/gaussian_check.hpp"

#include <limits>

#include <gtest/gtest.h>

#include "gs/bundle/testing/random_cloud.hpp"
#include "gs/core/parallel.hpp"

namespace gs {
namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

TEST(GaussianCheck, FindsNothingWrongWithASoundCloud) {
  const GaussianDefects found = findDefects(testing::randomCloud(10000, 3, 1));
  EXPECT_TRUE(found.empty());
  EXPECT_EQ(found.first_non_finite, std::nullopt);
  EXPECT_TRUE(found.hasBox());
  EXPECT_LT(found.max[2], 50.f);
  EXPECT_GT(found.max[2], 49.f);
}

TEST(GaussianCheck, CountsEachKindAndNamesTheFirst) {
  GaussianCloud cloud = testing::randomCloud(10000, 1, 2);
  cloud.position[1][9000] = kNaN;
  cloud.logit_opacity[7000] = kInfinity;
  cloud.sh_rest[8000 * restCount(1) + 8] = -kInfinity;
  cloud.rotation[0][7000] = kNaN;  // already counted: not also "not unit"
  for (auto& axis : cloud.rotation)
    axis[5000] = 0, axis[6000] *= 1.00001f, axis[4000] *= 1.0000005f;
  const GaussianDefects found = findDefects(cloud);
  EXPECT_EQ(found.non_finite, 3u);
  EXPECT_EQ(found.first_non_finite, 7000u);
  EXPECT_EQ(found.non_unit, 2u);
  EXPECT_EQ(found.first_non_unit, 5000u);
}

TEST(GaussianCheck, BoxesOnlyFinitePositions) {
  GaussianCloud cloud = testing::randomCloud(2, 0, 3);
  cloud.position[0][0] = kInfinity;
  const GaussianDefects found = findDefects(cloud);
  for (size_t axis = 0; axis < 3; ++axis) {
    EXPECT_EQ(found.min[axis], cloud.position[axis][1]);
    EXPECT_EQ(found.max[axis], cloud.position[axis][1]);
  }
  EXPECT_FALSE(findDefects(GaussianCloud()).hasBox());
}

TEST(GaussianCheck, AnswersTheSameForAnyNumberOfThreads) {
  GaussianCloud cloud = testing::randomCloud(20000, 0, 4);
  for (size_t i = 3; i < cloud.size(); i += 97) cloud.position[i % 3][i] = kNaN;
  setThreadCount(1);
  const GaussianDefects serial = findDefects(cloud);
  setThreadCount(4);
  EXPECT_EQ(findDefects(cloud), serial);
  setThreadCount(0);
}

}  // namespace
}  // namespace gs

// SPDX-License-Identifier: Apache-2.0
#include "gs/bundle/heightmap.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "gs/core/rng.hpp"

namespace gs {
namespace {

constexpr float kHole = std::numeric_limits<float>::quiet_NaN();

// Heights 0 1 / 2 3 at the corners of a 1 m cell, then a hole to the right.
Heightmap smallRamp() {
  return {.resolution = 1.0, .width = 3, .height = 2, .samples = {0, 1, kHole, 2, 3, kHole}};
}

TEST(Heightmap, InterpolatesBetweenTheFourSurroundingSamples) {
  EXPECT_DOUBLE_EQ(heightAt(smallRamp(), 0.5, 0.5), 1.5);
  EXPECT_DOUBLE_EQ(heightAt(smallRamp(), 0.25, 0.0), 0.25);
  EXPECT_DOUBLE_EQ(heightAt(smallRamp(), 0.0, 0.75), 1.5);
}

TEST(Heightmap, SaysNaNRatherThanGuessing) {
  const Heightmap map = smallRamp();
  constexpr double kInf = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(std::isnan(heightAt(map, -1e-9, 0.0)));
  EXPECT_TRUE(std::isnan(heightAt(map, 0.0, 1.0 + 1e-9)));
  EXPECT_TRUE(std::isnan(heightAt(map, 1.5, 0.5)));  // beside the hole
  EXPECT_TRUE(std::isnan(heightAt(map, kHole, 0.0)));
  EXPECT_TRUE(std::isnan(heightAt(map, 0.0, kInf)));
  EXPECT_TRUE(std::isnan(heightAt(map, -kInf, 0.0)));
  EXPECT_TRUE(std::isnan(heightAt(map, 1e300, 1e300)));
  EXPECT_TRUE(std::isnan(heightAt(Heightmap{}, 0.0, 0.0)));
}

TEST(Heightmap, ItsLastRowAndColumnAreInside) {
  const Heightmap map{.resolution = 1.0, .width = 2, .height = 2, .samples = {0, 1, 2, 3}};
  EXPECT_EQ(heightAt(map, 1.0, 1.0), 3.0);
  EXPECT_EQ(heightAt(map, 0.5, 1.0), 2.5);
  EXPECT_EQ(heightAt(map, 1.0, 0.5), 2.0);
}

TEST(Heightmap, AsksOnlyTheSamplesAPointLiesBetween) {
  EXPECT_EQ(heightAt(smallRamp(), 1.0, 0.5), 2.0);  // on the column beside the hole
  EXPECT_EQ(heightAt(smallRamp(), 1.0, 1.0), 3.0);
}

TEST(Heightmap, IsExactOnEverySampleWhateverTheResolution) {
  Rng rng(11);
  for (const double resolution : {0.1, 0.3, 1.0 / 3.0, 0.07}) {
    Heightmap map{
        .origin_x = -100.3, .origin_y = 17.7, .resolution = resolution, .width = 61, .height = 43};
    for (int i = 0; i < map.width * map.height; ++i)
      map.samples.push_back(i % 2 == 1 ? kHole : static_cast<float>(rng.uniform(-9, 9)));
    for (int row = 0; row < map.height; ++row) {
      for (int col = 0; col < map.width; ++col) {
        const double found =
            heightAt(map, map.origin_x + col * resolution, map.origin_y + row * resolution);
        if (std::isnan(map.at(col, row))) EXPECT_TRUE(std::isnan(found));
        else EXPECT_EQ(found, map.at(col, row)) << col << " " << row;
      }
    }
  }
}

TEST(Heightmap, WithTheSameHolesIsEqual) {
  EXPECT_EQ(smallRamp(), smallRamp());
  Heightmap other = smallRamp();
  other.samples[2] = 5;
  EXPECT_FALSE(other == smallRamp());
  other = smallRamp();
  other.origin_z = 1;
  EXPECT_FALSE(other == smallRamp());
}

TEST(Heightmap, RangeIgnoresHolesAndIsNaNWithoutSamples) {
  EXPECT_EQ(rangeOf(smallRamp()).min, 0);
  EXPECT_EQ(rangeOf(smallRamp()).max, 3);
  EXPECT_TRUE(std::isnan(rangeOf(Heightmap{.samples = {kHole}}).min));
  EXPECT_TRUE(std::isnan(rangeOf(Heightmap{}).max));
}

}  // namespace
}  // namespace gs

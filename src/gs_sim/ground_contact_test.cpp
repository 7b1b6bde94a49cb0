// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/ground_contact.hpp"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>

#include "gs/core/rigid3.hpp"

namespace gs_sim {
namespace {

constexpr float kHole = std::numeric_limits<float>::quiet_NaN();

// z = slope_x x + slope_y y around the origin.
gs::Heightmap plane(double slope_x, double slope_y) {
  gs::Heightmap map{.origin_x = -20, .origin_y = -20, .resolution = 0.5, .width = 81, .height = 81};
  for (int row = 0; row < map.height; ++row)
    for (int col = 0; col < map.width; ++col)
      map.samples.push_back(static_cast<float>(slope_x * (map.origin_x + col * 0.5) +
                                               slope_y * (map.origin_y + row * 0.5)));
  return map;
}

TEST(GroundContact, InterpolatesBetweenTheFourSurroundingSamples) {
  const auto ground = createGroundContact(
      gs::Heightmap{.resolution = 1.0, .width = 2, .height = 2, .samples = {0, 1, 2, 3}});
  EXPECT_DOUBLE_EQ(ground->getGroundHeight(0.5, 0.5), 1.5);
  EXPECT_TRUE(std::isnan(ground->getGroundHeight(-0.1, 0)));
}

TEST(Footing, UpwardsIsNegativePitchAndLeftSideUpIsPositiveRoll) {
  const auto uphill = findFooting(*createGroundContact(plane(0.1, 0)), {}, 1, 2, 0);
  ASSERT_TRUE(uphill);
  EXPECT_NEAR(uphill->z, 0.1, 1e-6);
  EXPECT_NEAR(uphill->pitch, -std::atan(0.1), 1e-6);
  EXPECT_NEAR(uphill->roll, 0, 1e-6);
  const auto tilted = findFooting(*createGroundContact(plane(0, 0.2)), {}, 0, 0, 0);
  EXPECT_NEAR(tilted->roll, std::atan(0.2), 1e-6);
}

TEST(Footing, TheVehicleStandsFlatOnAnyPlaneInAnyDirection) {
  const auto ground = createGroundContact(plane(0.15, -0.1));
  const gs::Vec3 normal = gs::Vec3(-0.15, 0.1, 1).normalized();
  for (double yaw = -3; yaw < 3; yaw += 0.5) {
    const auto footing = findFooting(*ground, {}, 0.3, -0.2, yaw);
    ASSERT_TRUE(footing);
    const gs::Vec3 up =
        gs::fromRollPitchYaw(footing->roll, footing->pitch, yaw) * gs::Vec3::UnitZ();
    EXPECT_NEAR((up - normal).norm(), 0, 1e-6) << yaw;
  }
}

TEST(Footing, AHoleUnderOneWheelMakesItUnknown) {
  gs::Heightmap map = plane(0, 0);
  EXPECT_TRUE(findFooting(*createGroundContact(map), {}, 0, 0, 0));
  map.samples[static_cast<size_t>(41) * 81 + 45] = kHole;  // (2.5, 0.5): left front wheel
  EXPECT_FALSE(findFooting(*createGroundContact(map), {}, 0, 0, 0));
  EXPECT_FALSE(findFooting(*createGroundContact(plane(0, 0)), {}, 19, 0, 0));  // nose off the map
}

}  // namespace
}  // namespace gs_sim

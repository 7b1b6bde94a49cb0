// SPDX-License-Identifier: Apache-2.0
#include "apps/world_builder/own_way_check.hpp"

#include <gmock/gmock.h>

#include "gs/synthetic/minimal_bundle.hpp"

namespace apps {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

// Straight ahead from where the world begins, ten poses a second at 5 m/s.
gs_builder::EgoTrajectory straight(const gs::WorldBundle& world, double seconds) {
  const auto& [x, y, z] = world.timebase.initial_pose.position;
  const gs::Rigid3 start{gs::fromXyzw(world.timebase.initial_pose.orientation), {x, y, z}};
  std::vector<gs_builder::StampedPose> poses;
  for (int i = 0; i < 10 * seconds; ++i)
    poses.push_back(
        {gs::Stamp{i * 100'000'000ll}, start * gs::Rigid3{gs::Quat::Identity(), {0.5 * i, 0, 0}}});
  return gs_builder::EgoTrajectory(poses);
}

TEST(OwnWay, AnEmptyRoadIsDriven) {
  const gs::WorldBundle world = gs::makeMinimalBundle();
  EXPECT_FALSE(findOwnWayProblem(world, straight(world, 4)));
}

TEST(OwnWay, AWallAcrossItIsNamedWithItsPlaceAndMoment) {
  gs::WorldBundle world = gs::makeMinimalBundle();
  const auto recorded = straight(world, 4);
  const gs::Rigid3& pose = recorded.poses()[20].map_from_base;
  world.static_mesh.emplace();
  for (const gs::Vec3& corner :
       {gs::Vec3(3.6, -4, -1), gs::Vec3(3.6, 4, -1), gs::Vec3(3.6, 0, 4)}) {
    const gs::Vec3 p = pose * corner;
    world.static_mesh->positions.push_back(
        {static_cast<float>(p.x()), static_cast<float>(p.y()), static_cast<float>(p.z())});
  }
  world.static_mesh->triangles = {{0, 1, 2}};
  const auto problem = findOwnWayProblem(world, recorded);
  ASSERT_TRUE(problem);
  EXPECT_EQ(problem->code, gs::ErrorCode::ValidationFailed);
  EXPECT_THAT(problem->message,
              AllOf(HasSubstr("touches something"), HasSubstr("1970-01-01T00:00:02"),
                    Not(HasSubstr("drivable"))));
  EXPECT_THAT(problem->suggestion, HasSubstr("static_mesh.enable"));
}

TEST(OwnWay, LeavingItsOwnDrivableAreaIsNamed) {
  const gs::WorldBundle world = gs::makeMinimalBundle();
  const auto problem = findOwnWayProblem(world, straight(world, 400));
  ASSERT_TRUE(problem);
  EXPECT_THAT(problem->message, HasSubstr("leaves the drivable area"));
  EXPECT_THAT(problem->suggestion, HasSubstr("trajectory_buffer"));
}

}  // namespace
}  // namespace apps

// SPDX-License-Identifier: Apache-2.0
#include "gs/geometry/swept_way.hpp"

#include <cmath>

#include <gmock/gmock.h>

namespace gs {
namespace {

const BodyBox kBody = boxOf(VehicleBody{}, kDefaultWheelbase);

// Straight ahead along x from the origin, then a left turn of 12 m radius, on a slope of 5 %.
std::vector<Rigid3> drive() {
  std::vector<Rigid3> poses;
  double x = 0, y = 0, z = 0, yaw = 0;
  for (double s = 0; s < 40; s += 0.25) {
    if (s > 20) yaw += 0.25 / 12;
    x += 0.25 * std::cos(yaw);
    y += 0.25 * std::sin(yaw);
    z += 0.25 * 0.05;
    poses.push_back({fromRollPitchYaw(0, -std::atan(0.05), yaw), {x, y, z}});
  }
  return poses;
}

MapCloud cloudOf(const std::vector<Vec3>& points) {
  MapCloud cloud{.origin = {5, 0, 0}, .voxel_size = 0.1};
  for (const Vec3& p : points) {
    cloud.positions.push_back((p - cloud.origin).cast<float>());
    cloud.normals.push_back(Vec3f::UnitZ());
    cloud.spacing.push_back(static_cast<float>(cloud.positions.size()));
    cloud.reflectivity.push_back(0);
    cloud.hits.push_back(1);
    cloud.nearest_range.push_back(5);
  }
  return cloud;
}

TEST(SweptWay, HoldsWhatTheBodyPassedThroughAndNothingElse) {
  const std::vector<Rigid3> poses = drive();
  const SweptWay way(poses, kBody);
  for (const Rigid3& pose : poses) {
    EXPECT_TRUE(way.contains(pose * Vec3(1, 0.85, 1.55)));
    EXPECT_TRUE(way.contains(pose * Vec3(3.6, -0.85, 0.3)));
    EXPECT_FALSE(way.contains(pose * Vec3(1, 0, 0.2))) << "lower than the bumper is road";
    EXPECT_FALSE(way.contains(pose * Vec3(1, 0, 1.8))) << "above the roof";
  }
  EXPECT_FALSE(way.contains(poses.front() * Vec3(5, 1.2, 1))) << "beside it";
  EXPECT_FALSE(way.contains(poses.front() * Vec3(-1.5, 0, 1))) << "where it had not been yet";
  EXPECT_FALSE(way.contains({NAN, 0, 1}));
  EXPECT_FALSE(way.contains({1e300, 0, 1}));
  EXPECT_FALSE(SweptWay({}, kBody).contains({0, 0, 1}));
}

TEST(SweptWay, PosesThatAreNotFiniteArePassedOver) {
  const SweptWay way({{Quat::Identity(), {NAN, 0, 0}}, {Quat::Identity(), {0, 0, 0}}}, kBody);
  EXPECT_TRUE(way.contains({1, 0, 1}));
}

TEST(SweptWay, RoomAroundReachesToTheHighestSensorAndNotIntoTheRoad) {
  const BodyBox room = roomAround(kBody, 2.4);
  EXPECT_DOUBLE_EQ(room.high.z(), 2.4);
  EXPECT_GT(roomAround(kBody).high.z(), kBody.high.z());
  EXPECT_LT(room.low.y(), kBody.low.y() - 0.1);
  EXPECT_GT(room.low.z(), 0.1);
}

// A car that follows leaves its shell in every place of the way, and a wall stands beside it.
TEST(CarveCloud, TakesWhatStandsInTheWayAndKeepsRoadAndWalls) {
  std::vector<Vec3> points;
  size_t in_way = 0;
  for (const Rigid3& pose : drive()) {
    for (const double y : {-0.8, 0.0, 0.8}) {
      points.push_back(pose * Vec3(0.5, y, 0.9));
      ++in_way;
      points.push_back(pose * Vec3(0.5, y, 0.02));
    }
    points.push_back(pose * Vec3(0.5, -2.5, 0.9));
  }
  MapCloud cloud = cloudOf(points);
  EXPECT_EQ(carve(cloud, SweptWay(drive(), roomAround(kBody))), in_way);
  ASSERT_EQ(cloud.size(), points.size() - in_way);
  ASSERT_EQ(cloud.normals.size(), cloud.size());
  ASSERT_EQ(cloud.nearest_range.size(), cloud.size());
  for (size_t i = 0; i < cloud.size(); ++i) {  // columns stay together: spacing is its old number
    const Vec3& was = points[static_cast<size_t>(cloud.spacing[i]) - 1];
    EXPECT_LT((cloud.positionInMap(i) - was).norm(), 1e-5);
  }
}

TEST(CarveMesh, TakesTrianglesThatReachIntoTheWay) {
  TriangleMesh mesh;
  const auto add = [&](float x, float y, float z) {  // an upright one, 10 cm large
    const auto v = static_cast<uint32_t>(mesh.positions.size());
    mesh.positions.insert(mesh.positions.end(), {{x, y, z}, {x, y + 0.1f, z}, {x, y, z + 0.1f}});
    mesh.triangles.push_back({v, v + 1, v + 2});
  };
  add(4, 0, 0.8f);       // in the middle of the lane
  add(4, -1.05f, 0.8f);  // one corner in the way
  add(4, -2, 0.8f);      // beside it
  EXPECT_EQ(carve(mesh, SweptWay({{Quat::Identity(), {2, 0, 0}}}, kBody)), 1u);
  EXPECT_EQ(carve(mesh, SweptWay({{Quat::Identity(), {2, 0, 0}}}, roomAround(kBody))), 1u);
  EXPECT_EQ(mesh.triangles.size(), 1u);
}

TEST(CarveSplats, TakesThoseInTheWayAndLargeOnesThatReachFarIn) {
  GaussianCloud cloud;
  cloud.resize(4);
  const auto set = [&](size_t i, Vec3f p, Vec3f scale) {
    for (int a = 0; a < 3; ++a) {
      cloud.position[a][i] = p[a];
      cloud.log_scale[a][i] = std::log(scale[a]);
      cloud.sh_dc[a][i] = static_cast<float>(i);
    }
    for (int k = 0; k < 4; ++k) cloud.rotation[k][i] = k == 3 ? 1.0f : 0.0f;
    cloud.logit_opacity[i] = 2;
  };
  set(0, {3, 0, 1}, {0.1f, 0.1f, 0.1f});   // in the way
  set(1, {3, 2, 1}, {0.1f, 1.0f, 0.1f});   // beside it, but reaching to its middle
  set(2, {3, 2, 1}, {0.3f, 0.3f, 0.3f});   // beside it
  set(3, {3, 0, 0}, {1.5f, 1.5f, 0.02f});  // the road
  EXPECT_EQ(carve(cloud, SweptWay({{Quat::Identity(), {1, 0, 0}}}, roomAround(kBody))), 2u);
  ASSERT_EQ(cloud.size(), 2u);
  EXPECT_EQ(cloud.sh_dc[0][0], 2);
  EXPECT_EQ(cloud.sh_dc[0][1], 3);
}

}  // namespace
}  // namespace gs

// SPDX-License-Identifier: Apache-2.0
#include "gs/synthetic/town.hpp"

#include <cmath>

#include <gmock/gmock.h>

#include "gs/core/rng.hpp"
#include "gs/synthetic/testing/sample_town.hpp"
#include "gs/synthetic/town/road_loop.hpp"

namespace gs {
namespace {

using testing::renderer;
using testing::town;

TEST(Town, RouteIsAClosedSmoothLoopOfEvenSteps) {
  const auto& route = town().route();
  const size_t n = route.size();
  double length = 0, last_curvature = 0;
  for (size_t i = 0; i <= n; ++i) {
    const Vec2 a(route[i % n].data()), b(route[(i + 1) % n].data()), c(route[(i + 2) % n].data());
    const double step = (b - a).norm();
    EXPECT_NEAR(step, 0.5, 0.01);
    const Vec2 d1 = b - a, d2 = c - b;
    const double turn = std::atan2(d1.x() * d2.y() - d1.y() * d2.x(), d1.dot(d2));
    const double curvature = turn / step;
    EXPECT_LT(std::abs(curvature), 1 / 10.0);
    // A step from straight to arc would be 1/15.6 = 0.064.
    if (i > 0) {
      EXPECT_LT(std::abs(curvature - last_curvature), 0.012) << i;
    }
    last_curvature = curvature;
    if (i < n) length += step;
  }
  EXPECT_GT(length, 250);
  EXPECT_LT(length, 320);
}

TEST(Town, DrivableAreaHoldsTheRouteWithRoomForACarAndNoPavement) {
  const DrivableArea area = town().drivable();
  ASSERT_EQ(area.features.size(), 1u);
  EXPECT_EQ(invalidityOf(area.features[0].polygons[0]), "");
  const auto& route = town().route();
  for (size_t i = 0; i < route.size(); i += 3) {
    const Vec2 here(route[i].data()), next(route[(i + 1) % route.size()].data());
    const Vec2 along = (next - here).normalized(), left(-along.y(), along.x());
    for (const double side : {-1.2, 0.0, 1.2}) {
      const Vec2 p = here + left * side;
      EXPECT_TRUE(isDrivable(area, p.x(), p.y())) << i;
    }
  }
  for (double s = 0; s < road::length(); s += 3.7)
    for (const double offset : {-7.0, -5.6, 5.6, 7.0}) {
      const Vec2 p = road::pointAt(s, offset);
      EXPECT_FALSE(isDrivable(area, p.x(), p.y())) << s << " " << offset;
    }
}

TEST(Town, MeshHasFiniteCornersAndSoundIndices) {
  const TriangleMesh& mesh = town().staticMesh();
  EXPECT_GT(mesh.triangles.size(), 20000u);
  ASSERT_EQ(mesh.normals.size(), mesh.positions.size());
  ASSERT_EQ(mesh.colors.size(), mesh.positions.size());
  for (size_t i = 0; i < mesh.positions.size(); ++i) {
    const Vec3f normal(mesh.normals[i].data());
    ASSERT_TRUE(Vec3f(mesh.positions[i].data()).allFinite()) << i;
    ASSERT_NEAR(normal.norm(), 1, 1e-3) << i;
  }
  for (const auto& triangle : mesh.triangles)
    for (const uint32_t corner : triangle) ASSERT_LT(corner, mesh.positions.size());
}

TEST(Town, GroundFunctionEqualsTheMeshSeenFromJustAbove) {
  Rng rng(5);
  std::vector<TownRenderer::Ray> rays;
  std::vector<double> expected;
  for (int i = 0; i < 4000; ++i) {
    const double offset = rng.uniform(-8.4, 8.4);
    // Beside the kerb the chords of the mesh decide which side a point is on.
    if (std::abs(std::abs(offset) - road::kRoadHalf) < 0.01) continue;
    const Vec2 p = road::pointAt(rng.uniform(0, road::length()), offset);
    const double ground = town().groundHeight(p.x(), p.y());
    // From 4 cm up, below every car and on top of no kerb.
    rays.push_back({Vec3(p.x(), p.y(), ground + 0.04).cast<float>(), Vec3f(0, 0, -1), 0});
    expected.push_back(0.04);
  }
  std::vector<TownRenderer::Hit> hits(rays.size());
  renderer().cast(rays, hits, false);
  size_t blocked = 0;
  for (size_t i = 0; i < rays.size(); ++i) {
    // Feet of poles and wheels stand on the ground: rays that start inside them do not count.
    if (std::abs(hits[i].range - expected[i]) > 1e-3) ++blocked;
  }
  EXPECT_LT(blocked, rays.size() / 100);
}

TEST(Town, GroundIsUnknownOutsideTheMap) {
  EXPECT_TRUE(std::isnan(town().groundHeight(town().mapMax()[0] + 1, 0)));
  EXPECT_TRUE(std::isnan(town().groundHeight(0, town().mapMin()[1] - 1)));
}

TEST(Town, SameSeedSameTownAndAnotherSeedAnother) {
  EXPECT_EQ(Town::make({.seed = 1}).staticMesh(), town().staticMesh());
  EXPECT_FALSE(Town::make({.seed = 2}).staticMesh() == town().staticMesh());
}

}  // namespace
}  // namespace gs

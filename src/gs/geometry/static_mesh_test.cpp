// SPDX-License-Identifier: Apache-2.0
#include "gs/geometry/static_mesh.hpp"

#include <cmath>

#include <gmock/gmock.h>

#include "gs/core/error.hpp"
#include "gs/core/parallel.hpp"
#include "gs/formats/glb.hpp"
#include "gs/geometry/testing/plane_cloud.hpp"

namespace gs {
namespace {

// A ball of 1 m radius as its points see it from outside.
MapCloud ball(const Vec3& centre, double radius = 1) {
  MapCloud cloud{
      .origin = Vec3(std::round(centre.x()), std::round(centre.y()), std::round(centre.z())),
      .voxel_size = 0.08};
  const int count = 3000;
  for (int i = 0; i < count; ++i) {  // Fibonacci's spiral: even everywhere
    const double z = 1 - 2 * (i + 0.5) / count, a = i * 2.399963229728653;
    const Vec3 n(std::sqrt(1 - z * z) * std::cos(a), std::sqrt(1 - z * z) * std::sin(a), z);
    addPoint(cloud, centre + radius * n, n);
  }
  return cloud;
}

void expectBall(const TriangleMesh& mesh, const Vec3& centre, double tolerance) {
  double volume = 0;
  for (const auto& t : mesh.triangles) {
    Vec3 p[3];
    for (int k = 0; k < 3; ++k)
      p[k] =
          Vec3(mesh.positions[t[k]][0], mesh.positions[t[k]][1], mesh.positions[t[k]][2]) - centre;
    volume += p[0].dot(p[1].cross(p[2])) / 6;
    for (const Vec3& corner : p) EXPECT_NEAR(corner.norm(), 1, tolerance);
  }
  EXPECT_NEAR(volume, 4.18879, 12 * tolerance);  // positive: wound outwards, and closed
  ASSERT_EQ(mesh.normals.size(), mesh.positions.size());
  for (size_t v = 0; v < mesh.normals.size(); ++v) {
    const Vec3 n(mesh.normals[v][0], mesh.normals[v][1], mesh.normals[v][2]);
    const Vec3 p(mesh.positions[v][0], mesh.positions[v][1], mesh.positions[v][2]);
    EXPECT_NEAR(n.norm(), 1, 1e-5);
    EXPECT_GT(n.dot((p - centre).normalized()), 0.9);
  }
}

TEST(StaticMesh, TsdfOfABallIsTheBall) {
  const Vec3 centre(10.3, -4.2, 1.7);
  const TriangleMesh mesh = buildTsdfMesh(ball(centre), {.voxel_size = 0.1, .adaptivity = 0});
  EXPECT_GT(mesh.triangles.size(), 200u);
  expectBall(mesh, centre, 0.02);
}

TEST(StaticMesh, PoissonOfABallIsTheBall) {
  const Vec3 centre(-3.1, 0.2, 0.7);
  const TriangleMesh mesh = buildPoissonMesh(ball(centre), {.voxel_size = 0.1, .adaptivity = 0});
  EXPECT_GT(mesh.triangles.size(), 200u);
  expectBall(mesh, centre, 0.03);
}

TEST(StaticMesh, LeavesOpenWhatWasNotSeen) {
  const MapCloud cloud = cloudOver(2, 0.08, [](double x, double) { return 0.1 * x; });
  for (const auto& build : {buildTsdfMesh, buildPoissonMesh}) {
    const TriangleMesh mesh = build(cloud, {.voxel_size = 0.05});
    ASSERT_GT(mesh.triangles.size(), 100u);
    for (const auto& p : mesh.positions) {
      EXPECT_NEAR(p[2], 0.1 * static_cast<double>(p[0]), 0.04);  // one sheet, no back side
      EXPECT_LT(std::abs(p[0]), 2.35f);
    }
    for (size_t v = 0; v < mesh.normals.size(); ++v) {
      const auto& p = mesh.positions[v];
      if (std::max(std::abs(p[0]), std::abs(p[1])) < 1.8f) {
        EXPECT_GT(mesh.normals[v][2], 0.95f);
      }
    }
  }
}

TEST(StaticMesh, AdaptivityThinsOutFlatParts) {
  const MapCloud cloud = cloudOver(2, 0.08, [](double, double) { return 0.013; });
  const size_t all = buildTsdfMesh(cloud, {.adaptivity = 0}).triangles.size();
  const size_t few = buildTsdfMesh(cloud, {.adaptivity = 0.3}).triangles.size();
  EXPECT_LT(few, all / 4);
}

TEST(StaticMesh, IsTheSameForAnyNumberOfThreadsAndReadableAsGlb) {
  MapCloud cloud = ball({0, 0, 0});
  cloud.colors.assign(cloud.size(), {10, 200, 30});
  cloud.is_colored.assign(cloud.size(), 1);
  cloud.reflectivity.assign(cloud.size(), 77.0f);
  for (const auto& build : {buildTsdfMesh, buildPoissonMesh}) {
    setThreadCount(1);
    const std::string one = encodeGlb(build(cloud, {}));
    setThreadCount(8);
    const std::string eight = encodeGlb(build(cloud, {}));
    setThreadCount(0);
    EXPECT_TRUE(one == eight);
  }
  const TriangleMesh mesh = buildTsdfMesh(cloud, {});
  ASSERT_EQ(mesh.colors.size(), mesh.positions.size());
  EXPECT_EQ(mesh.colors[0], (std::array<uint8_t, 4>{10, 200, 30, 77})) << "alpha: reflectivity";
}

TEST(StaticMesh, IsEmptyWithoutNormalsAndRefusesTooFineVoxels) {
  MapCloud cloud = ball({0, 0, 0});
  EXPECT_THROW(buildTsdfMesh(cloud, {.voxel_size = 0}), Error);
  EXPECT_THROW(buildTsdfMesh(cloud, {.voxel_size = 0.02, .max_voxels = 1000}), Error);
  EXPECT_THROW(buildPoissonMesh(cloud, {.adaptivity = 2}), Error);
  std::fill(cloud.normals.begin(), cloud.normals.end(), Vec3f::Zero());
  EXPECT_TRUE(buildTsdfMesh(cloud, {}).triangles.empty());
  EXPECT_TRUE(buildPoissonMesh({}, {}).triangles.empty());
}

}  // namespace
}  // namespace gs

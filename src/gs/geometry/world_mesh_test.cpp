// SPDX-License-Identifier: Apache-2.0
#include "gs/geometry/world_mesh.hpp"

#include <cmath>

#include <gmock/gmock.h>

#include "gs/core/parallel.hpp"
#include "gs/core/rng.hpp"
#include "gs/geometry/ray_evidence.hpp"
#include "gs/geometry/simplify_mesh.hpp"
#include "gs/geometry/surface_levels.hpp"

namespace gs {
namespace {

Vec3 vertexOf(const TriangleMesh& mesh, uint32_t v) {
  return {mesh.positions[v][0], mesh.positions[v][1], mesh.positions[v][2]};
}

// A sheet of squares, `spacing` apart: x and y are given, `place` says where in the map.
template <typename Place>
TriangleMesh sheet(int columns, int rows, double spacing, const Place& place) {
  TriangleMesh mesh;
  for (int row = 0; row <= rows; ++row)
    for (int col = 0; col <= columns; ++col) {
      const Vec3 p = place(col * spacing, row * spacing);
      mesh.positions.push_back(
          {static_cast<float>(p.x()), static_cast<float>(p.y()), static_cast<float>(p.z())});
    }
  for (int row = 0; row < rows; ++row)
    for (int col = 0; col < columns; ++col) {
      const auto v = static_cast<uint32_t>(row * (columns + 1) + col);
      const auto above = v + static_cast<uint32_t>(columns) + 1;
      mesh.triangles.push_back({v, v + 1, above + 1});
      mesh.triangles.push_back({v, above + 1, above});
    }
  return mesh;
}

// A street: flat but for a kerb of 12 cm over 20 cm, and noise as a fused surface has it.
double street(double x) { return 0.12 * std::clamp((x - 4) / 0.2, 0.0, 1.0); }

TEST(SimplifyMesh, StaysWithinItsToleranceWithFarFewerTriangles) {
  Rng rng(3);
  TriangleMesh mesh = sheet(80, 60, 0.1, [&](double x, double y) {
    return Vec3(x + 1000, y, street(x) + 0.003 * (2 * rng.uniform() - 1));
  });
  const size_t before = mesh.triangles.size();
  TriangleMesh again = mesh;
  simplifyMesh(mesh, 0.02);
  EXPECT_LT(mesh.triangles.size(), before / 15);
  Vec3 low = Vec3::Constant(1e9), high = -low;
  for (const auto& t : mesh.triangles) {
    const Vec3 a = vertexOf(mesh, t[0]), b = vertexOf(mesh, t[1]), c = vertexOf(mesh, t[2]);
    for (const Vec3& p : {a, Vec3((a + b) / 2), Vec3((b + c) / 2), Vec3((a + b + c) / 3)}) {
      // To the street, not along z: the kerb's face is steep.
      double nearest = 1;
      for (double d = -0.1; d <= 0.1; d += 0.005)
        nearest = std::min(nearest, std::hypot(d, p.z() - street(p.x() - 1000 + d)));
      EXPECT_LT(nearest, 0.026) << p.transpose();
    }
    low = low.cwiseMin(a).cwiseMin(b).cwiseMin(c);
    high = high.cwiseMax(a).cwiseMax(b).cwiseMax(c);
    EXPECT_GT((b - a).cross(c - a).z(), 0) << "nothing is folded over";
  }
  EXPECT_NEAR(low.x(), 1000, 0.03);  // the outline stays
  EXPECT_NEAR(high.y(), 6, 0.03);
  simplifyMesh(again, 0.02);
  EXPECT_EQ(again, mesh);
}

TEST(SurfaceLevels, SparseRingsBecomeAWallAndPostsBecomeNothing) {
  MapCloud cloud{.voxel_size = 0.1};
  const auto add = [&](double x, double y, double z) {
    cloud.positions.emplace_back(x, y, z);
    cloud.normals.push_back(Vec3f::Zero());
    cloud.spacing.push_back(0.1f);
  };
  for (double y = 0; y < 4; y += 0.1)
    for (double z = 0; z < 3; z += 0.1) add(5.02, y, z);  // a wall nearby
  for (double y = 0; y < 6; y += 0.1)
    for (double z = 0; z < 4; z += 0.5) add(-30, y, z);  // one far away, in rings
  const size_t walls = cloud.size();
  for (double z = 0; z < 2; z += 0.1) add(0, 20.05, z);  // a post
  const auto levels = splitIntoLevels(cloud, {{0, 2, 1.5}}, 4);
  ASSERT_EQ(levels.size(), 4u);
  size_t placed = 0;
  for (const MapCloud& level : levels) {
    for (size_t i = 0; i < level.size(); ++i) {
      const Vec3f& p = level.positions[i];
      EXPECT_LT(p.y(), 7) << "the post is no surface";
      EXPECT_LT(level.normals[i].x() * p.x(), -0.9f * std::abs(p.x())) << "towards the viewpoint";
      if (p.x() > 0) {
        EXPECT_LT(level.voxel_size, 0.3);
      } else {
        EXPECT_GT(level.voxel_size, 0.15);
      }
    }
    placed += level.size();
  }
  EXPECT_GT(placed, walls * 95 / 100);
}

// One sensor, 1.5 m above flat ground at the origin, and a wall at x = 20.
struct Scene {
  Heightmap ground{.origin_x = -5, .origin_y = -5, .resolution = 1, .width = 11, .height = 11};
  TriangleMesh wall =
      sheet(40, 12, 0.25, [](double u, double v) { return Vec3(20, 5 - u, v + 0.25); });
  std::vector<ScanPoint> points;

  Scene() {
    ground.samples.assign(121, 0.0f);
    for (double y = -4; y < 4; y += 0.02)
      for (double z = 0.5; z < 3; z += 0.02)
        if (std::abs(y) > 0.1) points.push_back(at(20, y, z));  // behind the post is no return
  }
  static ScanPoint at(double x, double y, double z) {
    return {static_cast<float>(x), static_cast<float>(y), static_cast<float>(z), 1};
  }
  ScanSource source() const {
    return {3, [this](size_t) {
              return PosedScan{.sensor_in_base = {0, 0, 1.5}, .points = points};
            }};
  }
};

TEST(RayEvidence, WhatRaysPassThroughGoesAndWhatTheyEndAtStays) {
  Scene scene;
  TriangleMesh mesh = scene.wall;
  const size_t wall = mesh.triangles.size();
  // A curtain halfway: recorded rays flew through it.
  const TriangleMesh curtain =
      sheet(8, 3, 0.25, [](double u, double v) { return Vec3(10, 1 - u, v + 1.25); });
  const auto first = static_cast<uint32_t>(mesh.positions.size());
  mesh.positions.insert(mesh.positions.end(), curtain.positions.begin(), curtain.positions.end());
  for (const auto& t : curtain.triangles)
    mesh.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
  removeSeenThrough(mesh, scene.ground, scene.source(), 0, 0.25, {});
  EXPECT_LT(mesh.triangles.size(), wall + 8);
  EXPECT_GT(mesh.triangles.size(), wall * 9 / 10);
}

TEST(RayEvidence, APostGetsPlatesAsNarrowAsItself) {
  Scene scene;
  const size_t on_wall = scene.points.size();
  for (double z = 0.5; z < 2; z += 0.02)
    for (const double y : {-0.03, 0.0, 0.03}) scene.points.push_back(Scene::at(8, y, z));
  const TriangleMesh plates = platesForUnmet(scene.wall, scene.ground, scene.source(), {}, 100, {});
  ASSERT_GE(plates.triangles.size(), 8u);
  ASSERT_LE(plates.triangles.size(), 60u);
  for (const auto& p : plates.positions) {
    EXPECT_NEAR(p[0], 8, 0.05);
    EXPECT_LT(std::abs(p[1]), 0.1f);
  }
  // A wall that moved away gets none.
  scene.points.resize(on_wall);
  EXPECT_TRUE(
      platesForUnmet(scene.wall, scene.ground, scene.source(), {}, 100, {}).triangles.empty());
}

}  // namespace
}  // namespace gs

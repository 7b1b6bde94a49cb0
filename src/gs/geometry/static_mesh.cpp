// SPDX-License-Identifier: Apache-2.0
#include "gs/geometry/static_mesh.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gs/core/error.hpp"
#include "gs/core/parallel.hpp"
#include "gs/geometry/extract_surface.hpp"
#include "gs/geometry/oriented_points.hpp"
#include "gs/geometry/poisson_field.hpp"
#include "gs/geometry/simplify_mesh.hpp"

namespace gs {
namespace {

void checkOptions(const MeshOptions& options) {
  const auto require = [](bool holds, const char* name, const char* rule) {
    if (!holds)
      throw Error({.code = ErrorCode::ConfigInvalid,
                   .component = "geometry_builder",
                   .message = std::string("static_mesh.") + name + " must be " + rule,
                   .details = {{"option", name}}});
  };
  require(options.voxel_size >= 0.005 && options.voxel_size <= 10, "voxel_size", "0.005 to 10 m");
  require(options.adaptivity >= 0 && options.adaptivity <= 1, "adaptivity", "0 to 1");
}

void checkSize(size_t bricks, const MeshOptions& options) {
  if (bricks * kBrickVoxels <= options.max_voxels) return;
  throw Error({.code = ErrorCode::ConfigInvalid,
               .component = "geometry_builder",
               .message = "the mesh would need " + std::to_string(bricks * kBrickVoxels) +
                          " samples, more than " + std::to_string(options.max_voxels),
               .details = {{"samples", bricks * kBrickVoxels},
                           {"max_samples", options.max_voxels},
                           {"voxel_size", options.voxel_size}},
               .suggestion = "Choose a larger static_mesh.voxel_size."});
}

Vec3f vertex(const TriangleMesh& mesh, uint32_t v) {
  return {mesh.positions[v][0], mesh.positions[v][1], mesh.positions[v][2]};
}

// Mean of the triangles around a vertex, by area.
void addNormals(TriangleMesh& mesh) {
  std::vector<Vec3f> sums(mesh.positions.size(), Vec3f::Zero());
  for (const auto& t : mesh.triangles) {
    const Vec3f a = vertex(mesh, t[0]);
    const Vec3f normal = (vertex(mesh, t[1]) - a).cross(vertex(mesh, t[2]) - a);
    for (const uint32_t v : t) sums[v] += normal;
  }
  mesh.normals.resize(sums.size());
  for (size_t v = 0; v < sums.size(); ++v) {
    const float length = sums[v].norm();
    const Vec3f unit = length > 1e-20f ? Vec3f(sums[v] / length) : Vec3f::UnitZ();
    mesh.normals[v] = {unit.x(), unit.y(), unit.z()};
  }
}

// Alpha of a mesh carries the LiDAR's reflectivity; 255, as opaque meshes of other tools have it,
// means that it is not known.
uint8_t alphaOf(float reflectivity) {
  return static_cast<uint8_t>(std::lround(std::clamp(reflectivity, 0.0f, 254.0f)));
}

// The points of a cloud in cubes of one size, each a list.
class PointsByPlace {
 public:
  PointsByPlace(const MapCloud& cloud, double size)
      : cloud_(cloud), size_(size), next_(cloud.size(), KeyIndex::kNone) {
    for (uint32_t i = 0; i < cloud.size(); ++i) {
      const uint32_t bucket =
          index_.findOrAdd(keyOf(voxelAt(cloud.positions[i].cast<double>(), 1 / size)));
      if (bucket == first_.size()) first_.push_back(KeyIndex::kNone);
      next_[i] = first_[bucket];
      first_[bucket] = i;
    }
  }
  // Of the points in this cube and those around it; kNone when there is none.
  uint32_t nearestTo(const Vec3f& p) const {
    const VoxelCoord at = voxelAt(p.cast<double>(), 1 / size_);
    uint32_t best = KeyIndex::kNone;
    float nearest = 1e30f;
    for (int k = 0; k < 27; ++k) {
      const uint32_t bucket =
          index_.find(keyOf({at.x + k % 3 - 1, at.y + k / 3 % 3 - 1, at.z + k / 9 - 1}));
      if (bucket == KeyIndex::kNone) continue;
      for (uint32_t i = first_[bucket]; i != KeyIndex::kNone; i = next_[i]) {
        const float distance = (cloud_.positions[i] - p).squaredNorm();
        if (distance >= nearest) continue;
        nearest = distance;
        best = i;
      }
    }
    return best;
  }

 private:
  static uint64_t keyOf(VoxelCoord v) {
    const auto part = [](int32_t c) { return static_cast<uint64_t>(c + (1 << 20)) & 0x1fffff; };
    return part(v.x) | part(v.y) << 21 | part(v.z) << 42;
  }
  const MapCloud& cloud_;
  const double size_;
  KeyIndex index_;
  std::vector<uint32_t> first_, next_;
};

std::vector<std::vector<uint64_t>> inRuns(const std::vector<uint64_t>& bricks) {
  constexpr size_t kBricksPerRun = 4096;
  std::vector<std::vector<uint64_t>> runs;
  for (size_t first = 0; first < bricks.size(); first += kBricksPerRun)
    runs.emplace_back(
        bricks.begin() + static_cast<ptrdiff_t>(first),
        bricks.begin() + static_cast<ptrdiff_t>(std::min(bricks.size(), first + kBricksPerRun)));
  return runs;
}

TriangleMesh finished(TriangleMesh mesh, const MapCloud& cloud, const MeshOptions& options) {
  dropSmallComponents(mesh, options.min_component_triangles);
  dropUnused(mesh);
  addNormals(mesh);
  for (auto& p : mesh.positions)
    for (int a = 0; a < 3; ++a) p[a] = static_cast<float>(p[a] + cloud.origin[a]);
  addColors(mesh, cloud);
  return mesh;
}

}  // namespace

void dropSmallComponents(TriangleMesh& mesh, size_t min_triangles) {
  std::vector<uint32_t> root(mesh.positions.size());
  std::iota(root.begin(), root.end(), 0u);
  const auto find = [&](uint32_t v) {
    while (root[v] != v) v = root[v] = root[root[v]];
    return v;
  };
  for (const auto& t : mesh.triangles)
    for (const int k : {1, 2}) {
      const uint32_t a = find(t[0]), b = find(t[k]);
      root[std::max(a, b)] = std::min(a, b);
    }
  std::vector<uint32_t> count(mesh.positions.size(), 0);
  for (const auto& t : mesh.triangles) ++count[find(t[0])];
  std::erase_if(mesh.triangles, [&](const auto& t) { return count[find(t[0])] < min_triangles; });
}

void addColors(TriangleMesh& mesh, const MapCloud& cloud) {
  if (cloud.colors.empty()) return;
  // Sparse surfaces reach farther from their points.
  const double size = std::max(cloud.voxel_size, 0.02);
  const PointsByPlace near(cloud, size), far(cloud, 8 * size);
  mesh.colors.resize(mesh.positions.size());
  parallelFor(mesh.positions.size(), 4096, [&](size_t begin, size_t end) {
    for (size_t v = begin; v < end; ++v) {
      const auto& at = mesh.positions[v];
      const Vec3f p = (Vec3(at[0], at[1], at[2]) - cloud.origin).cast<float>();
      uint32_t i = near.nearestTo(p);
      if (i == KeyIndex::kNone) i = far.nearestTo(p);
      mesh.colors[v] =
          i == KeyIndex::kNone
              ? std::array<uint8_t, 4>{128, 128, 128, 255}
              : std::array<uint8_t, 4>{cloud.colors[i][0], cloud.colors[i][1], cloud.colors[i][2],
                                       alphaOf(cloud.reflectivity[i])};
    }
  });
}

TriangleMesh buildTsdfMesh(const MapCloud& cloud, const MeshOptions& options) {
  checkOptions(options);
  constexpr float kReach = 1.5f;       // spacings
  constexpr float kMinWeight = 0.05f;  // less is the rim of a point's reach
  constexpr float kDepth = 2.5f;       // voxels: deeper, and both sides of a fence cancel out
  const OrientedPoints points(cloud, options.voxel_size, kReach, kDepth);
  checkSize(points.bricks().size(), options);
  const std::vector<std::vector<uint64_t>> runs = inRuns(points.bricks());
  const auto fill = [&](size_t run, std::span<FieldBrick> out) {
    parallelFor(out.size(), 16, [&](size_t begin, size_t end) {
      OrientedPoints::Samples samples;
      for (size_t b = begin; b < end; ++b) {
        points.sample(runs[run][b], samples);
        out[b].known = {};
        for (uint32_t v = 0; v < kBrickVoxels; ++v) {
          out[b].distance[v] = samples.distance[v];
          if (samples.weight[v] > kMinWeight) out[b].known[v >> 6] |= uint64_t{1} << (v & 63);
        }
      }
    });
  };
  return finished(extractSurface(runs, points.voxelSize(), options.adaptivity, fill), cloud,
                  options);
}

TriangleMesh buildPoissonMesh(const MapCloud& cloud, const MeshOptions& options) {
  checkOptions(options);
  constexpr float kReach = 2.5f;  // spacings: wider, to close gaps
  constexpr float kDepth = 3;     // voxels: the band that is solved for
  const OrientedPoints points(cloud, options.voxel_size, kReach, kDepth);
  checkSize(points.bricks().size(), options);
  const std::vector<PoissonCube> cubes = divideIntoCubes(points.bricks());
  std::vector<std::vector<uint64_t>> runs;
  for (const PoissonCube& cube : cubes) runs.push_back(cube.bricks);
  const auto fill = [&](size_t run, std::span<FieldBrick> out) {
    solvePoissonField(points, cubes[run], out);
  };
  return finished(extractSurface(runs, points.voxelSize(), options.adaptivity, fill), cloud,
                  options);
}

}  // namespace gs

// SPDX-License-Identifier: Apache-2.0
#include "gs/geometry/world_mesh.hpp"

#include <cmath>

#include "gs/geometry/ray_evidence.hpp"
#include "gs/geometry/simplify_mesh.hpp"
#include "gs/geometry/surface_levels.hpp"

namespace gs {
namespace {

constexpr double kSameAsGround = 0.08;  // m; the ground map has it already
constexpr double kEye = 1.5;            // m above base_link: about where a LiDAR looks from
constexpr size_t kMinComponent = 40;    // triangles; crumbs become plates where rays meet them
constexpr double kCoarser = 1.5;        // from one tolerance to the next
constexpr double kCoarsest = 0.2;       // m; beyond it a mesh is too large rather than too coarse

void append(TriangleMesh& to, const TriangleMesh& from) {
  const auto first = static_cast<uint32_t>(to.positions.size());
  to.positions.insert(to.positions.end(), from.positions.begin(), from.positions.end());
  for (const auto& t : from.triangles)
    to.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
}

size_t dropGround(TriangleMesh& mesh, const Heightmap& ground) {
  std::vector<uint8_t> is_ground(mesh.positions.size());
  for (size_t v = 0; v < mesh.positions.size(); ++v) {
    const auto& p = mesh.positions[v];
    is_ground[v] = p[2] - heightAt(ground, p[0], p[1]) < kSameAsGround;  // NaN: not known
  }
  return std::erase_if(mesh.triangles, [&](const auto& t) {
    return is_ground[t[0]] && is_ground[t[1]] && is_ground[t[2]];
  });
}

}  // namespace

TriangleMesh buildWorldMesh(const MapCloud& cloud, const Heightmap& ground, const ScanSource& scans,
                            const MovingRegions& moving, const std::vector<Rigid3>& path,
                            const SweptWay& own_way, const WorldMeshOptions& options,
                            WorldMeshCounts* counts) {
  const auto progress = [&](double fraction) {
    if (options.progress) options.progress(fraction);
  };
  std::vector<Vec3> viewpoints;
  for (const Rigid3& pose : path) viewpoints.push_back(pose * Vec3(0, 0, kEye));
  WorldMeshCounts count;
  TriangleMesh mesh;
  double voxel = options.voxel_size;
  for (const MapCloud& level : splitIntoLevels(cloud, viewpoints, options.levels)) {
    append(mesh, options.build(level, {.voxel_size = voxel,
                                       .adaptivity = 0,
                                       .min_component_triangles = kMinComponent}));
    voxel *= 2;
  }
  progress(0.4);
  count.extracted = mesh.triangles.size();
  count.in_own_way = carve(mesh, own_way);
  count.ground = dropGround(mesh, ground);
  count.seen_through = removeSeenThrough(mesh, ground, scans, 0, 2 * options.voxel_size, {});
  dropSmallComponents(mesh, kMinComponent / 4);
  dropUnused(mesh);
  progress(0.6);
  for (double tolerance = options.tolerance; tolerance > 0; tolerance *= kCoarser) {
    simplifyMesh(mesh, tolerance);
    count.tolerance = tolerance;
    if (mesh.triangles.size() <= options.max_triangles || kCoarser * tolerance > kCoarsest) break;
  }
  count.simplified = mesh.triangles.size();
  progress(0.8);
  TriangleMesh plates = platesForUnmet(mesh, ground, scans, moving, options.max_plates, {});
  carve(plates, own_way);
  append(mesh, plates);
  removeSeenThrough(mesh, ground, scans, count.simplified, options.voxel_size, {});
  count.plates = (mesh.triangles.size() - count.simplified) / 2;
  dropUnused(mesh);
  addColors(mesh, cloud);
  progress(1);
  if (counts) *counts = count;
  return mesh;
}

}  // namespace gs

// SPDX-License-Identifier: Apache-2.0
#include "gs/geometry/ray_evidence.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>

#include <Eigen/Eigenvalues>

#include "gs/core/parallel.hpp"
#include "gs/geometry/map_raycaster.hpp"
#include "gs/geometry/voxel_bricks.hpp"

namespace gs {
namespace {

constexpr int kRounds = 3;        // what stands in front hides what stands behind
constexpr double kBlocked = 1.0;  // rays that may pass for each that ends: some err themselves

// A return and what its ray meets in the mesh.
struct Meeting {
  Vec3f from, way;  // of the ray, from the raycaster's origin
  float recorded = 0, met = 0;
  HitSurface surface = HitSurface::Nothing;
  uint32_t triangle = 0, point = 0;  // numbers in the mesh and in the scan
};

// Casts an even choice of the rays, somewhat farther than their returns, scan by scan.
// `visit(number of scan, scan, meetings)` is called by several threads at once.
template <typename Visit>
void castRecorded(const MapRaycaster& caster, const ScanSource& scans,
                  const RayEvidenceOptions& options, const Visit& visit) {
  parallelFor(scans.count, 1, [&](size_t begin, size_t end) {
    std::vector<Meeting> meetings;
    for (size_t k = begin; k < end; ++k) {
      const PosedScan scan = scans.load(k);
      const size_t step = std::max<size_t>(1, scan.points.size() / options.rays_per_scan);
      const Vec3f from = caster.toLocal(scan.map_from_base * scan.sensor_in_base);
      meetings.clear();
      for (size_t i = k % step; i < scan.points.size(); i += step) {
        const ScanPoint& p = scan.points[i];
        const Vec3f ray = caster.toLocal(scan.map_from_base * Vec3(p.x, p.y, p.z)) - from;
        const float range = ray.norm();
        if (!(range >= options.min_range && range <= options.max_range)) continue;
        meetings.push_back({.from = from,
                            .way = ray / range,
                            .recorded = range,
                            .point = static_cast<uint32_t>(i)});
      }
      for (size_t first = 0; first < meetings.size(); first += RayOctet::kLanes) {
        RayOctet rays{};
        const size_t lanes = std::min<size_t>(RayOctet::kLanes, meetings.size() - first);
        for (size_t lane = 0; lane < lanes; ++lane) {
          const Meeting& m = meetings[first + lane];
          rays.set(static_cast<int>(lane), m.from, m.way,
                   m.recorded + static_cast<float>(options.tolerance));
        }
        caster.cast(rays);
        for (size_t lane = 0; lane < lanes; ++lane) {
          Meeting& m = meetings[first + lane];
          m.surface = rays.surface[lane];
          m.met = rays.range[lane];
          m.triangle = rays.triangle[lane];
        }
      }
      visit(k, scan, meetings);
    }
  });
}

Vec3 middleOf(const TriangleMesh& mesh, size_t triangle) {
  Vec3 sum = Vec3::Zero();
  for (const uint32_t v : mesh.triangles[triangle])
    sum += Vec3(mesh.positions[v][0], mesh.positions[v][1], mesh.positions[v][2]);
  return sum / 3;
}

uint64_t cellKey(VoxelCoord v) {
  const auto part = [](int32_t c) { return static_cast<uint64_t>(c + (1 << 20)) & 0x1fffff; };
  return part(v.x) | part(v.y) << 21 | part(v.z) << 42;
}

struct Votes {
  uint32_t through = 0, ended = 0;
};

std::vector<Votes> vote(const TriangleMesh& mesh, const Heightmap& ground, const ScanSource& scans,
                        size_t first, const RayEvidenceOptions& options) {
  const MapRaycaster caster(&ground, &mesh);
  std::vector<Votes> votes(mesh.triangles.size());
  castRecorded(
      caster, scans, options, [&](size_t, const PosedScan&, const std::vector<Meeting>& meetings) {
        for (const Meeting& m : meetings) {
          if (m.surface != HitSurface::Mesh || m.triangle < first) continue;
          const bool is_end = m.met >= m.recorded - static_cast<float>(options.tolerance);
          Votes& of = votes[m.triangle];
          // Sums of ones: the same in any order.
          std::atomic_ref(is_end ? of.ended : of.through).fetch_add(1, std::memory_order_relaxed);
        }
      });
  return votes;
}

size_t removeOnce(TriangleMesh& mesh, const Heightmap& ground, const ScanSource& scans,
                  size_t first, double cell, const RayEvidenceOptions& options) {
  const std::vector<Votes> votes = vote(mesh, ground, scans, first, options);
  KeyIndex index;
  std::vector<Votes> cells;
  std::vector<uint32_t> cell_of(mesh.triangles.size());
  for (size_t t = first; t < mesh.triangles.size(); ++t) {
    cell_of[t] = index.findOrAdd(cellKey(voxelAt(middleOf(mesh, t), 1 / cell)));
    if (cell_of[t] == cells.size()) cells.emplace_back();
    cells[cell_of[t]].through += votes[t].through;
    cells[cell_of[t]].ended += votes[t].ended;
  }
  size_t kept = first;
  for (size_t t = first; t < mesh.triangles.size(); ++t) {
    const Votes& of = cells[cell_of[t]];
    if (static_cast<double>(of.through) <= kBlocked * static_cast<double>(of.ended))
      mesh.triangles[kept++] = mesh.triangles[t];
  }
  const size_t removed = mesh.triangles.size() - kept;
  mesh.triangles.resize(kept);
  return removed;
}

// Returns of one place that meet nothing.
struct Unmet {
  double count = 0;
  Vec3 sum = Vec3::Zero(), way = Vec3::Zero();
  Mat3 square = Mat3::Zero();
  double range = 0;

  void add(const Vec3& p, const Vec3& toward, double distance) {
    count += 1;
    sum += p;
    way += toward;
    square += p * p.transpose();
    range += distance;
  }
};

constexpr double kPlace = 0.25;               // m; returns of one place share a plate
constexpr double kMinReturns = 2;             // fewer is dust
constexpr double kBeamStep = 0.003;           // rad: at least as wide as the gap to the next ray
constexpr double kLeast = 0.02, kMost = 0.2;  // m, half sizes of a plate

void addPlate(TriangleMesh& mesh, const Unmet& place, const Vec3& corner) {
  const Vec3 mean = place.sum / place.count;
  const Vec3 way = place.way.normalized();
  const Eigen::SelfAdjointEigenSolver<Mat3> solver(place.square / place.count -
                                                   mean * mean.transpose());
  // The long axis, turned to face the sensor, and the one across it.
  Vec3 along = solver.eigenvectors().col(2);
  along -= along.dot(way) * way;
  if (!(along.norm() > 0.3)) along = Vec3::UnitZ() - way.z() * way;
  if (!(along.norm() > 1e-3)) along = Vec3::UnitX();
  along.normalize();
  const Vec3 across = way.cross(along);
  const Mat3 spread = place.square / place.count - mean * mean.transpose();
  const double least = std::max(kLeast, kBeamStep * place.range / place.count / 2);
  const auto half = [&](const Vec3& axis) {  // of an even spread
    return std::clamp(std::sqrt(3 * std::max(0.0, axis.dot(spread * axis))), least,
                      std::max(least, kMost));
  };
  const Vec3 a = half(along) * along, b = half(across) * across, centre = corner + mean;
  const auto first = static_cast<uint32_t>(mesh.positions.size());
  for (const Vec3& p :
       {Vec3(centre - a - b), Vec3(centre + a - b), Vec3(centre + a + b), Vec3(centre - a + b)})
    mesh.positions.push_back(
        {static_cast<float>(p.x()), static_cast<float>(p.y()), static_cast<float>(p.z())});
  mesh.triangles.push_back({first, first + 1, first + 2});
  mesh.triangles.push_back({first, first + 2, first + 3});
}

}  // namespace

size_t removeSeenThrough(TriangleMesh& mesh, const Heightmap& ground, const ScanSource& scans,
                         size_t first, double cell, const RayEvidenceOptions& options) {
  size_t removed = 0;
  for (int round = 0; round < kRounds; ++round)
    removed += removeOnce(mesh, ground, scans, first, cell, options);
  return removed;
}

TriangleMesh platesForUnmet(const TriangleMesh& mesh, const Heightmap& ground,
                            const ScanSource& scans, const MovingRegions& moving, size_t max_plates,
                            const RayEvidenceOptions& options) {
  const MapRaycaster caster(&ground, &mesh);
  struct Return {
    Vec3f p, way;
    float range;
  };
  std::vector<std::vector<Return>> of_scan(scans.count);
  castRecorded(caster, scans, options,
               [&](size_t k, const PosedScan& scan, const std::vector<Meeting>& meetings) {
                 std::vector<bool> is_moving(scan.points.size());
                 for (const uint32_t i : moving.findIn(scan)) is_moving[i] = true;
                 for (const Meeting& m : meetings)
                   if (m.surface == HitSurface::Nothing && !is_moving[m.point])
                     of_scan[k].push_back({m.from + m.recorded * m.way, m.way, m.recorded});
               });
  KeyIndex index;
  std::vector<Unmet> places;
  std::vector<Vec3> corners;
  for (const std::vector<Return>& list : of_scan)
    for (const Return& r : list) {
      const Vec3 p = r.p.cast<double>();
      const VoxelCoord v = voxelAt(p, 1 / kPlace);
      const uint32_t number = index.findOrAdd(cellKey(v));
      if (number == places.size()) {
        places.emplace_back();
        corners.push_back(kPlace * Vec3(v.x, v.y, v.z));
      }
      places[number].add(p - corners[number], r.way.cast<double>(), static_cast<double>(r.range));
    }
  std::vector<uint32_t> order;
  for (uint32_t i = 0; i < places.size(); ++i)
    if (places[i].count >= kMinReturns) order.push_back(i);
  std::stable_sort(order.begin(), order.end(),
                   [&](uint32_t a, uint32_t b) { return places[a].count > places[b].count; });
  order.resize(std::min(order.size(), max_plates));
  TriangleMesh plates;
  for (const uint32_t i : order) addPlate(plates, places[i], caster.origin() + corners[i]);
  return plates;
}

}  // namespace gs

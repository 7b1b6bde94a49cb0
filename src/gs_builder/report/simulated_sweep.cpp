// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/report/simulated_sweep.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include <Eigen/QR>

#include "gs/core/check.hpp"

namespace gs_builder {
namespace {

constexpr double kEdge = 1.3;      // ratio of neighbouring ranges that is no plane any more
constexpr size_t kNeighbours = 6;  // of a direction in a list: twice what a plane needs

bool isOneSurface(float a, float b, double ratio) {
  return a > 0 && b > 0 && std::max(a, b) <= ratio * std::min(a, b);
}

std::array<int64_t, 3> cellOf(const gs::Vec3& direction, double cell) {
  const auto along = [&](int axis) {
    return static_cast<int64_t>(std::floor(direction[axis] / cell));
  };
  return {along(0), along(1), along(2)};
}

uint64_t keyOf(int64_t x, int64_t y, int64_t z) {
  constexpr int64_t kOffset = 1 << 20;  // cells are no smaller than a millionth
  return static_cast<uint64_t>(x + kOffset) << 42 | static_cast<uint64_t>(y + kOffset) << 21 |
         static_cast<uint64_t>(z + kOffset);
}

// How far rays are usually apart: half of them have a neighbour within this.
double usualGap(const std::vector<gs::Vec3>& directions) {
  constexpr double kCoarse = 0.02;  // rad
  std::unordered_map<uint64_t, size_t> counts;
  for (const gs::Vec3& direction : directions) {
    const auto [x, y, z] = cellOf(direction, kCoarse);
    ++counts[keyOf(x, y, z)];
  }
  std::vector<size_t> crowds;
  for (const gs::Vec3& direction : directions) {
    const auto [x, y, z] = cellOf(direction, kCoarse);
    crowds.push_back(counts[keyOf(x, y, z)]);
  }
  const auto middle = crowds.begin() + static_cast<std::ptrdiff_t>(crowds.size() / 2);
  std::nth_element(crowds.begin(), middle, crowds.end());
  return kCoarse / std::sqrt(static_cast<double>(*middle));
}

}  // namespace

gs::Vec3 SweepGrid::direction(size_t column, size_t ring) const {
  const double azimuth =
      std::numbers::pi * (1 - 2 * static_cast<double>(column) / static_cast<double>(columns));
  const double flat = std::cos(elevations[ring]);
  return {flat * std::cos(azimuth), flat * std::sin(azimuth), std::sin(elevations[ring])};
}

std::optional<GridPlace> findPlace(const SweepGrid& grid, const gs::Vec3& direction) {
  const double flat = std::hypot(direction.x(), direction.y());
  if (!(flat > 0) || !std::isfinite(flat) || grid.columns == 0 || grid.rings() == 0) return {};
  const double elevation = std::atan2(direction.z(), flat);
  const auto& rings = grid.elevations;
  // Half a step beyond the outermost rings still belongs to them.
  const double slack = rings.size() < 2 ? 0.01
                                        : (rings.back() - rings.front()) /
                                              static_cast<double>(2 * (rings.size() - 1));
  if (!(elevation > rings.front() - slack && elevation < rings.back() + slack)) return {};
  GridPlace place;
  const auto above = std::lower_bound(rings.begin(), rings.end(), elevation);
  place.above = std::min(static_cast<size_t>(above - rings.begin()), rings.size() - 1);
  place.below = place.above == 0 || elevation >= rings.back() ? place.above : place.above - 1;
  const double span = rings[place.above] - rings[place.below];
  if (span > 0) place.ring_part = std::clamp((elevation - rings[place.below]) / span, 0.0, 1.0);
  place.ring = place.ring_part > 0.5 ? place.above : place.below;

  const double turn = (1 - std::atan2(direction.y(), direction.x()) / std::numbers::pi) / 2;
  const double column = turn * static_cast<double>(grid.columns);
  place.left = static_cast<size_t>(column) % grid.columns;
  place.right = (place.left + 1) % grid.columns;
  place.column_part = column - std::floor(column);
  place.column = place.column_part > 0.5 ? place.right : place.left;
  return place;
}

double rangeToward(const SweepGrid& grid, const GridPlace& place) {
  const std::array<float, 4> around = {
      grid.at(place.left, place.below), grid.at(place.right, place.below),
      grid.at(place.left, place.above), grid.at(place.right, place.above)};
  const double u = place.column_part, v = place.ring_part;
  // Rings meet the ground far apart, so above and below may differ more than left and right.
  if (!isOneSurface(around[0], around[1], kEdge) || !isOneSurface(around[2], around[3], kEdge) ||
      !isOneSurface(around[0], around[2], kEdge * kEdge) ||
      !isOneSurface(around[1], around[3], kEdge * kEdge))
    return grid.at(place.column, place.ring);
  return 1 / ((1 - v) * ((1 - u) / around[0] + u / around[1]) +
              v * ((1 - u) / around[2] + u / around[3]));
}

std::vector<size_t> raysAround(const SweepGrid& grid, const GridPlace& place) {
  std::vector<size_t> rays;
  for (const size_t column : {place.column + grid.columns - 1, place.column, place.column + 1})
    for (size_t ring = place.below; ring <= place.above; ++ring)
      rays.push_back(column % grid.columns * grid.rings() + ring);
  return rays;
}

SweepList::SweepList(std::vector<gs::Vec3> directions, std::vector<float> ranges_of_rays)
    : ranges(std::move(ranges_of_rays)), directions_(std::move(directions)) {
  GS_CHECK(ranges.size() == directions_.size());
  if (directions_.empty()) return;
  cell_ = std::max(1e-4, 2 * usualGap(directions_));
  for (uint32_t i = 0; i < directions_.size(); ++i) {
    const auto [x, y, z] = cellOf(directions_[i], cell_);
    cells_[keyOf(x, y, z)].push_back(i);
  }
}

std::vector<uint32_t> SweepList::nearest(const gs::Vec3& direction, size_t count) const {
  std::vector<std::pair<double, uint32_t>> found;
  if (directions_.empty()) return {};
  const auto [x, y, z] = cellOf(direction, cell_);
  for (int64_t k = 0; k < 27; ++k) {
    const auto cell = cells_.find(keyOf(x + k % 3 - 1, y + k / 3 % 3 - 1, z + k / 9 - 1));
    if (cell == cells_.end()) continue;
    for (const uint32_t ray : cell->second) {
      const double gap2 = (directions_[ray] - direction).squaredNorm();
      if (gap2 <= cell_ * cell_) found.emplace_back(gap2, ray);
    }
  }
  count = std::min(count, found.size());
  std::partial_sort(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(count), found.end());
  std::vector<uint32_t> rays;
  for (size_t i = 0; i < count; ++i) rays.push_back(found[i].second);
  return rays;
}

std::optional<ListPlace> findPlace(const SweepList& list, const gs::Vec3& direction) {
  const double length = direction.norm();
  if (!(length > 0) || !std::isfinite(length)) return {};
  ListPlace place{.direction = direction / length};
  place.rays = list.nearest(place.direction, kNeighbours);
  if (place.rays.empty()) return {};
  return place;
}

// Of a plane, 1/range is linear in the direction: it is fitted to the rays around.
double rangeToward(const SweepList& list, const ListPlace& place) {
  const float nearest = list.ranges[place.rays.front()];
  float least = nearest, most = nearest;
  for (const uint32_t ray : place.rays) {
    least = std::min(least, list.ranges[ray]);
    most = std::max(most, list.ranges[ray]);
  }
  const auto count = static_cast<Eigen::Index>(place.rays.size());
  if (count < 3 || !isOneSurface(least, most, kEdge * kEdge)) return nearest;
  const gs::Vec3 across = place.direction.unitOrthogonal(), up = place.direction.cross(across);
  Eigen::MatrixX2d offsets(count, 2);
  Eigen::VectorXd inverse(count);
  for (Eigen::Index i = 0; i < count; ++i) {
    const uint32_t ray = place.rays[static_cast<size_t>(i)];
    const double ahead = list.direction(ray).dot(place.direction);
    offsets.row(i) << across.dot(list.direction(ray)) / ahead, up.dot(list.direction(ray)) / ahead;
    inverse[i] = 1 / (ahead * static_cast<double>(list.ranges[ray]));
  }
  // Rays in one line say nothing of what is beside it: the least slope is none there.
  const Eigen::RowVector2d middle = offsets.colwise().mean();
  const double usual = inverse.mean();
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixX2d> fit;
  fit.setThreshold(0.05);
  fit.compute(offsets.rowwise() - middle);
  const double there = usual - middle.dot(fit.solve((inverse.array() - usual).matrix()));
  // Beyond the rays around, a plane is a guess.
  if (!(there * most >= 1 / kEdge && there * least <= kEdge)) return nearest;
  return 1 / there;
}

std::vector<size_t> raysAround(const SweepList&, const ListPlace& place) {
  return {place.rays.begin(), place.rays.end()};
}

SimulatedSweep simulateSweep(const gs::LidarModel& lidar, const gs::LidarWorld& world,
                             const gs::Rigid3& map_from_base) {
  const gs::LidarPattern& pattern = lidar.pattern();
  const auto returns =
      lidar.returns(world, gs::SweepPoses(map_from_base * lidar.baseFromLidar()), {}, 0);
  std::vector<float> ranges;  // from the origin of the frame, as recorded ones are
  for (size_t i = 0; i < returns.size(); ++i) {
    const double range = returns[i].range;
    ranges.push_back(range > 0 ? static_cast<float>(gs::pointAt(pattern.rays[i], range).norm())
                               : 0.0f);
  }
  if (pattern.grid) return SweepGrid{pattern.grid->elevations, pattern.grid->columns, ranges};
  std::vector<gs::Vec3> directions;
  for (const gs::LidarRay& ray : pattern.rays) directions.push_back(ray.direction);
  return SweepList(std::move(directions), std::move(ranges));
}

std::vector<gs::Vec3> pointsOf(const SimulatedSweep& sweep) {
  std::vector<gs::Vec3> points;
  std::visit(
      [&](const auto& rays) {
        for (size_t i = 0; i < rays.ranges.size(); ++i)
          if (rays.ranges[i] > 0) points.push_back(rays.ranges[i] * rays.direction(i));
      },
      sweep);
  return points;
}

}  // namespace gs_builder

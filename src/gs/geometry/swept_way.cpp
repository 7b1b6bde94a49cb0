// SPDX-License-Identifier: Apache-2.0
#include "gs/geometry/swept_way.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "gs/core/parallel.hpp"

namespace gs {
namespace {

constexpr double kCell = 2.0;  // m
constexpr double kSideRoom = 0.2, kTopRoom = 0.2, kBottomRoom = 0.1;
constexpr double kFarthest = 1e8;  // m; beyond it cells have no number

uint64_t cellKey(int64_t col, int64_t row) {
  return static_cast<uint64_t>(col) << 32 | (static_cast<uint64_t>(row) & 0xffffffff);
}
int64_t cellOf(double metres) { return static_cast<int64_t>(std::floor(metres / kCell)); }

template <typename T>
void keep(std::vector<T>& column, const std::vector<uint8_t>& is_dropped) {
  if (column.empty()) return;
  size_t kept = 0;
  for (size_t i = 0; i < column.size(); ++i)
    if (is_dropped[i] == 0) column[kept++] = column[i];
  column.resize(kept);
}

// 1 for each of `count` things that `isDropped` names.
template <typename Predicate>
std::vector<uint8_t> marked(size_t count, const Predicate& isDropped) {
  std::vector<uint8_t> marks(count, 0);
  parallelFor(count, 4096, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) marks[i] = isDropped(i) ? 1 : 0;
  });
  return marks;
}

size_t countOf(const std::vector<uint8_t>& marks) {
  return static_cast<size_t>(std::count(marks.begin(), marks.end(), 1));
}

}  // namespace

BodyBox roomAround(const BodyBox& body, double least_top) {
  BodyBox room = body;
  room.low -= Vec3(kSideRoom, kSideRoom, kBottomRoom);
  room.high += Vec3(kSideRoom, kSideRoom, kTopRoom);
  room.high.z() = std::max(room.high.z(), least_top);
  return room;
}

SweptWay::SweptWay(const std::vector<Rigid3>& map_from_footing, const BodyBox& box) : box_(box) {
  const double reach =
      std::max(box.low.cwiseAbs().maxCoeff(), box.high.cwiseAbs().maxCoeff()) * std::numbers::sqrt3;
  for (const Rigid3& pose : map_from_footing) {
    if (!pose.rotation.coeffs().allFinite() ||
        !(pose.translation.cwiseAbs().maxCoeff() < kFarthest))
      continue;
    const Rigid3 body_from_map = pose.inverse();
    const auto number = static_cast<uint32_t>(stands_.size());
    stands_.push_back({body_from_map.rotation.toRotationMatrix(), body_from_map.translation});
    const Vec3& p = pose.translation;
    for (int64_t row = cellOf(p.y() - reach); row <= cellOf(p.y() + reach); ++row)
      for (int64_t col = cellOf(p.x() - reach); col <= cellOf(p.x() + reach); ++col)
        stands_in_cell_[cellKey(col, row)].push_back(number);
  }
}

bool SweptWay::contains(const Vec3& p_in_map) const {
  if (!(p_in_map.cwiseAbs().maxCoeff() < kFarthest)) return false;  // NaN, too
  const auto cell = stands_in_cell_.find(cellKey(cellOf(p_in_map.x()), cellOf(p_in_map.y())));
  if (cell == stands_in_cell_.end()) return false;
  return std::any_of(cell->second.begin(), cell->second.end(), [&](uint32_t number) {
    const Stand& stand = stands_[number];
    const Vec3 p = stand.body_from_map * p_in_map + stand.shift;
    return (p.array() > box_.low.array()).all() && (p.array() < box_.high.array()).all();
  });
}

size_t carve(MapCloud& cloud, const SweptWay& way) {
  const std::vector<uint8_t> is_dropped =
      marked(cloud.size(), [&](size_t i) { return way.contains(cloud.positionInMap(i)); });
  keep(cloud.normals, is_dropped);
  keep(cloud.spacing, is_dropped);
  keep(cloud.reflectivity, is_dropped);
  keep(cloud.hits, is_dropped);
  keep(cloud.nearest_range, is_dropped);
  keep(cloud.colors, is_dropped);
  keep(cloud.is_colored, is_dropped);
  keep(cloud.positions, is_dropped);
  return countOf(is_dropped);
}

size_t carve(TriangleMesh& mesh, const SweptWay& way) {
  const auto at = [&](uint32_t v) {
    const auto& p = mesh.positions[v];
    return Vec3(p[0], p[1], p[2]);
  };
  const std::vector<uint8_t> is_inside = marked(
      mesh.positions.size(), [&](size_t v) { return way.contains(at(static_cast<uint32_t>(v))); });
  const std::vector<uint8_t> is_dropped = marked(mesh.triangles.size(), [&](size_t i) {
    const auto& t = mesh.triangles[i];
    return is_inside[t[0]] || is_inside[t[1]] || is_inside[t[2]] ||
           way.contains((at(t[0]) + at(t[1]) + at(t[2])) / 3);
  });
  keep(mesh.triangles, is_dropped);
  return countOf(is_dropped);
}

size_t carve(GaussianCloud& cloud, const SweptWay& way) {
  constexpr double kCore = 1.5;  // standard deviations; beyond it a splat is a faint rim
  const std::vector<uint8_t> is_dropped = marked(cloud.size(), [&](size_t i) {
    const Vec3 centre(cloud.position[0][i], cloud.position[1][i], cloud.position[2][i]);
    if (way.contains(centre)) return true;
    const Quat rotation(cloud.rotation[3][i], cloud.rotation[0][i], cloud.rotation[1][i],
                        cloud.rotation[2][i]);
    for (int axis = 0; axis < 3; ++axis) {
      const Vec3 arm = kCore * std::exp(static_cast<double>(cloud.log_scale[axis][i])) *
                       (rotation * Vec3::Unit(axis));
      if (way.contains(centre + arm) || way.contains(centre - arm)) return true;
    }
    return false;
  });
  std::vector<size_t> kept;
  for (size_t i = 0; i < is_dropped.size(); ++i)
    if (is_dropped[i] == 0) kept.push_back(i);
  const size_t dropped = cloud.size() - kept.size();
  if (dropped > 0) cloud = selectSplats(cloud, kept);
  return dropped;
}

}  // namespace gs

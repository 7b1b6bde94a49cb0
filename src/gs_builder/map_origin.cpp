// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/map_origin.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "gs_builder/median.hpp"

namespace gs_builder {
namespace {

// How far each fix is from where the anchor puts its antenna, in the map.
std::vector<gs::Vec3> residualsOf(const std::vector<FixInMap>& fixes, const gs::MapAnchor& anchor) {
  std::vector<gs::Vec3> residuals;
  for (const FixInMap& fix : fixes)
    residuals.push_back(gs::mapFromGeo(anchor, fix.fix) - fix.antenna_in_map);
  return residuals;
}

gs::Vec3 medianOfEach(const std::vector<gs::Vec3>& points) {
  gs::Vec3 median;
  for (int axis = 0; axis < 3; ++axis) {
    std::vector<double> values;
    for (const gs::Vec3& p : points) values.push_back(p[axis]);
    median[axis] = medianOf(std::move(values));
  }
  return median;
}

// Moves the origin until the residuals' medians are 0. The first steps jump, the last ones are
// below a micrometre: the plane turns a little with its origin.
void moveOrigin(const std::vector<FixInMap>& fixes, gs::MapAnchor& anchor) {
  for (int i = 0; i < 8; ++i)
    anchor.origin = gs::geoFromMap(anchor, medianOfEach(residualsOf(fixes, anchor)));
}

double usualDistance(const std::vector<gs::Vec3>& residuals) {
  std::vector<double> distances;
  for (const gs::Vec3& r : residuals) distances.push_back(r.head<2>().norm());
  return medianOf(std::move(distances));
}

// The turn that lays the antennas onto the fixes, about their means, without those that are far
// off; and how well it is known.
struct Turn {
  double angle = 0, deviation = 0;  // rad
};
Turn turnOf(const std::vector<FixInMap>& fixes, const gs::MapAnchor& anchor) {
  const std::vector<gs::Vec3> residuals = residualsOf(fixes, anchor);
  const double limit = 4 * usualDistance(residuals) + 1e-6;
  std::vector<size_t> kept;
  gs::Vec2 mean_map = gs::Vec2::Zero(), mean_fix = gs::Vec2::Zero();
  for (size_t i = 0; i < fixes.size(); ++i) {
    if (residuals[i].head<2>().norm() > limit) continue;
    kept.push_back(i);
    mean_map += fixes[i].antenna_in_map.head<2>();
    mean_fix += fixes[i].antenna_in_map.head<2>() + residuals[i].head<2>();
  }
  mean_map /= static_cast<double>(kept.size());
  mean_fix /= static_cast<double>(kept.size());
  double cross = 0, dot = 0, extent = 0, sum = 0;
  for (const size_t i : kept) {
    const gs::Vec2 a = fixes[i].antenna_in_map.head<2>() - mean_map;
    const gs::Vec2 b = fixes[i].antenna_in_map.head<2>() + residuals[i].head<2>() - mean_fix;
    cross += a.x() * b.y() - a.y() * b.x();
    dot += a.dot(b);
    extent += a.squaredNorm();
  }
  Turn turn{std::atan2(cross, dot), 1e9};
  if (!(extent > 0)) return turn;
  const Eigen::Rotation2Dd rotation(turn.angle);
  for (const size_t i : kept) {
    const gs::Vec2 a = fixes[i].antenna_in_map.head<2>() - mean_map;
    const gs::Vec2 b = fixes[i].antenna_in_map.head<2>() + residuals[i].head<2>() - mean_fix;
    sum += (rotation * a - b).squaredNorm();
  }
  // Errors of satellites last: a minute of them is worth ten independent fixes, not six hundred.
  const double independent = std::min(10.0, static_cast<double>(kept.size()));
  const double share = independent / static_cast<double>(kept.size());
  turn.deviation = std::sqrt(sum / static_cast<double>(kept.size()) / (extent * share));
  return turn;
}

}  // namespace

std::optional<MapOrigin> findMapOrigin(const std::vector<FixInMap>& fixes) {
  if (fixes.empty()) return std::nullopt;
  gs::MapAnchor anchor{.origin = fixes.front().fix};
  moveOrigin(fixes, anchor);

  gs::MapAnchor turned = anchor;
  for (int i = 0; i < 3; ++i) {
    turned.yaw = std::remainder(turned.yaw + turnOf(fixes, turned).angle, 2 * std::numbers::pi);
    moveOrigin(fixes, turned);
  }
  constexpr double kSmallestTurn = 0.01;  // rad: less is lost in what satellites are wrong by
  const double deviation = turnOf(fixes, turned).deviation;
  const bool is_turned = std::abs(turned.yaw) > std::max(kSmallestTurn, 5 * deviation);
  if (is_turned) anchor = turned;

  MapOrigin origin{anchor.origin.latitude, anchor.origin.longitude, anchor.origin.altitude};
  if (is_turned) origin.yaw = anchor.yaw;
  for (const gs::Vec3& residual : residualsOf(fixes, anchor))
    origin.spread = std::max(origin.spread, residual.head<2>().norm());
  return origin;
}

}  // namespace gs_builder

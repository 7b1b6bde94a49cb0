// SPDX-License-Identifier: Apache-2.0
#include "gs/geometry/measure_base_link.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <tuple>
#include <unordered_map>

#include "gs/core/parallel.hpp"
#include "gs/core/rng.hpp"

namespace gs {
namespace {

constexpr double kDegree = std::numbers::pi / 180;
// The own body ends before kNearest; beyond kFarthest the road may rise or fall.
constexpr double kNearest = 4.5, kFarthest = 16;
constexpr double kLane = 1.3;       // m beside the way: where the wheels roll, not the next lane
constexpr double kWayStep = 1.0;    // m between points of the way
constexpr double kCell = 0.4;       // m; each place of the road counts once
constexpr double kLooseBand = 0.1;  // m around the first guess
constexpr double kTightBand = 0.06;
constexpr double kClearlyBelow = 0.25;  // m: the road has nothing under it
constexpr size_t kMinCells = 40;
constexpr int kGuesses = 200;

// z = height + x * ahead + y * left, in base_link.
struct Plane {
  double height = 0, ahead = 0, left = 0;
  double errorAt(const Vec3& p) const { return p.z() - height - p.x() * ahead - p.y() * left; }
};

int64_t cellOf(double x, double y, double size) {
  const auto index = [&](double v) { return static_cast<int64_t>(std::floor(v / size)); };
  return index(x) * 0x100000000LL + (index(y) & 0xffffffffLL);
}

// The way of the vehicle around a scan, in its base_link: x and y alone.
std::vector<Vec3> wayAround(const Rigid3& map_from_base, const std::vector<Rigid3>& path) {
  const double yaw = toRollPitchYaw(map_from_base.rotation).yaw;
  const double c = std::cos(yaw), s = std::sin(yaw);
  std::vector<Vec3> way;
  const auto add = [&](double x, double y) {
    const bool is_near = std::hypot(x, y) <= kFarthest + kLane;
    if (is_near && (way.empty() || (Vec3(x, y, 0) - way.back()).norm() >= kWayStep / 2))
      way.emplace_back(x, y, 0);
  };
  double reach = 0;
  for (const Rigid3& pose : path) {
    const Vec3 d = pose.translation - map_from_base.translation;
    add(c * d.x() + s * d.y(), -s * d.x() + c * d.y());
    if (!way.empty()) reach = std::max(reach, way.back().norm());
  }
  // A vehicle that hardly moved: straight on and straight back.
  if (reach < kNearest + 2)
    for (double x = -kFarthest; x <= kFarthest; x += kWayStep) add(x, 0);
  return way;
}

// Points of a scan on the vehicle's way, those of one place together.
using Places = std::unordered_map<int64_t, std::vector<Vec3>>;

Places pointsOnTheWay(const PosedScan& scan, const std::vector<Vec3>& way) {
  std::unordered_map<int64_t, std::vector<Vec3>> near_cell;  // points of the way, by coarse cell
  for (const Vec3& p : way)
    for (int dy = -1; dy <= 1; ++dy)
      for (int dx = -1; dx <= 1; ++dx)
        near_cell[cellOf(p.x() + 2 * kLane * dx, p.y() + 2 * kLane * dy, 2 * kLane)].push_back(p);
  const double highest = -BaseLinkAboveGround::kMinHeight + 1;
  const double lowest = -BaseLinkAboveGround::kMaxHeight - 1;
  Places places;
  for (const ScanPoint& point : scan.points) {
    const Vec3 p(point.x, point.y, point.z);
    const double range = std::hypot(p.x(), p.y());
    // Not finite fails all of these.
    if (!(range >= kNearest && range <= kFarthest && p.z() >= lowest && p.z() <= highest)) continue;
    const auto cell = near_cell.find(cellOf(p.x(), p.y(), 2 * kLane));
    if (cell == near_cell.end()) continue;
    const bool is_on_way = std::any_of(
        cell->second.begin(), cell->second.end(),
        [&](const Vec3& w) { return (w - p).head<2>().squaredNorm() <= kLane * kLane; });
    if (is_on_way) places[cellOf(p.x(), p.y(), kCell)].push_back(p);
  }
  return places;
}

// One point per place: in its lowest tenth, since what stands on the road is above it.
std::vector<Vec3> lowPoints(const Places& places) {
  std::vector<Vec3> low;
  for (const auto& [cell, points] : places) {
    std::vector<Vec3> sorted = points;
    const auto at = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 10);
    std::nth_element(sorted.begin(), at, sorted.end(), [](const Vec3& a, const Vec3& b) {
      return std::tie(a.z(), a.x(), a.y()) < std::tie(b.z(), b.x(), b.y());
    });
    low.push_back(*at);
  }
  // The order of a hash table is nobody's business.
  std::sort(low.begin(), low.end(), [](const Vec3& a, const Vec3& b) {
    return std::tie(a.x(), a.y(), a.z()) < std::tie(b.x(), b.y(), b.z());
  });
  return low;
}

std::optional<Plane> planeThrough(const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 normal = (b - a).cross(c - a);
  // Three points in a row say nothing about the tilt across.
  if (std::abs(normal.z()) < 1.0) return std::nullopt;
  Plane plane{.ahead = -normal.x() / normal.z(), .left = -normal.y() / normal.z()};
  plane.height = a.z() - plane.ahead * a.x() - plane.left * a.y();
  return plane;
}

bool isPossible(const Plane& plane) {
  const double steepest = std::tan(BaseLinkAboveGround::kMaxTiltDeg * kDegree);
  return -plane.height >= BaseLinkAboveGround::kMinHeight &&
         -plane.height <= BaseLinkAboveGround::kMaxHeight && std::abs(plane.ahead) <= steepest &&
         std::abs(plane.left) <= steepest;
}

// Of many planes through three places the one that most places lie on and few below.
std::optional<Plane> guessPlane(const std::vector<Vec3>& low) {
  Rng rng(1);
  std::optional<Plane> best;
  int best_score = 0;
  for (int guess = 0; guess < kGuesses; ++guess) {
    const Vec3 &a = low[rng.below(low.size())], &b = low[rng.below(low.size())],
               &c = low[rng.below(low.size())];
    const auto plane = planeThrough(a, b, c);
    if (!plane || !isPossible(*plane)) continue;
    int score = 0;
    for (const Vec3& p : low) {
      const double error = plane->errorAt(p);
      if (std::abs(error) <= kLooseBand) ++score;
      else if (error < -kClearlyBelow) score -= 2;
    }
    if (score > best_score) {
      best_score = score;
      best = plane;
    }
  }
  return best;
}

struct PlaceMean {
  Vec3 p;
  size_t count = 0;
};

// Least squares over the places, each with the mean of its points near the plane so far.
std::optional<Plane> refined(const std::vector<const std::vector<Vec3>*>& places,
                             const Plane& plane, double band) {
  Mat3 normal = Mat3::Zero();
  Vec3 right = Vec3::Zero();
  size_t used = 0;
  for (const std::vector<Vec3>* points : places) {
    PlaceMean mean{Vec3::Zero()};
    for (const Vec3& p : *points) {
      if (std::abs(plane.errorAt(p)) > band) continue;
      mean.p += p;
      ++mean.count;
    }
    if (mean.count == 0) continue;
    mean.p /= static_cast<double>(mean.count);
    const Vec3 row(1, mean.p.x(), mean.p.y());
    normal += row * row.transpose();
    right += mean.p.z() * row;
    ++used;
  }
  // Half of the places at least: otherwise the plane is a bonnet, a load or a slope.
  if (used < kMinCells || 2 * used < places.size()) return std::nullopt;
  const Vec3 solution = normal.ldlt().solve(right);
  if (!solution.allFinite()) return std::nullopt;
  return Plane{solution[0], solution[1], solution[2]};
}

BaseLinkAboveGround aboveGround(const Plane& road) {
  const Vec3 up = Vec3(-road.ahead, -road.left, 1).normalized();  // the road's normal in base_link
  return {.height = -road.height * up.z(),
          .pitch_deg = -std::asin(up.x()) / kDegree,
          .roll_deg = std::atan2(up.y(), up.z()) / kDegree};
}

double quantile(std::vector<double> values, double fraction) {
  const auto at = values.begin() + std::lround(fraction * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

}  // namespace

std::optional<BaseLinkAboveGround> fitRoadBelow(const PosedScan& scan,
                                                const std::vector<Rigid3>& path) {
  const Places places = pointsOnTheWay(scan, wayAround(scan.map_from_base, path));
  if (places.size() < kMinCells) return std::nullopt;
  std::optional<Plane> plane = guessPlane(lowPoints(places));
  if (!plane) return std::nullopt;
  // Sums in a fixed order give the same bits every time.
  std::vector<std::pair<int64_t, const std::vector<Vec3>*>> ordered;
  for (const auto& [cell, points] : places) ordered.emplace_back(cell, &points);
  std::sort(ordered.begin(), ordered.end());
  std::vector<const std::vector<Vec3>*> lists;
  for (const auto& [cell, points] : ordered) lists.push_back(points);
  for (const double band : {kLooseBand, kTightBand, kTightBand}) {
    plane = refined(lists, *plane, band);
    if (!plane || !isPossible(*plane)) return std::nullopt;
  }
  return aboveGround(*plane);
}

std::optional<MeasuredBaseLink> measureBaseLink(const ScanSource& scans,
                                                const std::vector<Rigid3>& path, size_t max_scans) {
  MeasuredBaseLink result{.scans = std::min(scans.count, max_scans)};
  std::vector<std::optional<BaseLinkAboveGround>> single(result.scans);
  parallelFor(result.scans, 1, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i)
      single[i] = fitRoadBelow(scans.load(i * scans.count / result.scans), path);
  });
  std::vector<double> heights, pitches, rolls;
  for (const auto& fit : single) {
    if (!fit) continue;
    heights.push_back(fit->height);
    pitches.push_back(fit->pitch_deg);
    rolls.push_back(fit->roll_deg);
  }
  result.scans_used = heights.size();
  if (heights.empty()) return std::nullopt;
  const auto spreadOf = [](const std::vector<double>& values) {
    return (quantile(values, 5.0 / 6) - quantile(values, 1.0 / 6)) / 2;
  };
  result.above_ground = {quantile(heights, 0.5), quantile(pitches, 0.5), quantile(rolls, 0.5)};
  result.spread = {spreadOf(heights), spreadOf(pitches), spreadOf(rolls)};
  return result;
}

}  // namespace gs

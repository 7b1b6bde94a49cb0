// SPDX-License-Identifier: Apache-2.0
#include "gs/geometry/measure_base_link.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <unordered_map>

#include "gs/core/parallel.hpp"
#include "gs/core/quantile.hpp"
#include "gs/core/rng.hpp"
#include "gs/geometry/footing.hpp"

namespace gs {
namespace {

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
constexpr double kWheelbase = 2.8, kTrackWidth = 1.6;  // m: what a slope is measured over

// The road in base_link, along the vehicle's way: z = height + x * ahead + y * left + x^2 * bend,
// where x is the way driven from here and y the distance to its left. In a curve a road with camber
// is a cone, and no plane: but it is even along the way.
struct Plane {
  double height = 0, ahead = 0, left = 0, bend = 0;
  double errorAt(const Vec3& p) const {
    return p.z() - height - p.x() * (ahead + p.x() * bend) - p.y() * left;
  }
};

int64_t cellOf(double x, double y, double size) {
  const auto index = [&](double v) { return static_cast<int64_t>(std::floor(v / size)); };
  return index(x) * 0x100000000LL + (index(y) & 0xffffffffLL);
}

// A point of the vehicle's way, in base_link: x and y alone.
struct WayPoint {
  Eigen::Vector2d place, ahead;
  double driven = 0;  // m from base_link to here, backwards negative
};

std::vector<WayPoint> wayAround(const Rigid3& map_from_base, const std::vector<Rigid3>& path) {
  const double yaw = toRollPitchYaw(map_from_base.rotation).yaw;
  const Eigen::Rotation2Dd base_from_map(-yaw);
  std::vector<WayPoint> way;
  double driven = 0;
  Eigen::Vector2d last = Eigen::Vector2d::Zero();
  for (const Rigid3& pose : path) {
    const Vec3 offset = pose.translation - map_from_base.translation;
    const Eigen::Vector2d place = base_from_map * Eigen::Vector2d(offset.x(), offset.y());
    const double turn = toRollPitchYaw(pose.rotation).yaw - yaw;
    const Eigen::Vector2d ahead(std::cos(turn), std::sin(turn));
    if (!way.empty()) driven += ahead.dot(place - last);
    if (way.empty() || (place - last).norm() >= kWayStep / 2) way.push_back({place, ahead, driven});
    else driven = way.back().driven;
    last = way.back().place;
  }
  const auto here = std::min_element(way.begin(), way.end(), [](const auto& a, const auto& b) {
    return a.place.squaredNorm() < b.place.squaredNorm();
  });
  const double begin = way.empty() ? 0 : here->driven - here->ahead.dot(here->place);
  for (WayPoint& point : way) point.driven -= begin;
  // Another round of the same drive is another way.
  std::erase_if(way, [](const WayPoint& p) { return std::abs(p.driven) > kFarthest + kLane; });
  const bool has_moved = std::any_of(
      way.begin(), way.end(), [](const WayPoint& p) { return std::abs(p.driven) >= kNearest + 2; });
  if (has_moved) return way;
  // A vehicle that hardly moved: straight on and straight back.
  way.clear();
  for (double x = -kFarthest; x <= kFarthest; x += kWayStep) way.push_back({{x, 0}, {1, 0}, x});
  return way;
}

// Points of a scan on the vehicle's way, those of one place together: way driven, left of it, z.
using Places = std::unordered_map<int64_t, std::vector<Vec3>>;

Places pointsOnTheWay(const PosedScan& scan, const std::vector<WayPoint>& way) {
  std::unordered_map<int64_t, std::vector<const WayPoint*>> near_cell;  // by coarse cell
  for (const WayPoint& point : way)
    for (int dy = -1; dy <= 1; ++dy)
      for (int dx = -1; dx <= 1; ++dx)
        near_cell[cellOf(point.place.x() + 2 * kLane * dx, point.place.y() + 2 * kLane * dy,
                         2 * kLane)]
            .push_back(&point);
  const double highest = -BaseLinkAboveGround::kMinHeight + 1;
  const double lowest = -BaseLinkAboveGround::kMaxHeight - 1;
  Places places;
  for (const ScanPoint& point : scan.points) {
    const Eigen::Vector2d p(point.x, point.y);
    const double range = p.norm();
    // Not finite fails all of these.
    if (!(range >= kNearest && range <= kFarthest && point.z >= lowest && point.z <= highest))
      continue;
    const auto cell = near_cell.find(cellOf(p.x(), p.y(), 2 * kLane));
    if (cell == near_cell.end()) continue;
    const WayPoint* nearest = *std::min_element(
        cell->second.begin(), cell->second.end(), [&](const WayPoint* a, const WayPoint* b) {
          return (a->place - p).squaredNorm() < (b->place - p).squaredNorm();
        });
    const Eigen::Vector2d beside = p - nearest->place;
    const double on = nearest->ahead.dot(beside);
    const double left = nearest->ahead.x() * beside.y() - nearest->ahead.y() * beside.x();
    if (std::abs(left) > kLane || std::abs(on) > kWayStep) continue;
    const Vec3 along(nearest->driven + on, left, point.z);
    places[cellOf(along.x(), along.y(), kCell)].push_back(along);
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
  const double steepest = std::tan(BaseLinkAboveGround::kMaxTilt);
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
  // A little against bends: what is seen ahead alone must not bend down below the vehicle.
  constexpr double kStraight = 16;  // range noise over what a road bends, squared
  Eigen::Matrix4d normal = Eigen::Vector4d(0, 0, 0, kStraight).asDiagonal();
  Eigen::Vector4d right = Eigen::Vector4d::Zero();
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
    const Eigen::Vector4d row(1, mean.p.x(), mean.p.y(), mean.p.x() * mean.p.x());
    normal += row * row.transpose();
    right += mean.p.z() * row;
    ++used;
  }
  // Half of the places at least: otherwise the plane is a bonnet, a load or a slope.
  if (used < kMinCells || 2 * used < places.size()) return std::nullopt;
  const Eigen::Vector4d solution = normal.ldlt().solve(right);
  if (!solution.allFinite()) return std::nullopt;
  return Plane{solution[0], solution[1], solution[2], solution[3]};
}

BaseLinkAboveGround aboveGround(const Plane& road) {
  const Vec3 up = Vec3(-road.ahead, -road.left, 1).normalized();  // the road's normal in base_link
  return {.height = -road.height * up.z(),
          .pitch = -std::asin(up.x()),
          .roll = std::atan2(up.y(), up.z())};
}

std::optional<MeasuredBaseLink> summaryOf(const std::vector<BaseLinkAboveGround>& found,
                                          size_t looked_at) {
  if (found.empty()) return std::nullopt;
  MeasuredBaseLink result{.scans_used = found.size(), .scans = looked_at};
  for (double BaseLinkAboveGround::*field :
       {&BaseLinkAboveGround::height, &BaseLinkAboveGround::pitch, &BaseLinkAboveGround::roll}) {
    std::vector<double> values;
    for (const BaseLinkAboveGround& one : found) values.push_back(one.*field);
    result.above_ground.*field = median(values);
    result.spread.*field = (quantile(values, 5.0 / 6) - quantile(values, 1.0 / 6)) / 2;
  }
  return result;
}

// Half of the values are within this of their median.
double medianDeviation(std::vector<double> values) {
  const double middle = median(values);
  for (double& value : values) value = std::abs(value - middle);
  return median(values);
}

// By how much an angle grows with an acceleration, and 0 where the drive does not tell: where it
// hardly accelerates, where the angle does not follow, or follows as no springs let it (`sign`).
double leanOver(const std::vector<double>& accelerations,
                const std::vector<BaseLinkAboveGround>& poses, double BaseLinkAboveGround::*angle,
                double sign) {
  constexpr size_t kMinPoses = 40;
  constexpr double kMinSpread = 0.15;  // m/s^2, standard deviation
  constexpr double kExplains = 0.9;    // of the angle's deviation may be left
  if (poses.size() < kMinPoses) return 0;
  std::vector<double> values;
  for (const BaseLinkAboveGround& pose : poses) values.push_back(pose.*angle);
  const double before = medianDeviation(values);
  double slope = 0, limit = std::numeric_limits<double>::infinity();
  double middle = median(values);
  for (int round = 0; round < 4; ++round) {
    double n = 0, a = 0, aa = 0, v = 0, av = 0;
    for (size_t i = 0; i < values.size(); ++i) {
      if (std::abs(values[i] - middle - slope * accelerations[i]) > limit) continue;
      n += 1;
      a += accelerations[i];
      aa += accelerations[i] * accelerations[i];
      v += values[i];
      av += accelerations[i] * values[i];
    }
    const double variance = n > 0 ? aa / n - a / n * (a / n) : 0;
    if (n < kMinPoses || variance < kMinSpread * kMinSpread) return 0;
    slope = (av / n - a / n * (v / n)) / variance;
    middle = v / n - slope * a / n;
    std::vector<double> rest;
    for (size_t i = 0; i < values.size(); ++i) rest.push_back(values[i] - slope * accelerations[i]);
    limit = 4 * medianDeviation(rest);
    if (round == 3 && medianDeviation(rest) > kExplains * before) return 0;
  }
  return sign * slope > 0 && std::abs(slope) <= BaseLinkAboveGround::kMaxLean ? slope : 0;
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
  std::vector<std::optional<BaseLinkAboveGround>> single(std::min(scans.count, max_scans));
  parallelFor(single.size(), 1, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i)
      single[i] = fitRoadBelow(scans.load(i * scans.count / single.size()), path);
  });
  std::vector<BaseLinkAboveGround> found;
  for (const auto& fit : single)
    if (fit) found.push_back(*fit);
  return summaryOf(found, single.size());
}

std::optional<MeasuredBaseLink> measureBaseLinkOver(const Heightmap& ground,
                                                    const std::vector<DrivenPose>& poses) {
  const auto height_at = [&](double x, double y) { return double{heightAt(ground, x, y)}; };
  std::vector<BaseLinkAboveGround> found;
  std::vector<double> along, across;
  for (const DrivenPose& pose : poses) {
    const double yaw = toRollPitchYaw(pose.map_from_base.rotation).yaw;
    const Vec3& p = pose.map_from_base.translation;
    const auto footing = footingOn(height_at, kWheelbase, kTrackWidth, p.x(), p.y(), yaw);
    if (!footing) continue;
    const Rigid3 map_from_footing{fromRollPitchYaw(footing->roll, footing->pitch, yaw),
                                  Vec3(p.x(), p.y(), footing->z)};
    const Rigid3 footing_from_base = map_from_footing.inverse() * pose.map_from_base;
    const RollPitchYaw tilt = toRollPitchYaw(footing_from_base.rotation);
    found.push_back(
        {.height = footing_from_base.translation.z(), .pitch = tilt.pitch, .roll = tilt.roll});
    along.push_back(pose.acceleration);
    across.push_back(pose.lateral_acceleration);
  }
  const double dive = leanOver(along, found, &BaseLinkAboveGround::pitch, -1);
  const double lean = leanOver(across, found, &BaseLinkAboveGround::roll, 1);
  for (size_t i = 0; i < found.size(); ++i) {
    found[i].pitch -= dive * along[i];
    found[i].roll -= lean * across[i];
  }
  auto result = summaryOf(found, poses.size());
  if (!result) return result;
  result->above_ground.pitch_per_acceleration = dive;
  result->above_ground.roll_per_lateral_acceleration = lean;
  return result;
}

}  // namespace gs

// SPDX-License-Identifier: Apache-2.0
#include "gs/synthetic/drive_motion.hpp"

#include <algorithm>
#include <cmath>

#include "gs/core/check.hpp"

namespace gs {
namespace {

constexpr int kStepsPerPoint = 8;
constexpr double kSpeedStep = 0.25;    // m
constexpr double kPointSpacing = 1.0;  // m

// Index of the interval that holds `value`, and how far into it.
struct Place {
  size_t index;
  double fraction;
};
Place locate(const std::vector<double>& growing, double value) {
  const auto above = std::upper_bound(growing.begin(), growing.end(), value);
  const auto index = static_cast<size_t>(std::clamp<std::ptrdiff_t>(
      above - growing.begin() - 1, 0, static_cast<std::ptrdiff_t>(growing.size()) - 2));
  const double width = growing[index + 1] - growing[index];
  return {index, width > 0 ? (value - growing[index]) / width : 0.0};
}

// Points evenly spaced along the closed polyline: the spline is only as smooth as its spacing.
std::vector<Vec2> resample(const std::vector<std::array<double, 2>>& closed) {
  std::vector<double> arc{0.0};
  const auto pointAt = [&](size_t i) {
    const auto& p = closed[i % closed.size()];
    return Vec2(p[0], p[1]);
  };
  for (size_t i = 0; i < closed.size(); ++i)
    arc.push_back(arc.back() + (pointAt(i + 1) - pointAt(i)).norm());
  const auto count = static_cast<size_t>(std::max(8.0, std::round(arc.back() / kPointSpacing)));
  std::vector<Vec2> points;
  for (size_t i = 0; i < count; ++i) {
    const Place place =
        locate(arc, arc.back() * static_cast<double>(i) / static_cast<double>(count));
    points.push_back(pointAt(place.index) +
                     place.fraction * (pointAt(place.index + 1) - pointAt(place.index)));
  }
  return points;
}

}  // namespace

DriveMotion::DriveMotion(const std::vector<std::array<double, 2>>& closed_route, Ground ground,
                         const Options& options)
    : ground_(std::move(ground)), options_(options) {
  GS_CHECK(closed_route.size() >= 8u);
  route_ = resample(closed_route);
  measureArc();
  planSpeed(options);
}

Vec2 DriveMotion::splineAt(double u) const {
  const auto count = static_cast<int64_t>(route_.size());
  const auto base = static_cast<int64_t>(std::floor(u));
  const double f = u - static_cast<double>(base), f2 = f * f, f3 = f2 * f;
  const double weights[4] = {(1 - 3 * f + 3 * f2 - f3) / 6, (4 - 6 * f2 + 3 * f3) / 6,
                             (1 + 3 * f + 3 * f2 - 3 * f3) / 6, f3 / 6};
  Vec2 sum = Vec2::Zero();
  for (int k = 0; k < 4; ++k)
    sum += weights[k] * route_[static_cast<size_t>(((base + k - 1) % count + count) % count)];
  return sum;
}

Vec2 DriveMotion::splineTangentAt(double u) const {
  const auto count = static_cast<int64_t>(route_.size());
  const auto base = static_cast<int64_t>(std::floor(u));
  const double f = u - static_cast<double>(base), f2 = f * f;
  const double weights[4] = {(-1 + 2 * f - f2) / 2, (-4 * f + 3 * f2) / 2, (1 + 2 * f - 3 * f2) / 2,
                             f2 / 2};
  Vec2 sum = Vec2::Zero();
  for (int k = 0; k < 4; ++k)
    sum += weights[k] * route_[static_cast<size_t>(((base + k - 1) % count + count) % count)];
  return sum.normalized();
}

void DriveMotion::measureArc() {
  const size_t steps = route_.size() * kStepsPerPoint;
  arc_.assign(1, 0.0);
  Vec2 before = splineAt(0);
  for (size_t i = 1; i <= steps; ++i) {
    const Vec2 here = splineAt(static_cast<double>(i) / kStepsPerPoint);
    arc_.push_back(arc_.back() + (here - before).norm());
    before = here;
  }
}

void DriveMotion::planSpeed(const Options& options) {
  const auto count = static_cast<size_t>(std::ceil(arc_.back() / kSpeedStep));
  const double step = arc_.back() / static_cast<double>(count);
  speed_.resize(count + 1);
  for (size_t i = 0; i < count; ++i) {
    const double s = step * static_cast<double>(i);
    const Vec2 a = pathAt(s - 1).tangent, b = pathAt(s + 1).tangent;
    const double curvature = std::abs(std::atan2(a.x() * b.y() - a.y() * b.x(), a.dot(b))) / 2;
    speed_[i] = std::min(options.speed,
                         std::sqrt(options.max_lateral_acceleration / std::max(curvature, 1e-6)));
  }
  // Twice round in each direction: limits reach across the seam of the loop.
  const auto limit = [&](size_t from, size_t to) {
    const double reachable =
        std::sqrt(speed_[from] * speed_[from] + 2 * options.max_acceleration * step);
    speed_[to] = std::min(speed_[to], reachable);
  };
  for (size_t i = 0; i < 2 * count; ++i) limit(i % count, (i + 1) % count);
  for (size_t i = 2 * count; i-- > 0;) limit((i + 1) % count, i % count);
  speed_[count] = speed_[0];
  time_.assign(1, 0.0);
  for (size_t i = 0; i < count; ++i)
    time_.push_back(time_.back() + 2 * step / (speed_[i] + speed_[i + 1]));
}

// The plan begins at full speed. A car that stands first lives through the plan's first seconds
// more slowly, so that it sets off with max_acceleration at most.
double DriveMotion::drivenTime(double t) const {
  if (options_.standstill <= 0) return t;
  const double moving = t - options_.standstill;
  const double starting = speed_.front() / options_.max_acceleration;
  if (moving <= 0) return 0;
  return moving < starting ? moving * moving / (2 * starting) : moving - starting / 2;
}

double DriveMotion::distanceAt(double since_start) const {
  const double t = drivenTime(since_start);
  const double loops = std::floor(t / time_.back());
  const Place place = locate(time_, t - loops * time_.back());
  const double step = arc_.back() / static_cast<double>(speed_.size() - 1);
  const double width = time_[place.index + 1] - time_[place.index];
  const double inside = place.fraction * width;
  const double acceleration = (speed_[place.index + 1] - speed_[place.index]) / width;
  return loops * arc_.back() + step * static_cast<double>(place.index) +
         speed_[place.index] * inside + acceleration * inside * inside / 2;
}

DriveMotion::PathPoint DriveMotion::pathAt(double distance) const {
  const double loop = arc_.back();
  const double s = distance - std::floor(distance / loop) * loop;
  const Place place = locate(arc_, s);
  const double u = (static_cast<double>(place.index) + place.fraction) / kStepsPerPoint;
  const Vec2 tangent = splineTangentAt(u);
  const Vec2 left(-tangent.y(), tangent.x());
  return {splineAt(u) + options_.lateral_offset * left, tangent};
}

Vec2 DriveMotion::pointAt(double distance, double left) const {
  const PathPoint path = pathAt(distance);
  return path.position + left * Vec2(-path.tangent.y(), path.tangent.x());
}

Rigid3 DriveMotion::mapFromBase(double t) const {
  const Rigid3 map_from_footprint = mapFromFootprint(t);
  const BaseLinkAboveGround& base = options_.base_above_ground;
  if (base == BaseLinkAboveGround{}) return map_from_footprint;
  if (base.pitch_per_acceleration == 0 && base.roll_per_lateral_acceleration == 0)
    return map_from_footprint * base.footingFromBase();
  return map_from_footprint * base.footingFromBase(accelerationAt(t), lateralAccelerationAt(t));
}

// Both over a moment: the planned acceleration jumps, a body on springs does not.
constexpr double kMoment = 0.2;  // s to either side

double DriveMotion::accelerationAt(double t) const {
  return (distanceAt(t + kMoment) - 2 * distanceAt(t) + distanceAt(t - kMoment)) /
         (kMoment * kMoment);
}

double DriveMotion::lateralAccelerationAt(double t) const {
  const double before = distanceAt(t - kMoment), after = distanceAt(t + kMoment);
  const Vec2 a = pathAt(before).tangent, b = pathAt(after).tangent;
  const double turn = std::atan2(a.x() * b.y() - a.y() * b.x(), a.dot(b));
  return (after - before) / (2 * kMoment) * turn / (2 * kMoment);
}

Rigid3 DriveMotion::mapFromFootprint(double t) const {
  const PathPoint path = pathAt(distanceAt(t));
  const Vec2 forward = path.tangent, left(-forward.y(), forward.x());
  const auto groundAt = [&](double ahead, double to_left) {
    const Vec2 p = path.position + ahead * forward + to_left * left;
    return ground_(p.x(), p.y());
  };
  const double half = options_.track_width / 2;
  const double rear = (groundAt(0, half) + groundAt(0, -half)) / 2;
  const double front =
      (groundAt(options_.wheelbase, half) + groundAt(options_.wheelbase, -half)) / 2;
  const double left_side = (groundAt(0, half) + groundAt(options_.wheelbase, half)) / 2;
  const double right_side = (groundAt(0, -half) + groundAt(options_.wheelbase, -half)) / 2;
  const double pitch = -std::atan2(front - rear, options_.wheelbase);
  const double roll = std::atan2(left_side - right_side, options_.track_width);
  const double yaw = std::atan2(forward.y(), forward.x());
  return {fromRollPitchYaw(roll, pitch, yaw), Vec3(path.position.x(), path.position.y(), rear)};
}

DriveMotion::Derivatives DriveMotion::derivativesAt(double t) const {
  // Central differences: the motion is smooth, so 5 ms costs no accuracy that matters.
  constexpr double kStep = 0.005;
  const Rigid3 before = mapFromBase(t - kStep), here = mapFromBase(t),
               after = mapFromBase(t + kStep);
  const Quat base_from_map = here.rotation.conjugate();
  const Vec3 velocity = (after.translation - before.translation) / (2 * kStep);
  const Vec3 acceleration =
      (after.translation - 2 * here.translation + before.translation) / (kStep * kStep);
  const Eigen::AngleAxisd turn(before.rotation.conjugate() * after.rotation);
  return {base_from_map * velocity, turn.axis() * turn.angle() / (2 * kStep),
          base_from_map * acceleration};
}

}  // namespace gs

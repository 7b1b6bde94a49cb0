// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <functional>
#include <vector>

#include "gs/bundle/base_link_above_ground.hpp"
#include "gs/core/rigid3.hpp"

namespace gs {

// How a car drives along a closed route: exact poses and derivatives at any time. The path is the
// uniform cubic B-spline of the route's points (curvature without jumps); the speed is the wanted
// one, lowered in curves and changed gently; the rear axle follows the path, and the wheels stand
// on the ground.
class DriveMotion {
 public:
  struct Options {
    double speed = 8.0;                     // m/s on straights
    double max_lateral_acceleration = 2.0;  // m/s^2
    double max_acceleration = 1.2;          // m/s^2, forwards and backwards
    double wheelbase = 2.8;
    double track_width = 1.6;
    double lateral_offset = 0.0;  // m to the left of the route
    double standstill = 0.0;      // s at the start of the route before it sets off
    BaseLinkAboveGround base_above_ground;
  };
  using Ground = std::function<double(double x, double y)>;

  DriveMotion(const std::vector<std::array<double, 2>>& closed_route, Ground ground,
              const Options& options);

  Rigid3 mapFromBase(double t) const;
  Rigid3 mapFromFootprint(
      double t) const;  // the rear axle's middle, on the ground, leaning with it
  // In base_link: the linear velocity, the angular velocity and the acceleration of its origin
  // (without gravity).
  struct Derivatives {
    Vec3 linear, angular, acceleration;
  };
  Derivatives derivativesAt(double t) const;

  // The path after so many metres, or a point beside it.
  Vec2 pointAt(double distance, double left = 0) const;
  double lengthOfLoop() const { return arc_.back(); }
  double distanceAt(double t) const;  // along the path, from the start, growing beyond one loop
  double timeOfLoop() const { return time_.back(); }

 private:
  struct PathPoint {
    Vec2 position, tangent;
  };
  PathPoint pathAt(double distance) const;
  double drivenTime(double t) const;
  double accelerationAt(double t) const;
  double lateralAccelerationAt(double t) const;
  Vec2 splineAt(double u) const;  // u counts route points
  Vec2 splineTangentAt(double u) const;
  void measureArc();
  void planSpeed(const Options& options);

  std::vector<Vec2> route_;
  Ground ground_;
  Options options_;
  std::vector<double> arc_;    // distance at u = i / kStepsPerPoint
  std::vector<double> speed_;  // at distance i * kSpeedStep
  std::vector<double> time_;   // when it gets there
};

}  // namespace gs

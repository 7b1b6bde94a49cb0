// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "gs/core/linear.hpp"

// The street as mathematics: a rounded rectangle around the origin and what lies at each distance
// from it. `s` is the length along the road's middle, counter-clockwise, 0 at the west end of the
// south straight; `offset` is the distance from the middle, positive away from the block.
namespace gs::road {

constexpr double kHalfX = 46, kHalfY = 24;  // of the middle line
constexpr double kCornerRadius = 14;
constexpr double kStraightX = kHalfX - kCornerRadius;  // half length of the straights
constexpr double kStraightY = kHalfY - kCornerRadius;

constexpr double kLaneWidth = 3.25;
constexpr double kRoadHalf = 5.5;  // two lanes and two parking strips
constexpr double kKerbWidth = 0.18;
constexpr double kWalkEdge = 8.5;        // where the pavement ends
constexpr double kCamber = 0.025;        // fall from the middle to the gutter, per metre
constexpr double kWalkHeight = -0.0175;  // kerb top, 12 cm over the gutter
constexpr double kWalkFall = 0.015;      // pavements lean towards the road
constexpr double kLevelOffset = 12;      // beyond this the ground follows the slope alone
constexpr double kMapMargin = 34;        // the map ends this far from the middle of the road
constexpr double kZebraS = 152, kZebraHalf = 1.8;  // the crossing on the north straight

double length();
Vec2 pointAt(double s, double offset);
Vec2 directionAt(double s);  // unit, along growing s
Vec2 outwardAt(double s);
double offsetOf(double x, double y);  // signed distance from the middle line

double slopeAt(double x, double y);      // the hill the town stands on
double profileAt(double offset);         // camber, kerb and pavement; kerb counts as top
double groundAt(double x, double y);     // slope + profile
Vec3 onGround(double s, double offset);  // point on the ground

// A lane at a constant offset, its corners softened so that curvature has no steps; points are
// `step` metres apart, closed.
std::vector<std::array<double, 2>> smoothLane(double offset, double step);

}  // namespace gs::road

// SPDX-License-Identifier: Apache-2.0
#include "gs/synthetic/town/road_loop.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace gs::road {
namespace {

constexpr double kArc = kCornerRadius * std::numbers::pi / 2;

struct Piece {
  Vec2 point, direction;
};

// The middle line at s, before any offset.
Piece pieceAt(double s) {
  const double total = length();
  s -= total * std::floor(s / total);
  constexpr double kStraights[4] = {2 * kStraightX, 2 * kStraightY, 2 * kStraightX, 2 * kStraightY};
  const Vec2 corners[4] = {{kStraightX, -kStraightY},
                           {kStraightX, kStraightY},
                           {-kStraightX, kStraightY},
                           {-kStraightX, -kStraightY}};
  for (int side = 0; side < 4; ++side) {
    const double heading = side * std::numbers::pi / 2;
    const Vec2 along(std::cos(heading), std::sin(heading)), out(along.y(), -along.x());
    if (s <= kStraights[side])
      return {corners[side] + out * kCornerRadius + along * (s - kStraights[side]), along};
    s -= kStraights[side];
    if (s <= kArc || side == 3) {
      const double turned = heading + s / kCornerRadius;
      const Vec2 direction(std::cos(turned), std::sin(turned));
      return {corners[side] + Vec2(direction.y(), -direction.x()) * kCornerRadius, direction};
    }
    s -= kArc;
  }
  return {};
}

std::vector<Vec2> softened(const std::vector<Vec2>& points, double sigma, double step) {
  const int n = static_cast<int>(points.size()), reach = static_cast<int>(4 * sigma / step);
  std::vector<double> weights(2 * reach + 1);
  double total = 0;
  for (int k = -reach; k <= reach; ++k)
    total += weights[k + reach] = std::exp(-0.5 * (k * step / sigma) * (k * step / sigma));
  std::vector<Vec2> out(points.size(), Vec2::Zero());
  for (int i = 0; i < n; ++i)
    for (int k = -reach; k <= reach; ++k)
      out[i] += points[(i + k + n) % n] * (weights[k + reach] / total);
  return out;
}

std::vector<std::array<double, 2>> resampled(const std::vector<Vec2>& points, double step) {
  double total = 0;
  for (size_t i = 0; i < points.size(); ++i)
    total += (points[(i + 1) % points.size()] - points[i]).norm();
  const auto count = static_cast<size_t>(std::round(total / step));
  std::vector<std::array<double, 2>> out;
  double walked = 0;
  for (size_t i = 0; i < points.size() && out.size() < count; ++i) {
    const Vec2 a = points[i], b = points[(i + 1) % points.size()];
    const double piece = (b - a).norm();
    while (out.size() < count) {
      const double wanted = total * static_cast<double>(out.size()) / static_cast<double>(count);
      if (wanted > walked + piece) break;
      const Vec2 p = a + (b - a) * ((wanted - walked) / piece);
      out.push_back({p.x(), p.y()});
    }
    walked += piece;
  }
  return out;
}

}  // namespace

double length() { return 4 * (kStraightX + kStraightY) + 4 * kArc; }

Vec2 pointAt(double s, double offset) {
  const Piece piece = pieceAt(s);
  return piece.point + Vec2(piece.direction.y(), -piece.direction.x()) * offset;
}

Vec2 directionAt(double s) { return pieceAt(s).direction; }

Vec2 outwardAt(double s) {
  const Vec2 direction = directionAt(s);
  return {direction.y(), -direction.x()};
}

double offsetOf(double x, double y) {
  const double qx = std::abs(x) - kStraightX, qy = std::abs(y) - kStraightY;
  const double outside = std::hypot(std::max(qx, 0.0), std::max(qy, 0.0));
  return outside + std::min(std::max(qx, qy), 0.0) - kCornerRadius;
}

double slopeAt(double x, double y) {
  return 1.2 + 0.018 * x + 0.010 * y + 0.35 * std::sin(x / 22.0) * std::cos(y / 31.0);
}

double profileAt(double offset) {
  const double away = std::abs(offset);
  if (away < kRoadHalf) return -kCamber * away;
  const double walk = kWalkHeight + kWalkFall * (std::min(away, kWalkEdge) - kRoadHalf);
  if (away <= kWalkEdge) return walk;
  return walk * std::max(0.0, (kLevelOffset - away) / (kLevelOffset - kWalkEdge));
}

double groundAt(double x, double y) { return slopeAt(x, y) + profileAt(offsetOf(x, y)); }

Vec3 onGround(double s, double offset) {
  const Vec2 p = pointAt(s, offset);
  return {p.x(), p.y(), slopeAt(p.x(), p.y()) + profileAt(offset)};
}

std::vector<std::array<double, 2>> smoothLane(double offset, double step) {
  constexpr double kFine = 0.1, kSoftness = 3.0;
  const auto count = static_cast<size_t>(std::round(length() / kFine));
  std::vector<Vec2> points(count);
  for (size_t i = 0; i < count; ++i)
    points[i] = pointAt(length() * static_cast<double>(i) / static_cast<double>(count), offset);
  return resampled(softened(points, kSoftness, kFine), step);
}

}  // namespace gs::road

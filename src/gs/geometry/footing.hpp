// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>

namespace gs {

// How a vehicle stands on the ground with the middle of its rear axle at (x, y).
struct Footing {
  double z = 0;
  double roll = 0, pitch = 0;
};

// The ground as a body on tyres and springs feels it: the mean of a patch 1.6 m long and 0.4 m wide
// below each wheel, since a measured ground is rough by millimetres that no vehicle follows. NaN
// where no ground is known below the middle of the wheel.
template <typename HeightAt>
double heightBelowWheel(const HeightAt& height_at, double x, double y, double cos_yaw,
                        double sin_yaw) {
  constexpr int kAlong = 4, kAcross = 1;
  constexpr double kStep = 0.2;  // m
  const double middle = height_at(x, y);
  double sum = 0;  // of differences: level ground stays level to the last bit
  int known = 0;
  for (int i = -kAlong; i <= kAlong; ++i)
    for (int k = -kAcross; k <= kAcross; ++k) {
      const double along = kStep * i, left = kStep * k;
      const double height =
          height_at(x + cos_yaw * along - sin_yaw * left, y + sin_yaw * along + cos_yaw * left);
      if (!std::isfinite(height)) continue;
      sum += height - middle;
      ++known;
    }
  return middle + sum / std::max(1, known);
}

// Height of the rear axle's wheels, slope from all four. `height_at(x, y)` is NaN where no ground
// is known; nothing where it is below any of them.
template <typename HeightAt>
std::optional<Footing> footingOn(const HeightAt& height_at, double wheelbase, double track_width,
                                 double x, double y, double yaw) {
  const double c = std::cos(yaw), s = std::sin(yaw);
  const auto heightAtWheel = [&](double ahead, double left) {
    return heightBelowWheel(height_at, x + c * ahead - s * left, y + s * ahead + c * left, c, s);
  };
  const double side = track_width / 2;
  const double front_left = heightAtWheel(wheelbase, side);
  const double front_right = heightAtWheel(wheelbase, -side);
  const double rear_left = heightAtWheel(0, side), rear_right = heightAtWheel(0, -side);
  const double along = (front_left + front_right - rear_left - rear_right) / 2 / wheelbase;
  const double across = (front_left + rear_left - front_right - rear_right) / 2 / track_width;
  Footing footing;
  footing.z = (rear_left + rear_right) / 2;
  // Z-Y-X angles of a plane: tan(pitch) = -slope ahead, tan(roll) = slope to the left * cos(pitch).
  footing.pitch = -std::atan(along);
  footing.roll = std::atan(across * std::cos(footing.pitch));
  if (!std::isfinite(footing.z + footing.pitch + footing.roll)) return std::nullopt;
  return footing;
}

}  // namespace gs

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <optional>

namespace gs {

// How a vehicle stands on the ground with the middle of its rear axle at (x, y).
struct Footing {
  double z = 0;
  double roll = 0, pitch = 0;
};

// Height at (x, y), slope from the four wheels. `height_at(x, y)` is NaN where no ground is known;
// nothing where it is below any of them.
template <typename HeightAt>
std::optional<Footing> footingOn(const HeightAt& height_at, double wheelbase, double track_width,
                                 double x, double y, double yaw) {
  const double c = std::cos(yaw), s = std::sin(yaw);
  const auto heightAtWheel = [&](double ahead, double left) {
    return height_at(x + c * ahead - s * left, y + s * ahead + c * left);
  };
  const double side = track_width / 2;
  const double front_left = heightAtWheel(wheelbase, side);
  const double front_right = heightAtWheel(wheelbase, -side);
  const double rear_left = heightAtWheel(0, side), rear_right = heightAtWheel(0, -side);
  const double along = (front_left + front_right - rear_left - rear_right) / 2 / wheelbase;
  const double across = (front_left + rear_left - front_right - rear_right) / 2 / track_width;
  Footing footing;
  footing.z = height_at(x, y);
  // Z-Y-X angles of a plane: tan(pitch) = -slope ahead, tan(roll) = slope to the left * cos(pitch).
  footing.pitch = -std::atan(along);
  footing.roll = std::atan(across * std::cos(footing.pitch));
  if (!std::isfinite(footing.z + footing.pitch + footing.roll)) return std::nullopt;
  return footing;
}

}  // namespace gs

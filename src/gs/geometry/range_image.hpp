// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "gs/core/linear.hpp"

namespace gs {

// The nearest return of a scan in each direction from its sensor. Works for any LiDAR, because it
// bins by angle and asks nothing about channels; directions without a return say nothing.
class RangeImage {
 public:
  static constexpr int kColumns = 900, kRows = 450;
  static constexpr float kBinAngle = 6.28318530718f / kColumns;  // rad

  RangeImage() : ranges_(static_cast<size_t>(kColumns) * kRows, 0.0f) {}
  void clear() { ranges_.assign(ranges_.size(), 0.0f); }

  // `p`: from the sensor, axes of base_link (or any other with z roughly up).
  void add(const Vec3f& p) {
    const float range = p.norm();
    float& bin = ranges_[binOf(p)];
    if (bin == 0 || range < bin) bin = range;
  }
  float rangeTowards(const Vec3f& p) const { return ranges_[binOf(p)]; }  // 0: no return

 private:
  // Polynomial of Hastings, good to 1e-4 rad: a fortieth of a bin, and the same on every machine.
  static float arcTangent(float ratio) {
    const float s = ratio * ratio;
    return ((-0.0464964749f * s + 0.15931422f) * s - 0.327622764f) * s * ratio + ratio;
  }
  static float angleOf(float y, float x) {  // atan2, in (-pi, pi]
    const float ax = std::abs(x), ay = std::abs(y);
    const float high = ax > ay ? ax : ay, low = ax > ay ? ay : ax;
    float angle = high > 0 ? arcTangent(low / high) : 0.0f;
    if (ay > ax) angle = 1.57079637f - angle;
    if (x < 0) angle = 3.14159274f - angle;
    return y < 0 ? -angle : angle;
  }
  static size_t binOf(const Vec3f& p) {
    const float azimuth = angleOf(p.y(), p.x());
    const float elevation = angleOf(p.z(), std::sqrt(p.x() * p.x() + p.y() * p.y()));
    int column = static_cast<int>((azimuth + 3.14159274f) * (kColumns / 6.28318531f));
    int row = static_cast<int>((elevation + 1.57079637f) * (kRows / 3.14159274f));
    column = column < 0 ? 0 : column >= kColumns ? kColumns - 1 : column;
    row = row < 0 ? 0 : row >= kRows ? kRows - 1 : row;
    return static_cast<size_t>(row) * kColumns + column;
  }
  std::vector<float> ranges_;
};

}  // namespace gs

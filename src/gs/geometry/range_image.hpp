// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
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

  RangeImage() : bins_(static_cast<size_t>(kColumns) * kRows) {}
  void clear() { bins_.assign(bins_.size(), {}); }

  // `p`: from the sensor, axes of base_link (or any other with z roughly up).
  void add(const Vec3f& p) {
    const Place place = placeOf(p);
    const float centimetres = std::min(100 * p.norm() + 0.5f, 65535.0f);
    Bin& bin = bins_[place.bin];
    if (bin.centimetres == 0 || centimetres < bin.centimetres)
      bin = {static_cast<uint16_t>(centimetres), static_cast<uint8_t>(256 * place.column),
             static_cast<uint8_t>(256 * place.row)};
  }
  // The range of the return towards `p` (`range` away) if it is beyond `least`, to the centimetre,
  // and if its ray passes `p` no farther than `aside` away; 0 otherwise.
  float rangeBeyond(const Vec3f& p, float range, float least, float aside) const {
    const Place place = placeOf(p);
    const Bin bin = bins_[place.bin];
    const float seen = 0.01f * bin.centimetres;
    if (bin.centimetres == 0 || seen < least) return 0;
    const float high = place.row - (static_cast<float>(bin.row) + 0.5f) / 256;
    const float wide = place.column - (static_cast<float>(bin.column) + 0.5f) / 256;
    const float flat = p.x() * p.x() + p.y() * p.y();
    const float square = kBinAngle * kBinAngle * (high * high * range * range + wide * wide * flat);
    return square <= aside * aside ? seen : 0;
  }

 private:
  struct Bin {  // four bytes: this is looked up at random
    uint16_t centimetres = 0;
    uint8_t column = 0, row = 0;  // where the ray is within the bin, of 256
  };
  struct Place {
    size_t bin;
    float column, row;  // within the bin, 0 to 1
  };
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
  static Place placeOf(const Vec3f& p) {
    const float azimuth = angleOf(p.y(), p.x());
    const float elevation = angleOf(p.z(), std::sqrt(p.x() * p.x() + p.y() * p.y()));
    const float column = (azimuth + 3.14159274f) * (kColumns / 6.28318531f);
    const float row = (elevation + 1.57079637f) * (kRows / 3.14159274f);
    const int c = std::clamp(static_cast<int>(column), 0, kColumns - 1);
    const int r = std::clamp(static_cast<int>(row), 0, kRows - 1);
    const auto within = [](float at, int bin) {
      return std::clamp(at - static_cast<float>(bin), 0.0f, 0.999f);
    };
    return {static_cast<size_t>(r) * kColumns + c, within(column, c), within(row, r)};
  }
  std::vector<Bin> bins_;
};

}  // namespace gs

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace gs {

// How a LiDAR's intensity depends on range and angle, learnt from the drive itself: the same place
// is seen again and again from elsewhere, and only the view changes.
class IntensityModel {
 public:
  static constexpr int kRangeBins = 16, kCosineBins = 10;

  // One sight of a voxel.
  struct Sight {
    uint32_t voxel;
    float intensity;  // > 0
    float range, cosine;
  };
  // Least squares of log intensity = voxel + range bin + cosine bin. Identity without sights.
  static IntensityModel fit(const std::vector<Sight>& sights, uint32_t voxel_count);

  // What the sensor would have said at 10 m, face-on.
  float corrected(float intensity, float range, float cosine) const;

 private:
  std::array<double, kRangeBins> range_gain_{};  // logarithms, added
  std::array<double, kCosineBins> cosine_gain_{};
};

}  // namespace gs

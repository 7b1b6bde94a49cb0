// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "gs/core/linear.hpp"

namespace gs {

// Light to display values, as a camera does it: exposure, a soft shoulder, the sRGB curve. Edges
// are averaged in display values, so that a bright sky does not eat the roof before it.
class ToneCurve {
 public:
  explicit ToneCurve(double exposure) {
    for (int i = 0; i < kSize; ++i) {
      const double root = static_cast<double>(i) / (kSize - 1);
      const double light = kBrightest * root * root * exposure;
      const double shown = 1 - std::exp(-1.25 * light);
      const double srgb =
          shown <= 0.0031308 ? 12.92 * shown : 1.055 * std::pow(shown, 1 / 2.4) - 0.055;
      table_[i] = static_cast<float>(255 * srgb);
    }
  }

  Vec3f display(const Vec3f& light) const { return {at(light.x()), at(light.y()), at(light.z())}; }
  static void store(const Vec3f& shown, uint8_t* rgb) {
    for (int i = 0; i < 3; ++i) rgb[i] = static_cast<uint8_t>(shown[i] + 0.5f);
  }

 private:
  static constexpr int kSize = 4096;
  static constexpr float kBrightest = 8;

  // Indexed by the root of the light: fine steps in the dark, where the eye and sRGB have them.
  float at(float light) const {
    const float root = std::sqrt(std::clamp(light / kBrightest, 0.0f, 1.0f));
    return table_[static_cast<int>(root * (kSize - 1) + 0.5f)];
  }

  std::array<float, kSize> table_;
};

}  // namespace gs

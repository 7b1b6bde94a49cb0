// SPDX-License-Identifier: Apache-2.0
#include "gs/bundle/gaussian_encoding.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gs {

float logFromScale(float scale) {
  if (scale == 0) scale = std::numeric_limits<float>::min();
  return static_cast<float>(std::log(static_cast<double>(scale)));
}

float logitFromOpacity(float opacity) {
  constexpr double kMargin = 0x1.0p-24;
  const double p = std::clamp(static_cast<double>(opacity), kMargin, 1.0 - kMargin);
  return static_cast<float>(std::log(p / (1.0 - p)));
}

}  // namespace gs

// SPDX-License-Identifier: Apache-2.0
#include "gs/render/usable_splat.hpp"

#include <cmath>

#include "gs/render/half_float.hpp"

namespace gs {

float opacityOf(const GaussianCloud& cloud, size_t index) {
  return static_cast<float>(1 / (1 + std::exp(-static_cast<double>(cloud.logit_opacity[index]))));
}

bool isUsable(const GaussianCloud& cloud, size_t index) {
  constexpr float kFar = 1e7f;         // m: its squares still fit into a float
  constexpr float kLogFar = 16.1181f;  // ln(kFar)
  for (const auto& axis : cloud.position)
    if (!(std::abs(axis[index]) <= kFar)) return false;
  for (const auto& axis : cloud.log_scale)
    if (!(axis[index] <= kLogFar)) return false;
  double norm2 = 0;
  for (const auto& part : cloud.rotation) norm2 += static_cast<double>(part[index]) * part[index];
  if (!(norm2 > 0) || !std::isfinite(norm2)) return false;
  if (!(opacityOf(cloud, index) >= 1.0f / 255)) return false;
  for (const auto& channel : cloud.sh_dc)
    if (!(std::abs(channel[index]) <= kMaxHalf)) return false;
  const size_t rest = restCount(cloud.sh_degree);
  for (size_t k = 0; k < rest; ++k)
    if (!(std::abs(cloud.sh_rest[index * rest + k]) <= kMaxHalf)) return false;
  return true;
}

}  // namespace gs

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "gs/bundle/gaussian_cloud.hpp"
#include "gs/core/rng.hpp"

namespace gs::testing {

// Plausible splats: positions within 50 m, sizes from millimetres to metres, unit rotations.
inline GaussianCloud randomCloud(size_t count, int sh_degree, uint64_t seed) {
  Rng rng(seed);
  const auto between = [&rng](double low, double high) {
    return static_cast<float>(rng.uniform(low, high));
  };
  GaussianCloud cloud;
  cloud.sh_degree = sh_degree;
  cloud.resize(count);
  for (size_t i = 0; i < count; ++i) {
    for (auto& axis : cloud.position) axis[i] = between(-50, 50);
    for (auto& axis : cloud.log_scale) axis[i] = between(-7, 1);
    double quaternion[4];
    double length = 0;
    for (double& q : quaternion) q = rng.normal(), length += q * q;
    for (size_t k = 0; k < 4; ++k)
      cloud.rotation[k][i] = static_cast<float>(quaternion[k] / std::sqrt(length));
    cloud.logit_opacity[i] = between(-5, 5);
    for (auto& channel : cloud.sh_dc) channel[i] = between(-1.7, 1.7);
  }
  for (float& value : cloud.sh_rest) value = between(-0.9, 0.9);
  return cloud;
}

}  // namespace gs::testing

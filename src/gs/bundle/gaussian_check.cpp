// SPDX-License-Identifier: Apache-2.0
#include "gs/bundle/gaussian_check.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <span>

#include "gs/bundle/gaussian_rows.hpp"
#include "gs/core/parallel.hpp"

namespace gs {
namespace {

constexpr size_t kSplatsPerTask = 4096;

// Without a branch per value, so that the compiler can use vectors: all exponent bits set.
bool allFinite(std::span<const float> values) {
  uint32_t bad = 0;
  for (const float value : values)
    bad |= static_cast<uint32_t>((std::bit_cast<uint32_t>(value) & 0x7f800000u) == 0x7f800000u);
  return bad == 0;
}

GaussianDefects defectsOf(const GaussianCloud& cloud, size_t begin, size_t end) {
  GaussianDefects found;
  for (size_t i = begin; i < end; ++i) {
    const std::array p{cloud.position[0][i], cloud.position[1][i], cloud.position[2][i]};
    if (allFinite(p))
      for (size_t axis = 0; axis < 3; ++axis) {
        found.min[axis] = std::min(found.min[axis], p[axis]);
        found.max[axis] = std::max(found.max[axis], p[axis]);
      }
    const double length = rotationLength(cloud, i);
    if (!isFinite(cloud, i)) {
      ++found.non_finite;
      if (!found.first_non_finite) found.first_non_finite = i;
    }
    if (std::isfinite(length) && std::abs(length - 1) > kUnitTolerance) {
      ++found.non_unit;
      if (!found.first_non_unit) found.first_non_unit = i;
    }
  }
  return found;
}

// `a` covers the splats before `b`.
GaussianDefects joined(GaussianDefects a, const GaussianDefects& b) {
  a.non_finite += b.non_finite;
  a.non_unit += b.non_unit;
  if (!a.first_non_finite) a.first_non_finite = b.first_non_finite;
  if (!a.first_non_unit) a.first_non_unit = b.first_non_unit;
  for (size_t axis = 0; axis < 3; ++axis) {
    a.min[axis] = std::min(a.min[axis], b.min[axis]);
    a.max[axis] = std::max(a.max[axis], b.max[axis]);
  }
  return a;
}

}  // namespace

double rotationLength(const GaussianCloud& cloud, size_t i) {
  double sum = 0;
  for (const auto& axis : cloud.rotation) sum += static_cast<double>(axis[i]) * axis[i];
  return std::sqrt(sum);
}

bool isFinite(const GaussianCloud& cloud, size_t i) {
  std::array<float, kScalarCount> scalars;
  const auto arrays = scalarArrays(cloud);
  for (size_t k = 0; k < kScalarCount; ++k) scalars[k] = (*arrays[k])[i];
  const size_t rest = restCount(cloud.sh_degree);
  return allFinite(scalars) && allFinite(std::span(cloud.sh_rest).subspan(i * rest, rest));
}

GaussianDefects findDefects(const GaussianCloud& cloud) {
  return parallelReduce(
      cloud.size(), kSplatsPerTask, GaussianDefects(),
      [&](size_t begin, size_t end) { return defectsOf(cloud, begin, end); }, joined);
}

}  // namespace gs

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <optional>

#include "gs/bundle/gaussian_cloud.hpp"

namespace gs {

// A rotation counts as unit while its length is within this of 1: float rounding stays far below.
constexpr double kUnitTolerance = 1e-6;

// What is wrong with a cloud, and where it lies.
struct GaussianDefects {
  size_t non_finite = 0;  // splats with a NaN or an infinity anywhere
  std::optional<size_t> first_non_finite;
  size_t non_unit = 0;  // splats with a finite rotation that is not of unit length
  std::optional<size_t> first_non_unit;
  // Bounding box of the finite positions in m; min > max when there is none.
  std::array<float, 3> min{kNothing, kNothing, kNothing};
  std::array<float, 3> max{-kNothing, -kNothing, -kNothing};

  bool empty() const { return non_finite == 0 && non_unit == 0; }
  bool hasBox() const { return min[0] <= max[0]; }
  bool operator==(const GaussianDefects&) const = default;

  static constexpr float kNothing = std::numeric_limits<float>::infinity();
};

GaussianDefects findDefects(const GaussianCloud& cloud);

// Length of splat i's rotation, in double: no float quaternion overflows it.
double rotationLength(const GaussianCloud& cloud, size_t i);
// No NaN or infinity in any attribute of splat i.
bool isFinite(const GaussianCloud& cloud, size_t i);

}  // namespace gs

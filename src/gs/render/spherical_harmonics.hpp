// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "gs/core/linear.hpp"

namespace gs {

// The real basis of 3D Gaussian Splatting, degree by degree; d is a unit direction from the camera
// to the splat. Constants and signs as in every 3DGS file.
constexpr double kSh0 = 0.28209479177387814;
constexpr double kSh1 = 0.4886025119029199;
constexpr std::array<double, 5> kSh2{1.0925484305920792, -1.0925484305920792, 0.31539156525252005,
                                     -1.0925484305920792, 0.5462742152960396};
constexpr std::array<double, 7> kSh3{-0.5900435899266435, 2.890611442640554,   -0.4570457994644658,
                                     0.3731763325901154,  -0.4570457994644658, 1.445305721320277,
                                     -0.5900435899266435};

inline std::array<double, 16> shBasis(const Vec3& d) {
  const double x = d.x(), y = d.y(), z = d.z(), xx = x * x, yy = y * y, zz = z * z;
  return {kSh0,
          -kSh1 * y,
          kSh1 * z,
          -kSh1 * x,
          kSh2[0] * x * y,
          kSh2[1] * y * z,
          kSh2[2] * (2 * zz - xx - yy),
          kSh2[3] * x * z,
          kSh2[4] * (xx - yy),
          kSh3[0] * y * (3 * xx - yy),
          kSh3[1] * x * y * z,
          kSh3[2] * y * (4 * zz - xx - yy),
          kSh3[3] * z * (2 * zz - 3 * xx - 3 * yy),
          kSh3[4] * x * (4 * zz - xx - yy),
          kSh3[5] * z * (xx - yy),
          kSh3[6] * x * (xx - 3 * yy)};
}

}  // namespace gs

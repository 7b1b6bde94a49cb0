// SPDX-License-Identifier: Apache-2.0
#include "gs/render/transform_cloud.hpp"

#include <gtest/gtest.h>

#include "gs/bundle/testing/random_cloud.hpp"
#include "gs/render/spherical_harmonics.hpp"

namespace gs {
namespace {

// The colour of a splat's channel as seen along a direction.
double colorAlong(const GaussianCloud& cloud, size_t i, size_t channel, const Vec3& d) {
  const auto basis = shBasis(d);
  const size_t per_channel = restCount(cloud.sh_degree) / 3;
  double color = basis[0] * cloud.sh_dc[channel][i];
  for (size_t k = 0; k < per_channel; ++k)
    color += basis[k + 1] * cloud.sh_rest[i * 3 * per_channel + channel * per_channel + k];
  return color;
}

TEST(TransformCloud, ColorTurnsWithTheWorld) {
  const Rigid3 b_from_a{fromRollPitchYaw(0.3, -1.1, 2.0), Vec3(5, -7, 3)};
  for (int degree = 0; degree <= 3; ++degree) {
    const GaussianCloud before = testing::randomCloud(5, degree, 3);
    GaussianCloud after = before;
    transformCloud(b_from_a, after);
    for (const Vec3& d : {Vec3(1, 0, 0), Vec3(0.6, 0, -0.8), Vec3(-0.48, 0.6, 0.64)})
      for (size_t i = 0; i < before.size(); ++i)
        for (size_t channel = 0; channel < 3; ++channel)
          EXPECT_NEAR(colorAlong(after, i, channel, b_from_a.rotation * d),
                      colorAlong(before, i, channel, d), 1e-4);
  }
}

TEST(TransformCloud, ThereAndBackIsWhereItWas) {
  const Rigid3 b_from_a{fromRollPitchYaw(-0.7, 0.4, 1.0), Vec3(1, 2, 3)};
  const GaussianCloud before = testing::randomCloud(20, 3, 9);
  GaussianCloud after = before;
  transformCloud(b_from_a, after);
  const Vec3 moved =
      b_from_a * Vec3(before.position[0][4], before.position[1][4], before.position[2][4]);
  EXPECT_NEAR(after.position[0][4], moved.x(), 1e-4);
  transformCloud(b_from_a.inverse(), after);
  for (size_t i = 0; i < before.size(); ++i) {
    for (int axis = 0; axis < 3; ++axis)
      EXPECT_NEAR(after.position[axis][i], before.position[axis][i], 1e-3);
    double dot = 0;  // a quaternion and its negative are the same rotation
    for (int k = 0; k < 4; ++k)
      dot += static_cast<double>(after.rotation[k][i]) * before.rotation[k][i];
    EXPECT_NEAR(std::abs(dot), 1, 1e-5);
  }
  for (size_t k = 0; k < before.sh_rest.size(); ++k)
    EXPECT_NEAR(after.sh_rest[k], before.sh_rest[k], 1e-4);
}

}  // namespace
}  // namespace gs

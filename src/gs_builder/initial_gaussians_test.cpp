// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/initial_gaussians.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace gs_builder {
namespace {

TEST(InitialGaussians, LieFlatOnTheirSurface) {
  const auto point = [](size_t i) {
    return SurfacePoint{.position = gs::Vec3(static_cast<double>(i), 2, 3),
                        .normal = i == 1 ? gs::Vec3f(0, 0, 0) : gs::Vec3f(1, 0, 0),
                        .spacing = 0.2f,
                        .color = {255, 128, 0}};
  };
  const gs::GaussianCloud cloud = initialGaussians(2, point, {.sh_degree = 1});
  ASSERT_EQ(cloud.size(), 2u);
  // The thin axis, z of the splat, points along the normal.
  const Eigen::Quaternionf q(cloud.rotation[3][0], cloud.rotation[0][0], cloud.rotation[1][0],
                             cloud.rotation[2][0]);
  EXPECT_NEAR((q * gs::Vec3f::UnitZ() - gs::Vec3f::UnitX()).norm(), 0, 1e-6);
  EXPECT_LT(cloud.log_scale[2][0], cloud.log_scale[0][0] - 2);
  EXPECT_FLOAT_EQ(cloud.log_scale[2][1], cloud.log_scale[0][1]);  // no normal: round
  EXPECT_NEAR(1 / (1 + std::exp(-cloud.logit_opacity[0])), 0.9, 1e-6);
  EXPECT_NEAR(0.5 + 0.28209479 * cloud.sh_dc[0][0], 1.0, 1e-6);
  EXPECT_EQ(cloud.sh_rest, gs::GaussianCloud::Floats(2 * gs::restCount(1), 0.0f));
}

TEST(InitialGaussians, TooManyPointsAreThinnedAndGrown) {
  const auto point = [](size_t i) {
    return SurfacePoint{.position = gs::Vec3(static_cast<double>(i), 0, 0), .spacing = 0.1f};
  };
  const gs::GaussianCloud cloud = initialGaussians(100, point, {.max_count = 30});
  EXPECT_EQ(cloud.size(), 25u);
  EXPECT_FLOAT_EQ(cloud.position[0][1], 4);
  EXPECT_NEAR(std::exp(cloud.log_scale[0][0]), 0.65 * 0.1 * 2, 1e-6);
}

}  // namespace
}  // namespace gs_builder

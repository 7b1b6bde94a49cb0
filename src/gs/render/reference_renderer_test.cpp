// SPDX-License-Identifier: Apache-2.0
#include "gs/render/reference_renderer.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "gs/render/testing/small_clouds.hpp"

// The definition itself, against closed forms.
namespace gs {
namespace {

using testing::cloudOf;
using testing::PlainSplat;

constexpr double kFocal = 100;
// 41 x 41 pixels, the axis through the middle one.
const Camera kCamera = testing::pinhole(41, 41, kFocal);

ImageF colorsOf(const GaussianCloud& cloud, const RenderSettings& settings = {},
                const Rigid3& map_from_camera = {}) {
  return ReferenceRenderer(cloud)
      .render({kCamera, map_from_camera, {.rgb = false, .color = true}}, settings)
      .color;
}

TEST(ReferenceRenderer, DrawsOneRoundSplatAsAGaussian) {
  const ImageF image = colorsOf(cloudOf(
      {{.position = {0, 0, 5}, .scale = {0.2, 0.2, 0.2}, .opacity = 0.8, .rgb = {1, 0.5, 0}}}));
  const double variance = std::pow(kFocal * 0.2 / 5, 2) + 0.3;
  for (int x = 0; x < 41; ++x) {
    const double alpha = 0.8 * std::exp(-0.5 * (x - 20) * (x - 20) / variance);
    const double expected = alpha < 1.0 / 255 ? 0 : alpha;
    EXPECT_NEAR(image.at(x, 20)[0], expected, 1e-6) << x;
    EXPECT_NEAR(image.at(20, x)[1], 0.5 * expected, 1e-6) << x;
    EXPECT_NEAR(image.at(x, 20)[2], 0, 1e-7) << x;
  }
}

TEST(ReferenceRenderer, DrawsATiltedSplatAlongItsAxis) {
  // Long axis turned by 30 degrees in the image plane.
  const double angle = M_PI / 6;
  const ImageF image = colorsOf(cloudOf({{.position = {0, 0, 10},
                                          .scale = {1, 0.2, 0.2},
                                          .rotation = Quat(Eigen::AngleAxisd(angle, Vec3::UnitZ())),
                                          .opacity = 0.9,
                                          .rgb = {1, 1, 1}}}));
  const double along = std::pow(kFocal * 1.0 / 10, 2), across = std::pow(kFocal * 0.2 / 10, 2);
  Eigen::Matrix2d turn;
  turn << std::cos(angle), -std::sin(angle), std::sin(angle), std::cos(angle);
  const Eigen::Matrix2d covariance = turn * Vec2(along, across).asDiagonal() * turn.transpose() +
                                     0.3 * Eigen::Matrix2d::Identity();
  for (const auto& d : {Vec2(5, 3), Vec2(-4, 2), Vec2(0, -6), Vec2(10, 6)}) {
    const double alpha = 0.9 * std::exp(-0.5 * d.dot(covariance.inverse() * d));
    EXPECT_NEAR(image.at(20 + static_cast<int>(d.x()), 20 + static_cast<int>(d.y()))[0],
                alpha < 1.0 / 255 ? 0 : alpha, 1e-6);
  }
}

TEST(ReferenceRenderer, BlendsTheNearerSplatOverTheFarther) {
  const PlainSplat red{.position = {0, 0, 4}, .opacity = 0.6, .rgb = {1, 0, 0}};
  const PlainSplat blue{.position = {0, 0, 6}, .opacity = 0.5, .rgb = {0, 0, 1}};
  for (const GaussianCloud& cloud : {cloudOf({red, blue}), cloudOf({blue, red})}) {
    const ImageF image = colorsOf(cloud, {.background = {0, 1, 0}});
    EXPECT_NEAR(image.at(20, 20)[0], 0.6, 1e-6);
    EXPECT_NEAR(image.at(20, 20)[2], 0.4 * 0.5, 1e-6);
    EXPECT_NEAR(image.at(20, 20)[1], 0.4 * 0.5, 1e-6);  // what is left shows the background
  }
}

TEST(ReferenceRenderer, LetsNoSplatBeQuiteOpaque) {
  const ImageF image = colorsOf(cloudOf({{.opacity = 0.999999, .rgb = {1, 1, 1}}}));
  EXPECT_NEAR(image.at(20, 20)[0], 0.99, 1e-6);
}

TEST(ReferenceRenderer, LeavesOutWhatIsBehindOrTooNearOrTooFar) {
  for (const double z : {-5.0, 0.05, 200.0}) {
    const ImageF image = colorsOf(cloudOf({{.position = {0, 0, z}, .scale = {1, 1, 1}}}),
                                  {.near_plane = 0.1, .far_plane = 100});
    for (const float value : image.pixels) ASSERT_EQ(value, 0) << z;
  }
}

TEST(ReferenceRenderer, CutsASplatAtTheEdgeOfTheImage) {
  // Its centre is 10 px outside; the visible part is still the same Gaussian.
  const ImageF image = colorsOf(cloudOf(
      {{.position = {-1.5, 0, 5}, .scale = {0.3, 0.3, 0.3}, .opacity = 0.9, .rgb = {1, 1, 1}}}));
  const Lens lens(kCamera);
  const auto point = lens.project({-1.5, 0, 5});
  const double xx = std::pow(0.3, 2) * point->px_by_point.row(0).squaredNorm() + 0.3;
  EXPECT_NEAR(point->px.x(), -10, 1e-9);
  EXPECT_NEAR(image.at(0, 20)[0], 0.9 * std::exp(-0.5 * 100 / xx), 1e-6);
}

TEST(ReferenceRenderer, FillsTheImageWithAnEnormousSplat) {
  const ImageF image = colorsOf(cloudOf(
      {{.position = {0, 0, 10}, .scale = {1e5, 1e5, 1}, .opacity = 0.7, .rgb = {1, 1, 1}}}));
  for (size_t i = 0; i < image.pixels.size(); ++i) ASSERT_NEAR(image.pixels[i], 0.7, 1e-5);
}

TEST(ReferenceRenderer, DrawsANeedleAsALineOfTheDilationsWidth) {
  const ImageF image = colorsOf(cloudOf(
      {{.position = {0, 0, 10}, .scale = {100, 1e-7, 1e-7}, .opacity = 0.8, .rgb = {1, 1, 1}}}));
  for (int x = 0; x < 41; ++x) {
    EXPECT_NEAR(image.at(x, 20)[0], 0.8, 1e-3);
    EXPECT_NEAR(image.at(x, 21)[0], 0.8 * std::exp(-0.5 / 0.3), 1e-3);
  }
}

TEST(ReferenceRenderer, KeepsTheLightOfASmallSplatWhenAntialiased) {
  // Twice as far, a quarter of the area: the sum over the image falls to a quarter, where the
  // dilation alone would keep it nearly the same.
  const auto sum = [](double z, bool is_antialiased) {
    double total = 0;
    for (const float value :
         colorsOf(cloudOf({{.position = {0, 0, z}, .scale = {0.01, 0.01, 0.01}, .opacity = 0.9}}),
                  {.is_antialiased = is_antialiased})
             .pixels)
      total += value;
    return total;
  };
  EXPECT_GT(sum(4, false) / sum(2, false), 0.6);
  EXPECT_NEAR(sum(4, true) / sum(2, true), 0.25, 0.07);
}

TEST(ReferenceRenderer, ColoursAreSeenAlongTheViewingDirection) {
  // One linear coefficient: colour = 0.5 + sqrt(3 / 4 pi) * z * f, seen from below and from above.
  GaussianCloud cloud =
      cloudOf({{.position = {0, 0, 5}, .opacity = 0.5, .rgb = {0.5, 0.5, 0.5}}}, 1);
  cloud.sh_rest[1] = 0.8f;  // red, the coefficient of z
  const double tilt = std::sqrt(3 / (4 * M_PI)) * 0.8;
  EXPECT_NEAR(colorsOf(cloud).at(20, 20)[0], 0.5 * (0.5 + tilt), 1e-6);
  const Rigid3 from_above{Quat(Eigen::AngleAxisd(M_PI, Vec3::UnitX())), Vec3(0, 0, 10)};
  EXPECT_NEAR(colorsOf(cloud, {}, from_above).at(20, 20)[0], 0.5 * (0.5 - tilt), 1e-6);
  EXPECT_NEAR(colorsOf(cloud, {}, from_above).at(20, 20)[1], 0.25, 1e-6);
}

TEST(ReferenceRenderer, MeasuresDepthAndCount) {
  const GaussianCloud cloud =
      cloudOf({{.position = {0, 0, 4}, .opacity = 0.5}, {.position = {0, 0, 8}, .opacity = 0.5}});
  const RenderedView view = ReferenceRenderer(cloud).render(
      {kCamera, {}, {.depth = true, .opacity = true, .splat_count = true}}, {});
  EXPECT_NEAR(*view.depth.at(20, 20), (0.5 * 4 + 0.25 * 8) / 0.75, 1e-5);
  EXPECT_NEAR(*view.opacity.at(20, 20), 0.75, 1e-6);
  EXPECT_EQ(*view.splat_count.at(20, 20), 2u);
  EXPECT_EQ(*view.depth.at(0, 0), 0);
}

}  // namespace
}  // namespace gs

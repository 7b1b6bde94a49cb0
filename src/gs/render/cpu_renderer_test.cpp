// SPDX-License-Identifier: Apache-2.0
#include "gs/render/cpu_renderer.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "gs/core/error.hpp"
#include "gs/core/parallel.hpp"
#include "gs/render/image_metrics.hpp"
#include "gs/render/kernels/simd_targets.hpp"
#include "gs/render/reference_renderer.hpp"
#include "gs/render/testing/small_clouds.hpp"

namespace gs {
namespace {

using testing::append;
using testing::cloudOf;
using testing::PlainSplat;
using testing::randomCloud;

struct CameraCase {
  std::string name;
  Camera camera;
};

std::vector<CameraCase> cameras() {
  Camera ros = testing::radtan(160, 90, 90);
  ros.convention = CameraConvention::Ros;
  return {{"pinhole", testing::pinhole(160, 90, 100)},
          {"radtan", testing::radtan(160, 90, 90)},
          {"rational", testing::rational(160, 90, 90)},
          {"fisheye", testing::fisheye(128, 128, 128 / M_PI)},
          {"ros", ros},
          {"odd", testing::pinhole(37, 41, 30)}};
}

// What a camera of the case's convention needs to look along +z with y down.
Rigid3 lookingAhead(const Camera& camera) {
  return {opencvFromCamera(camera.convention), Vec3::Zero()};
}

void expectLikeReference(const GaussianCloud& cloud, const SplatView& view,
                         const RenderSettings& settings) {
  const RenderedView expected = ReferenceRenderer(cloud).render(view, settings);
  const RenderedView actual = CpuRenderer(cloud).render(view, settings);
  const ImageDifference difference = differenceBetween(expected.rgb, actual.rgb);
  EXPECT_GE(difference.psnr_db, 50);
  EXPECT_GE(difference.within_two, 0.999);
  EXPECT_EQ(actual.statistics.splats_in_view > 0, expected.statistics.splats_in_view > 0);
}

TEST(CpuRenderer, DrawsWhatTheReferenceDrawsWithEveryLens) {
  for (const CameraCase& c : cameras())
    for (const int degree : {0, 1, 2, 3}) {
      SCOPED_TRACE(c.name + " degree " + std::to_string(degree));
      expectLikeReference(randomCloud(3000, degree, 11),
                          {.camera = c.camera, .map_from_camera = lookingAhead(c.camera)},
                          {.background = {0.2f, 0.4f, 0.6f}});
    }
}

TEST(CpuRenderer, DrawsWhatTheReferenceDrawsFromAnyPose) {
  Rng rng(5);
  const GaussianCloud cloud = randomCloud(3000, 1, 12);
  for (int n = 0; n < 12; ++n) {
    const Rigid3 pose{Quat(rng.normal(), rng.normal(), rng.normal(), rng.normal()).normalized(),
                      Vec3(rng.uniform(-5, 5), rng.uniform(-5, 5), rng.uniform(0, 15))};
    for (const CameraCase& c : cameras()) {
      SCOPED_TRACE(c.name + " pose " + std::to_string(n));
      expectLikeReference(cloud, {.camera = c.camera, .map_from_camera = pose}, {});
    }
  }
}

TEST(CpuRenderer, DrawsWhatTheReferenceDrawsAntialiased) {
  const GaussianCloud cloud = randomCloud(3000, 0, 13, 30);
  expectLikeReference(cloud, {.camera = testing::pinhole(160, 90, 100)}, {.is_antialiased = true});
}

TEST(CpuRenderer, GivesTheSameBytesForAnyNumberOfThreads) {
  const CpuRenderer renderer(randomCloud(20000, 3, 14));
  const SplatView view{.camera = testing::radtan(200, 150, 120),
                       .outputs = {.color = true, .depth = true, .splat_count = true}};
  setThreadCount(1);
  const RenderedView one = renderer.render(view, {});
  setThreadCount(8);
  const RenderedView eight = renderer.render(view, {});
  setThreadCount(0);
  EXPECT_EQ(one.rgb, eight.rgb);
  EXPECT_EQ(one.color, eight.color);
  EXPECT_EQ(one.depth, eight.depth);
  EXPECT_EQ(one.splat_count, eight.splat_count);
}

TEST(CpuRenderer, DiffersByTwoGreyLevelsAtMostBetweenInstructionSets) {
  const CpuRenderer renderer(randomCloud(5000, 3, 15));
  for (const CameraCase& c : cameras()) {
    const SplatView view{.camera = c.camera, .map_from_camera = lookingAhead(c.camera)};
    const Image8 best = renderer.render(view, {}).rgb;
    for (const std::string& target : simdTargets()) {
      SCOPED_TRACE(c.name + " " + target);
      useSimdTarget(target);
      const ImageDifference difference = differenceBetween(best, renderer.render(view, {}).rgb);
      EXPECT_LE(difference.largest, 2);
      EXPECT_GE(difference.psnr_db, 60);
    }
    useSimdTarget("");
  }
}

TEST(CpuRenderer, RendersSeveralCamerasAsOneByOne) {
  const CpuRenderer renderer(randomCloud(5000, 2, 16));
  std::vector<SplatView> views;
  for (const CameraCase& c : cameras())
    views.push_back({.camera = c.camera, .map_from_camera = lookingAhead(c.camera)});
  const std::vector<RenderedView> together = renderer.renderAll(views, {});
  ASSERT_EQ(together.size(), views.size());
  for (size_t i = 0; i < views.size(); ++i)
    EXPECT_EQ(together[i].rgb, renderer.render(views[i], {}).rgb) << i;
}

TEST(CpuRenderer, MeasuresDepthOpacityAndCountLikeTheReference) {
  const GaussianCloud cloud = randomCloud(2000, 0, 17);
  const SplatView view{
      .camera = testing::pinhole(120, 80, 80),
      .outputs = {.color = true, .depth = true, .opacity = true, .splat_count = true}};
  const RenderedView expected = ReferenceRenderer(cloud).render(view, {});
  const RenderedView actual = CpuRenderer(cloud).render(view, {});
  size_t far = 0;
  for (size_t i = 0; i < expected.depth.pixels.size(); ++i) {
    EXPECT_NEAR(actual.opacity.pixels[i], expected.opacity.pixels[i], 0.006) << i;
    for (size_t c = 0; c < 3; ++c)
      EXPECT_NEAR(actual.color.pixels[3 * i + c], expected.color.pixels[3 * i + c], 0.01) << i;
    if (expected.opacity.pixels[i] > 0.1)
      far += std::abs(actual.depth.pixels[i] - expected.depth.pixels[i]) >
             0.01 * expected.depth.pixels[i];
    const int counts = static_cast<int>(actual.splat_count.pixels[i]) -
                       static_cast<int>(expected.splat_count.pixels[i]);
    // The fast path stops at less transmittance left, the reference looks once more.
    EXPECT_LE(counts, 3) << i;
  }
  EXPECT_LE(far, expected.depth.pixels.size() / 200);
}

TEST(CpuRenderer, PutsTheSkyWhereLightRemains) {
  Image8 sky(64, 32, 3);
  for (int y = 0; y < 32; ++y)
    for (int x = 0; x < 64; ++x) {
      sky.at(x, y)[0] = static_cast<uint8_t>(128 + 100 * std::sin(x * 2 * M_PI / 64));
      sky.at(x, y)[1] = static_cast<uint8_t>(8 * y);
      sky.at(x, y)[2] = 200;
    }
  for (const CameraCase& c : cameras()) {
    SCOPED_TRACE(c.name);
    expectLikeReference(randomCloud(300, 0, 18),
                        {.camera = c.camera, .map_from_camera = lookingAhead(c.camera)},
                        {.sky = Sky(sky), .gain = {1.1f, 0.9f, 1.0f}});
  }
}

TEST(CpuRenderer, SkipsWhatIsNotAUsableSplat) {
  constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const GaussianCloud good = randomCloud(500, 1, 19);
  GaussianCloud bad = good;
  for (int n = 0; n < 14; ++n) append(bad, {});
  const size_t i = good.size();
  bad.position[0][i] = kNaN;
  bad.position[1][i + 1] = kInfinity;
  bad.log_scale[0][i + 2] = kNaN;
  bad.log_scale[1][i + 3] = kInfinity;
  bad.rotation[0][i + 4] = kNaN;
  for (auto& part : bad.rotation) part[i + 5] = 0;
  bad.logit_opacity[i + 6] = kNaN;
  bad.logit_opacity[i + 7] = -kInfinity;
  bad.sh_dc[0][i + 8] = kNaN;
  bad.sh_dc[1][i + 9] = kInfinity;
  bad.sh_rest[(i + 10) * 9] = kNaN;
  bad.sh_rest[(i + 11) * 9 + 8] = 1e30f;
  bad.log_scale[2][i + 12] = 100;
  bad.position[2][i + 13] = 1e30f;
  const SplatView view{.camera = testing::pinhole(100, 80, 80)};
  const CpuRenderer renderer(bad);
  EXPECT_EQ(renderer.splatsOf(0).dropped, 14u + CpuRenderer(good).splatsOf(0).dropped);
  EXPECT_EQ(renderer.render(view, {}).rgb, CpuRenderer(good).render(view, {}).rgb);
}

TEST(CpuRenderer, DrawsExtremeButUsableSplatsLikeTheReference) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  GaussianCloud cloud = cloudOf({
      {.position = {0, 0, 3}, .scale = {5, 5, 5}, .opacity = 0.3},          // camera inside
      {.position = {0.5, 0, 2}, .scale = {1e-6, 1e-6, 1e-6}},               // a point
      {.position = {0, 0.5, 2}, .scale = {2, 1e-5, 1e-5}},                  // a needle
      {.position = {-3, 0, 0.2}, .scale = {0.3, 0.3, 0.3}},                 // far off axis
      {.position = {0, 0, -1}, .scale = {0.5, 0.5, 0.5}},                   // behind
      {.position = {0, 0, 900}, .scale = {1000, 1000, 1}, .opacity = 0.9},  // enormous
      {.position = {1, 1, 4}, .opacity = 0.999999},
      {.position = {1, -1, 4}, .opacity = 1.0 / 254},
  });
  cloud.logit_opacity[6] = kInfinity;                       // opacity 1
  for (auto& axis : cloud.log_scale) axis[1] = -kInfinity;  // scale 0
  for (auto& part : cloud.rotation) part[2] *= 1e-38f;      // nearly no quaternion
  for (const CameraCase& c : cameras()) {
    SCOPED_TRACE(c.name);
    expectLikeReference(cloud, {.camera = c.camera, .map_from_camera = lookingAhead(c.camera)}, {});
  }
}

TEST(CpuRenderer, BlendsAHundredThousandSplatsOfOnePixel) {
  GaussianCloud cloud;
  for (int i = 0; i < 100000; ++i)
    append(cloud,
           {.position = {0, 0, 5 + 1e-5 * i}, .scale = {1e-4, 1e-4, 1e-4}, .opacity = 0.005});
  expectLikeReference(cloud, {.camera = testing::pinhole(33, 33, 30)}, {});
}

TEST(CpuRenderer, NeedsSeveralPassesWhenEverySplatFillsTheImage) {
  GaussianCloud cloud;
  Rng rng(3);
  for (int i = 0; i < 20000; ++i)
    append(cloud, {.position = {0, 0, rng.uniform(5, 100)},
                   .scale = {500, 500, 0.1},
                   .opacity = 0.02,
                   .rgb = {rng.uniform(), rng.uniform(), rng.uniform()}});
  const RenderedView view =
      CpuRenderer(cloud).render({.camera = testing::pinhole(1400, 1400, 1000)}, {});
  const auto& phases = view.statistics.phases;
  EXPECT_GT(std::count_if(phases.begin(), phases.end(),
                          [](const auto& phase) { return phase.name == "blend"; }),
            1);
  const RenderedView small =
      ReferenceRenderer(cloud).render({.camera = testing::pinhole(1, 1, 1000)}, {});
  for (int c = 0; c < 3; ++c)
    EXPECT_NEAR(view.rgb.at(700, 700)[c], small.rgb.pixels[static_cast<size_t>(c)], 1);
}

TEST(CpuRenderer, RefusesAPoseThatIsNotFinite) {
  SplatView view{.camera = testing::pinhole(9, 7, 5)};
  view.map_from_camera.begin.translation.x() = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(CpuRenderer(GaussianCloud{}).render(view, {}), Error);
}

TEST(CpuRenderer, MakesImagesOfAnySize) {
  const CpuRenderer renderer(randomCloud(1000, 0, 20));
  const RenderedView dot = renderer.render({.camera = testing::pinhole(1, 1, 1)}, {});
  EXPECT_EQ(dot.rgb.pixels.size(), 3u);
  const RenderedView huge = renderer.render({.camera = testing::pinhole(8192, 8192, 5000)}, {});
  EXPECT_EQ(huge.rgb.pixels.size(), 3u * 8192 * 8192);
  const RenderedView empty =
      CpuRenderer(GaussianCloud{})
          .render({.camera = testing::pinhole(9, 7, 5)}, {.background = {1, 0, 0.5f}});
  EXPECT_EQ(empty.rgb.at(8, 6)[0], 255);
  EXPECT_EQ(empty.rgb.at(8, 6)[1], 0);
  EXPECT_EQ(empty.rgb.at(8, 6)[2], 128);
}

}  // namespace
}  // namespace gs

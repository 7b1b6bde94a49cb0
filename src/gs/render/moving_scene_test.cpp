// SPDX-License-Identifier: Apache-2.0
// Scenes of several instances: the fast renderer against the definition, and both against a single
// cloud into which every instance was written.
#include <limits>

#include <gmock/gmock.h>

#include "gs/core/error.hpp"
#include "gs/core/parallel.hpp"
#include "gs/render/cpu_renderer.hpp"
#include "gs/render/image_metrics.hpp"
#include "gs/render/make_splat_renderer.hpp"
#include "gs/render/reference_renderer.hpp"
#include "gs/render/testing/small_clouds.hpp"
#include "gs/render/transform_cloud.hpp"

namespace gs {
namespace {

// A thing of about a metre around its own zero, whose colour depends strongly on the direction.
GaussianCloud makeThing(size_t count, int sh_degree, uint64_t seed) {
  GaussianCloud thing = testing::randomCloud(count, sh_degree, seed, 0.4);
  for (float& z : thing.position[2]) z = 0.5f * z;
  for (auto& axis : thing.log_scale)
    for (float& s : axis) s -= 1.5f;
  for (float& c : thing.sh_rest) c *= 3;
  return thing;
}

struct Stage {
  GaussianCloud street = testing::randomCloud(2000, 1, 31);
  GaussianCloud car = makeThing(900, 3, 32), bike = makeThing(400, 2, 33);
  std::vector<const GaussianCloud*> assets() const { return {&street, &car, &bike}; }
};

// Instances turned anyhow, around and behind a camera at zero that looks along +z.
SceneState makeTraffic(size_t count, uint64_t seed) {
  Rng rng(seed);
  SceneState scene;
  for (size_t i = 0; i < count; ++i)
    scene.instances.push_back(
        {.asset = 1 + static_cast<uint32_t>(i % 2),
         .map_from_asset = Rigid3{
             Quat(rng.normal(), rng.normal(), rng.normal(), rng.normal()).normalized(),
             Vec3(rng.uniform(-4, 4), rng.uniform(-2, 2), i == 0 ? -5 : rng.uniform(2, 12))}});
  return scene;
}

SplatView viewWith(const Camera& camera) {
  return {.camera = camera,
          .outputs = {.color = true, .depth = true, .opacity = true, .splat_count = true}};
}

std::vector<Camera> lenses() {
  return {testing::pinhole(160, 90, 100), testing::radtan(160, 90, 90),
          testing::fisheye(128, 128, 128 / M_PI)};
}

void append(GaussianCloud& all, const GaussianCloud& part) {
  ASSERT_EQ(all.sh_degree, part.sh_degree);
  const auto join = [](auto& to, const auto& from) {
    to.insert(to.end(), from.begin(), from.end());
  };
  for (size_t k = 0; k < 3; ++k) {
    join(all.position[k], part.position[k]);
    join(all.log_scale[k], part.log_scale[k]);
    join(all.sh_dc[k], part.sh_dc[k]);
  }
  for (size_t k = 0; k < 4; ++k) join(all.rotation[k], part.rotation[k]);
  join(all.logit_opacity, part.logit_opacity);
  join(all.sh_rest, part.sh_rest);
}

TEST(MovingScene, FastRendererDrawsTurnedInstancesLikeTheReference) {
  const Stage stage;
  const CpuRenderer fast(stage.assets());
  const ReferenceRenderer reference(stage.assets());
  for (const uint64_t seed : {1, 2, 3}) {
    const SceneState scene = makeTraffic(10, seed);
    for (const Camera& camera : lenses()) {
      const RenderedView expected = reference.render(scene, viewWith(camera), {});
      const RenderedView actual = fast.render(scene, viewWith(camera), {});
      const ImageDifference difference = differenceBetween(expected.rgb, actual.rgb);
      EXPECT_GE(difference.psnr_db, 50);
      EXPECT_GE(difference.within_two, 0.999);
      EXPECT_NE(actual.rgb, fast.render(viewWith(camera), {}).rgb) << "they show at all";
    }
  }
}

TEST(MovingScene, AnInstanceLooksAsIfItsAssetHadBeenWrittenIntoTheMapThere) {
  const GaussianCloud street = testing::randomCloud(1500, 3, 41), car = makeThing(900, 3, 42);
  const ReferenceRenderer reference({&street, &car});
  const CpuRenderer fast({&street, &car});
  SceneState scene = makeTraffic(6, 43);
  GaussianCloud written = street;
  for (SceneInstance& instance : scene.instances) {
    if (&instance == &scene.instances[0]) continue;
    instance.asset = 1;
    GaussianCloud there = car;
    transformCloud(instance.map_from_asset.begin, there);
    append(written, there);
  }
  for (const Camera& camera : lenses()) {
    const SplatView view = viewWith(camera);
    const Image8 expected = ReferenceRenderer(written).render(view, {}).rgb;
    EXPECT_GE(differenceBetween(expected, reference.render(scene, view, {}).rgb).psnr_db, 65);
    EXPECT_GE(differenceBetween(expected, fast.render(scene, view, {}).rgb).psnr_db, 50);
  }
}

TEST(MovingScene, GivesTheSameBytesForAnyNumberOfThreads) {
  const Stage stage;
  const CpuRenderer renderer(stage.assets());
  const SceneState scene = makeTraffic(20, 5);
  const SplatView view = viewWith(testing::radtan(200, 150, 120));
  setThreadCount(1);
  const RenderedView one = renderer.render(scene, view, {});
  for (const int threads : {2, 8}) {
    setThreadCount(threads);
    const RenderedView many = renderer.render(scene, view, {});
    EXPECT_EQ(one.rgb, many.rgb) << threads;
    EXPECT_EQ(one.color, many.color) << threads;
    EXPECT_EQ(one.depth, many.depth) << threads;
    EXPECT_EQ(one.opacity, many.opacity) << threads;
    EXPECT_EQ(one.splat_count, many.splat_count) << threads;
  }
  setThreadCount(0);
}

TEST(MovingScene, SeveralCamerasSeeTheSameInstant) {
  const Stage stage;
  const CpuRenderer renderer(stage.assets());
  const SceneState scene = makeTraffic(8, 6);
  std::vector<SplatView> views;
  for (const Camera& camera : lenses()) views.push_back({.camera = camera});
  const std::vector<RenderedView> together = renderer.renderAll(scene, views, {});
  ASSERT_EQ(together.size(), views.size());
  for (size_t i = 0; i < views.size(); ++i)
    EXPECT_EQ(together[i].rgb, renderer.render(scene, views[i], {}).rgb) << i;
}

TEST(MovingScene, TheNearerInstanceHidesTheOtherAndTheBackground) {
  const auto plate = [](const Vec3& rgb) {
    return testing::cloudOf(
        {{.position = {0, 0, 0}, .scale = {2, 2, 0.01}, .opacity = 0.999, .rgb = rgb}});
  };
  GaussianCloud wall = plate({1, 1, 1});
  wall.position[2][0] = 20;
  const GaussianCloud red = plate({1, 0, 0}), green = plate({0, 1, 0});
  for (const auto& kind : {RendererKind::Cpu, RendererKind::Reference}) {
    const auto renderer = makeSplatRenderer(kind, {&wall, &red, &green});
    const auto middle = [&](double red_z, double green_z) {
      SceneState scene;
      scene.instances.push_back(
          {.asset = 1, .map_from_asset = Rigid3{Quat::Identity(), Vec3(0, 0, red_z)}});
      scene.instances.push_back(
          {.asset = 2, .map_from_asset = Rigid3{Quat::Identity(), Vec3(0, 0, green_z)}});
      const RenderedView view =
          renderer->render(scene, {.camera = testing::pinhole(31, 31, 30)}, {});
      const uint8_t* rgb = view.rgb.at(15, 15);
      return rgb[0] > 240 && rgb[1] < 15   ? "red"
             : rgb[1] > 240 && rgb[0] < 15 ? "green"
             : rgb[2] > 240                ? "wall"
                                           : "mixed";
    };
    EXPECT_STREQ(middle(5, 8), "red");
    EXPECT_STREQ(middle(8, 5), "green");
    EXPECT_STREQ(middle(25, 30), "wall");
    EXPECT_STREQ(middle(-5, 5), "green") << "the other one is behind the camera";
    EXPECT_STREQ(middle(0.01, 2000), "wall") << "nearer than near, farther than far";
  }
}

TEST(MovingScene, KeepsTheBytesOfTheBackgroundWhereNothingOfTheOthersShows) {
  const Stage stage;
  const GaussianCloud nothing;
  const CpuRenderer alone(stage.street), with({&stage.street, &stage.car, &nothing, nullptr});
  SceneState scene;
  scene.instances.push_back(
      {.asset = 1, .map_from_asset = Rigid3{Quat::Identity(), Vec3(0, 0, -9)}});
  scene.instances.push_back({.asset = 2});
  scene.instances.push_back({.asset = 3});
  for (const Camera& camera : lenses()) {
    const RenderedView expected = alone.render(viewWith(camera), {});
    for (const RenderedView& actual :
         {with.render(viewWith(camera), {}), with.render(scene, viewWith(camera), {})}) {
      EXPECT_EQ(actual.rgb, expected.rgb);
      EXPECT_EQ(actual.depth, expected.depth);
      EXPECT_EQ(actual.splat_count, expected.splat_count);
    }
  }
}

TEST(MovingScene, IsRefusedWithAPoseThatIsNotFiniteOrAnUnknownAsset) {
  const Stage stage;
  SceneState lost, unknown;
  lost.instances.push_back(
      {.asset = 1,
       .map_from_asset =
           Rigid3{Quat::Identity(), Vec3(0, std::numeric_limits<double>::quiet_NaN(), 0)}});
  unknown.instances.push_back({.asset = 3});
  const SplatView view{.camera = testing::pinhole(9, 7, 5)};
  for (const auto& kind : {RendererKind::Cpu, RendererKind::Reference}) {
    const auto renderer = makeSplatRenderer(kind, stage.assets());
    EXPECT_THROW(renderer->render(lost, view, {}), Error);
    EXPECT_THROW(renderer->render(unknown, view, {}), Error);
    EXPECT_THROW(renderer->renderAll(unknown, std::vector{view}, {}), Error);
  }
}

TEST(MakeSplatRenderer, HasNoGpuAndTakesTheCpuInstead) {
  const GaussianCloud cloud = testing::randomCloud(500, 1, 51);
  const SplatView view{.camera = testing::pinhole(64, 48, 50)};
  const Image8 expected = CpuRenderer(cloud).render(view, {}).rgb;
  EXPECT_EQ(makeSplatRenderer(RendererKind::Auto, {&cloud})->render(view, {}).rgb, expected);
  EXPECT_EQ(makeSplatRenderer(RendererKind::Cpu, {&cloud})->render(view, {}).rgb, expected);
  try {
    makeSplatRenderer(RendererKind::Vulkan, {&cloud});
    ADD_FAILURE() << "it says what it cannot do";
  } catch (const Error& error) {
    EXPECT_EQ(error.report().code, ErrorCode::GpuNotAvailable);
  }
}

TEST(RenderStatistics, TellHowMuchWasDoneAndHowLongEachPhaseTook) {
  const Stage stage;
  const SceneState scene = makeTraffic(4, 7);
  const RenderStatistics s = CpuRenderer(stage.assets())
                                 .render(scene, {.camera = testing::pinhole(160, 90, 100)}, {})
                                 .statistics;
  const RenderStatistics reference =
      ReferenceRenderer(stage.assets())
          .render(scene, {.camera = testing::pinhole(160, 90, 100)}, {})
          .statistics;
  EXPECT_EQ(s.splats, reference.splats);
  EXPECT_GE(s.splats_considered, s.splats_in_view);
  EXPECT_LE(s.splats_in_view, reference.splats_in_view) << "the reference counts those beside it";
  EXPECT_GT(s.evaluations, s.splats_in_view);
  std::vector<std::string> names;
  double sum = 0;
  for (const auto& [name, seconds] : s.phases) {
    names.push_back(name);
    sum += seconds;
  }
  EXPECT_THAT(names, ::testing::ElementsAre("cull", "project", "sort", "bin", "blend"));
  EXPECT_DOUBLE_EQ(s.seconds(), sum);
  EXPECT_DOUBLE_EQ(s.secondsOf("blend"), s.phases.back().seconds);
  EXPECT_EQ(s.secondsOf("lunch"), 0);
}

}  // namespace
}  // namespace gs

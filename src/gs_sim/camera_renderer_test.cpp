// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/camera_renderer.hpp"

#include <limits>

#include <gmock/gmock.h>

#include "gs/core/error.hpp"
#include "gs/render/cpu_renderer.hpp"
#include "gs/synthetic/minimal_bundle.hpp"

namespace gs_sim {
namespace {

const std::vector<std::string> kFront{"front"};

EgoState startOf(const gs::WorldBundle& bundle) {
  EgoState ego;
  ego.pose.x = bundle.timebase.initial_pose.position[0];
  ego.pose.y = bundle.timebase.initial_pose.position[1];
  return ego;
}

TEST(CameraRenderer, ShowsWhatTheRendererShowsFromTheCamerasPose) {
  const gs::WorldBundle bundle = gs::makeMinimalBundle();
  const auto cameras = createCameraRenderer(bundle, SensorParameters::Camera{});
  const EgoState ego = startOf(bundle);
  const auto outcomes = cameras->render(kFront, ego, {.step = 3, .stamp = {30'000'000}});
  ASSERT_EQ(outcomes.size(), 1u);
  ASSERT_TRUE(outcomes[0].value) << outcomes[0].problem;
  const CameraFrame& frame = *outcomes[0].value;
  EXPECT_EQ(frame.camera_id, "front");
  EXPECT_EQ(frame.frame_id, "camera_front");
  EXPECT_EQ(frame.stamp.ns, 30'000'000);
  EXPECT_FALSE(frame.is_repeated);
  const gs::CameraCalibration& camera = bundle.calibration.cameras.at("front");
  const gs::RenderedView expected =
      gs::CpuRenderer(bundle.gaussians)
          .render({gs::cameraOf(camera),
                   mapFromBase(ego.pose) * camera.extrinsics.baseFromSensor(),
                   {}},
                  gs::settingsFrom(bundle.render_config));
  EXPECT_EQ(frame.image, expected.rgb);
  EXPECT_GT(*std::max_element(frame.image.pixels.begin(), frame.image.pixels.end()), 50);
}

TEST(CameraRenderer, AppliesColourCorrectionAndSky) {
  gs::WorldBundle bundle = gs::makeMinimalBundle();
  bundle.gaussians = {};
  bundle.sky = gs::Image8(8, 4, 3);
  bundle.sky->pixels.assign(8 * 4 * 3, 60);
  bundle.render_config.color_correction.exposure_compensation = 1;
  const auto cameras = createCameraRenderer(bundle, SensorParameters::Camera{});
  const auto outcomes = cameras->render(kFront, {}, {});
  ASSERT_TRUE(outcomes[0].value);
  for (const uint8_t value : outcomes[0].value->image.pixels) ASSERT_NEAR(value, 120, 1);
}

TEST(CameraRenderer, MakesImagesOfAnySize) {
  gs::WorldBundle bundle = gs::makeMinimalBundle();
  auto& cameras = bundle.calibration.cameras;
  cameras["dot"] = cameras["huge"] = cameras.at("front");
  const auto resize = [](gs::CameraCalibration& camera, int size) {
    const double scale = static_cast<double>(size) / camera.image_width;
    camera.image_width = camera.image_height = size;
    camera.intrinsics.fx *= scale;
    camera.intrinsics.fy *= scale;
    camera.intrinsics.cx = camera.intrinsics.cy = (size - 1) / 2.0;
  };
  resize(cameras["dot"], 1);
  resize(cameras["huge"], 8192);
  const auto renderer = createCameraRenderer(bundle, SensorParameters::Camera{});
  const auto outcomes = renderer->render(std::vector<std::string>{"dot", "front", "huge"},
                                         startOf(bundle), StepInfo{});
  ASSERT_EQ(outcomes.size(), 3u);
  for (const auto& outcome : outcomes) ASSERT_TRUE(outcome.value) << outcome.problem;
  EXPECT_EQ(outcomes[0].value->image.pixels.size(), 3u);
  EXPECT_EQ(outcomes[2].value->image.pixels.size(), size_t{3} * 8192 * 8192);
}

TEST(CameraRenderer, OneFailureDoesNotTouchTheOthers) {
  const gs::WorldBundle bundle = gs::makeMinimalBundle();
  const auto cameras = createCameraRenderer(bundle, SensorParameters::Camera{});
  const auto outcomes =
      cameras->render(std::vector<std::string>{"rear", "front"}, startOf(bundle), StepInfo{});
  EXPECT_FALSE(outcomes[0].value);
  EXPECT_THAT(outcomes[0].problem, testing::HasSubstr("rear"));
  EXPECT_TRUE(outcomes[1].value);
}

// Fails for one size of image only.
class MoodyRenderer final : public gs::SplatRenderer {
 public:
  gs::RenderedView render(const gs::SceneState&, const gs::SplatView& view,
                          const gs::RenderSettings&) const override {
    if (view.camera.width == 13) throw std::runtime_error("thirteen");
    gs::RenderedView out;
    out.rgb = gs::Image8(view.camera.width, view.camera.height, 3);
    return out;
  }
};

TEST(CameraRenderer, TellsWhichImageFailedAndWhy) {
  gs::WorldBundle bundle = gs::makeMinimalBundle();
  bundle.calibration.cameras["bad"] = bundle.calibration.cameras.at("front");
  bundle.calibration.cameras["bad"].image_width = 13;
  const auto cameras = createCameraRenderer(bundle, std::make_unique<MoodyRenderer>());
  const auto outcomes =
      cameras->render(std::vector<std::string>{"bad", "front"}, EgoState{}, StepInfo{});
  EXPECT_FALSE(outcomes[0].value);
  EXPECT_THAT(outcomes[0].problem,
              testing::AllOf(testing::HasSubstr("bad"), testing::HasSubstr("thirteen")));
  ASSERT_TRUE(outcomes[1].value);
  EXPECT_EQ(outcomes[1].value->image.width, 640);
}

TEST(CameraRenderer, HasNoImageFromAPoseThatIsNotFinite) {
  const gs::WorldBundle bundle = gs::makeMinimalBundle();
  EgoState nowhere;
  nowhere.pose.y = std::numeric_limits<double>::infinity();
  const auto outcomes =
      createCameraRenderer(bundle, SensorParameters::Camera{})->render(kFront, nowhere, {});
  EXPECT_FALSE(outcomes[0].value);
  EXPECT_THAT(outcomes[0].problem, testing::HasSubstr("not finite"));
}

TEST(CameraRenderer, RefusesAtTheStartWhatCanNeverWork) {
  gs::WorldBundle bundle = gs::makeMinimalBundle();
  bundle.calibration.cameras.at("front").intrinsics.fx = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(createCameraRenderer(bundle, SensorParameters::Camera{}), gs::Error);
  EXPECT_THROW(
      createCameraRenderer(gs::makeMinimalBundle(), {.renderer = gs::RendererKind::Vulkan}),
      gs::Error);
}

}  // namespace
}  // namespace gs_sim

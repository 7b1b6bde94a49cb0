// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/camera_sensor.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include <gmock/gmock.h>

#include "gs/core/error.hpp"
#include "gs/render/cpu_renderer.hpp"
#include "gs/synthetic/minimal_bundle.hpp"

namespace gs_sim {
namespace {

WorldData minimalWorld() { return {"minimal", gs::makeMinimalBundle(), {}}; }

// All cameras of a world, with or without a renderer of ours.
Sensors camerasOf(const WorldData& world, const SimulationParameters& parameters = {},
                  std::shared_ptr<const gs::SplatRenderer> renderer = nullptr) {
  const std::vector<std::string> ids = keysOf(world.bundle.calibration.cameras);
  const FrameNames frames{"map", "odom", "base_link"};
  const SensorContext context{world, parameters, frames, ids, parameters.sensors.camera.choice};
  return renderer ? createCameras(context, std::move(renderer)).sensors
                  : cameraKind().create(context).sensors;
}

SensorResult sampleOf(Sensor& sensor, const EgoState& ego, const StepInfo& info = {}) {
  return sensor.sample({info, ego, {}});
}

const CameraFrame& frameOf(const SensorResult& result) {
  const CameraFrame* frame = findValue<CameraFrame>(result.data.get());
  if (frame == nullptr) throw std::runtime_error("no frame: " + result.problem);
  return *frame;
}

EgoState startOf(const gs::WorldBundle& bundle) {
  EgoState ego;
  ego.pose.x = bundle.timebase.initial_pose.position[0];
  ego.pose.y = bundle.timebase.initial_pose.position[1];
  return ego;
}

TEST(CameraSensor, ShowsWhatTheRendererShowsFromTheCamerasPose) {
  const WorldData world = minimalWorld();
  const gs::WorldBundle& bundle = world.bundle;
  const Sensors cameras = camerasOf(world);
  ASSERT_EQ(cameras.size(), 1u);
  const EgoState ego = startOf(bundle);
  const SensorResult result = sampleOf(*cameras[0], ego, {.step = 3, .stamp = {30'000'000}});
  EXPECT_EQ(result.problem, "");
  const CameraFrame& frame = frameOf(result);
  EXPECT_EQ(frame.camera_id, "front");
  EXPECT_EQ(frame.frame_id, "camera_front");
  EXPECT_EQ(frame.stamp.ns, 30'000'000);
  EXPECT_FALSE(frame.is_repeated);
  const gs::CameraCalibration& camera = bundle.calibration.cameras.at("front");
  const gs::RenderedView expected =
      gs::CpuRenderer(bundle.gaussians)
          .render(gs::SplatView{gs::cameraOf(camera),
                                mapFromBase(ego.pose) * camera.extrinsics.baseFromSensor(),
                                {}},
                  gs::settingsFrom(bundle.render_config));
  EXPECT_EQ(frame.image, expected.rgb);
  EXPECT_GT(*std::max_element(frame.image.pixels.begin(), frame.image.pixels.end()), 50);
}

TEST(CameraSensor, AppliesColourCorrectionAndSky) {
  WorldData world = minimalWorld();
  world.bundle.gaussians = {};
  world.bundle.sky = gs::Image8(8, 4, 3);
  world.bundle.sky->pixels.assign(8 * 4 * 3, 60);
  world.bundle.render_config.color_correction.exposure_compensation = 1;
  const SensorResult result = sampleOf(*camerasOf(world)[0], {});
  for (const uint8_t value : frameOf(result).image.pixels) ASSERT_NEAR(value, 120, 1);
}

TEST(CameraSensor, MakesImagesOfAnySize) {
  WorldData world = minimalWorld();
  auto& cameras = world.bundle.calibration.cameras;
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
  const Sensors sensors = camerasOf(world);
  ASSERT_EQ(sensors.size(), 3u);
  const std::vector<size_t> sizes{3, 3 * 640 * 480, size_t{3} * 8192 * 8192};
  for (size_t i = 0; i < sensors.size(); ++i)
    EXPECT_EQ(frameOf(sampleOf(*sensors[i], startOf(world.bundle))).image.pixels.size(), sizes[i]);
}

// Fails once the ego is beyond a line.
class MoodyRenderer final : public gs::SplatRenderer {
 public:
  gs::RenderedView render(const gs::SceneState&, const gs::SplatView& view,
                          const gs::RenderSettings&) const override {
    if (gs::mapFromOpencv(view).translation.x() > 50) throw std::runtime_error("beyond the line");
    gs::RenderedView out;
    out.rgb = gs::Image8(view.camera.width, view.camera.height, 3);
    out.rgb.pixels[0] = 77;
    return out;
  }
};

TEST(CameraSensor, TellsWhyAnImageFailedAndShowsTheOneBefore) {
  const Sensors cameras = camerasOf(minimalWorld(), {}, std::make_shared<MoodyRenderer>());
  Sensor& camera = *cameras[0];
  EgoState here, beyond;
  beyond.pose.x = 100;
  const SensorResult first = sampleOf(camera, beyond, {.stamp = {1}});
  EXPECT_EQ(first.data, nullptr) << "there is no picture to repeat yet";
  EXPECT_THAT(first.problem, testing::HasSubstr("beyond the line"));
  EXPECT_FALSE(frameOf(sampleOf(camera, here, {.stamp = {2}})).is_repeated);
  const SensorResult again = sampleOf(camera, beyond, {.stamp = {3}});
  EXPECT_THAT(again.problem, testing::HasSubstr("camera 'front'"));
  EXPECT_TRUE(frameOf(again).is_repeated);
  EXPECT_EQ(frameOf(again).stamp.ns, 3);
  EXPECT_EQ(frameOf(again).image.pixels[0], 77);
  camera.restart();
  EXPECT_EQ(sampleOf(camera, beyond).data, nullptr) << "a picture of another place";
}

// Makes images of a size of its own.
class StubbornRenderer final : public gs::SplatRenderer {
 public:
  gs::RenderedView render(const gs::SceneState&, const gs::SplatView&,
                          const gs::RenderSettings&) const override {
    gs::RenderedView out;
    out.rgb = gs::Image8(8, 6, 3);
    return out;
  }
};

TEST(CameraSensor, AnImageOfAnotherSizeIsRefusedByName) {
  const Sensors cameras = camerasOf(minimalWorld(), {}, std::make_shared<StubbornRenderer>());
  const SensorResult result = sampleOf(*cameras[0], {});
  EXPECT_EQ(result.data, nullptr);
  EXPECT_THAT(result.problem, testing::StartsWith("INVALID_IMAGE_SIZE: camera 'front' has 8x6"));
}

TEST(CameraSensor, HasNoImageFromAPoseThatIsNotFinite) {
  EgoState nowhere;
  nowhere.pose.y = std::numeric_limits<double>::infinity();
  const SensorResult result = sampleOf(*camerasOf(minimalWorld())[0], nowhere);
  EXPECT_EQ(result.data, nullptr);
  EXPECT_THAT(result.problem, testing::HasSubstr("not finite"));
}

TEST(CameraSensor, RefusesAtTheStartWhatCanNeverWork) {
  WorldData world = minimalWorld();
  SimulationParameters on_gpu;
  on_gpu.sensors.camera.renderer = gs::RendererKind::Vulkan;
  EXPECT_THROW(camerasOf(world, on_gpu), gs::Error);
  world.bundle.calibration.cameras.at("front").intrinsics.fx =
      std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(camerasOf(world), gs::Error);
}

}  // namespace
}  // namespace gs_sim

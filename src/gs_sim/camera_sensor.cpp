// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/camera_sensor.hpp"

#include <algorithm>
#include <exception>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "gs/core/error.hpp"
#include "gs/formats/jpeg.hpp"
#include "gs/render/make_splat_renderer.hpp"
#include "gs_sim/to_messages.hpp"

namespace gs_sim {
namespace {

namespace msgs = gs::msgs;

constexpr int kJpegQuality = 80;
constexpr int kInfoDepth = 5;

msgs::CompressedImage compressedImage(const CameraFrame& frame) {
  const auto jpeg = gs::encodeJpeg(frame.image, kJpegQuality);
  const auto [sec, nanosec] = gs::toSecNanosec(frame.stamp);
  msgs::CompressedImage message;
  message.header = {.stamp = {sec, nanosec}, .frame_id = frame.frame_id};
  message.format = "jpeg";
  message.data.resize(jpeg.size());
  std::transform(jpeg.begin(), jpeg.end(), message.data.begin(),
                 [](std::byte b) { return static_cast<uint8_t>(b); });
  return message;
}

std::vector<SensorTopic> topicsOf(const std::string& id, const gs::CameraCalibration& camera) {
  const std::string name = "/camera/" + id;
  SensorTopic compressed = bulkTopic<msgs::CompressedImage, CameraFrame>(
      name + "/image_raw/compressed", 0, [](const CameraFrame& frame, std::vector<std::byte>& out) {
        gs::encodeCdr(compressedImage(frame), out);
      });
  compressed.audience = Audience::Browsers;
  return {bulkTopic<msgs::Image, CameraFrame>(
              name + "/image_raw", 3.0 * camera.image_width * camera.image_height, encodeImage),
          smallTopic<msgs::CameraInfo, CameraFrame>(name + "/camera_info", kInfoDepth,
                                                    [camera](const CameraFrame& frame) {
                                                      return cameraInfoMessage(frame.stamp, camera);
                                                    }),
          std::move(compressed)};
}

void requireLens(const std::string& id, const gs::Camera& camera) {
  try {
    const gs::Lens lens(camera);
  } catch (const gs::Error& problem) {
    throw gs::Error({.code = gs::ErrorCode::InvalidCalibration,
                     .component = "camera_renderer",
                     .message = "camera '" + id + "': " + problem.report().message,
                     .details = {{"camera", id}},
                     .suggestion = "Correct the camera in sensors/calibration.yaml."});
  }
}

// What all cameras of a world have in common.
struct Darkroom {
  std::shared_ptr<const gs::SplatRenderer> renderer;
  gs::RenderSettings settings;
};

class CameraSensor final : public Sensor {
 public:
  CameraSensor(SensorDescription description, const gs::CameraCalibration& calibration,
               std::shared_ptr<const Darkroom> darkroom)
      : Sensor(std::move(description)),
        camera_(gs::cameraOf(calibration)),
        base_from_camera_(calibration.extrinsics.baseFromSensor()),
        darkroom_(std::move(darkroom)) {
    requireLens(this->description().id, camera_);
  }

  SensorResult sample(const SensorStep& step) override {
    const auto& [kind, id, frame_id, rate, topics, component, instead] = description();
    const gs::SplatView view{camera_, mapFromBase(step.ego.pose) * base_from_camera_, {}};
    try {
      gs::Image8 image = darkroom_->renderer->render(step.scene, view, darkroom_->settings).rgb;
      if (image.width != camera_.width || image.height != camera_.height || image.channels != 3)
        return {repeated(step.info.stamp),
                fmt::format("INVALID_IMAGE_SIZE: camera '{}' has {}x{} pixels of {} channels, its "
                            "calibration {}x{} of 3",
                            id, image.width, image.height, image.channels, camera_.width,
                            camera_.height)};
      last_good_ = CameraFrame{id, frame_id, step.info.stamp, std::move(image), false};
    } catch (const std::exception& failure) {
      return {repeated(step.info.stamp), "camera '" + id + "': " + failure.what()};
    }
    return {toSensorData(*last_good_), ""};
  }

  void restart() override { last_good_.reset(); }

 private:
  // Null: there is no picture to repeat yet.
  std::shared_ptr<const SensorData> repeated(gs::Stamp stamp) const {
    if (!last_good_) return nullptr;
    CameraFrame again = *last_good_;
    again.stamp = stamp;
    again.is_repeated = true;
    return toSensorData(std::move(again));
  }

  gs::Camera camera_;
  gs::Rigid3 base_from_camera_;
  std::shared_ptr<const Darkroom> darkroom_;
  std::optional<CameraFrame> last_good_;
};

}  // namespace

CreatedSensors createCameras(const SensorContext& context,
                             std::shared_ptr<const gs::SplatRenderer> renderer) {
  const gs::WorldBundle& bundle = context.world.bundle;
  auto darkroom = std::make_shared<Darkroom>(
      Darkroom{std::move(renderer), gs::settingsFrom(bundle.render_config)});
  if (bundle.sky) darkroom->settings.sky = gs::Sky(*bundle.sky);
  CreatedSensors created;
  for (const std::string& id : context.ids) {
    const gs::CameraCalibration& camera = bundle.calibration.cameras.at(id);
    created.sensors.push_back(std::make_unique<CameraSensor>(
        SensorDescription{.kind = "camera",
                          .id = id,
                          .frame_id = camera.frame_id,
                          .rate_hz = context.rateOf(camera.rate_hz),
                          .topics = topicsOf(id, camera),
                          .component = "CameraRenderer",
                          .instead = "the picture before is published again"},
        camera, darkroom));
  }
  return created;
}

SensorKind cameraKind() {
  return {.name = "camera",
          .ids = [](const gs::Calibration& calibration) { return keysOf(calibration.cameras); },
          .create =
              [](const SensorContext& context) {
                return createCameras(
                    context, gs::makeSplatRenderer(context.parameters.sensors.camera.renderer,
                                                   splatsByAsset(context.world)));
              }};
}

}  // namespace gs_sim

// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/camera_renderer.hpp"

#include <exception>
#include <map>

#include "gs/core/error.hpp"
#include "gs/render/make_splat_renderer.hpp"

namespace gs_sim {
namespace {

struct CameraOnVehicle {
  std::string frame_id;
  gs::Camera camera;
  gs::Rigid3 base_from_camera;
};

class SplatCameras final : public CameraRendererInterface {
 public:
  SplatCameras(const gs::WorldBundle& bundle, std::unique_ptr<gs::SplatRenderer> renderer)
      : renderer_(std::move(renderer)), settings_(gs::settingsFrom(bundle.render_config)) {
    if (bundle.sky) settings_.sky = gs::Sky(*bundle.sky);
    for (const auto& [id, calibration] : bundle.calibration.cameras) {
      cameras_[id] = {calibration.frame_id, gs::cameraOf(calibration),
                      calibration.extrinsics.baseFromSensor()};
      requireLens(id, cameras_[id].camera);
    }
  }

  std::vector<SensorOutcome<CameraFrame>> render(std::span<const std::string> camera_ids,
                                                 const EgoState& ego,
                                                 const StepInfo& info) override {
    std::vector<SensorOutcome<CameraFrame>> outcomes(camera_ids.size());
    std::vector<gs::SplatView> views;
    std::vector<size_t> outcome_of;
    const gs::Rigid3 map_from_base = mapFromBase(ego.pose);
    for (size_t i = 0; i < camera_ids.size(); ++i) {
      const auto found = cameras_.find(camera_ids[i]);
      if (found == cameras_.end()) {
        outcomes[i].problem = "there is no camera '" + camera_ids[i] + "'";
        continue;
      }
      const CameraOnVehicle& camera = found->second;
      outcomes[i].value = CameraFrame{camera_ids[i], camera.frame_id, info.stamp, {}, false};
      views.push_back({camera.camera, map_from_base * camera.base_from_camera, {}});
      outcome_of.push_back(i);
    }
    shoot(views, outcome_of, outcomes);
    return outcomes;
  }

 private:
  static void requireLens(const std::string& id, const gs::Camera& camera) {
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

  // All at once; when that fails, one by one to find out whose fault it was.
  void shoot(const std::vector<gs::SplatView>& views, const std::vector<size_t>& outcome_of,
             std::vector<SensorOutcome<CameraFrame>>& outcomes) const {
    try {
      std::vector<gs::RenderedView> images = renderer_->renderAll(views, settings_);
      for (size_t k = 0; k < views.size(); ++k)
        outcomes[outcome_of[k]].value->image = std::move(images[k].rgb);
      return;
    } catch (const std::exception&) {
    }
    for (size_t k = 0; k < views.size(); ++k) {
      SensorOutcome<CameraFrame>& outcome = outcomes[outcome_of[k]];
      try {
        outcome.value->image = renderer_->render(views[k], settings_).rgb;
      } catch (const std::exception& failure) {
        outcome.problem = "camera '" + outcome.value->camera_id + "': " + failure.what();
        outcome.value.reset();
      }
    }
  }

  std::unique_ptr<gs::SplatRenderer> renderer_;
  gs::RenderSettings settings_;
  std::map<std::string, CameraOnVehicle> cameras_;
};

}  // namespace

std::unique_ptr<CameraRendererInterface> createCameraRenderer(
    const gs::WorldBundle& bundle, const SensorParameters::Camera& parameters) {
  return createCameraRenderer(bundle,
                              gs::makeSplatRenderer(parameters.renderer, {&bundle.gaussians}));
}

std::unique_ptr<CameraRendererInterface> createCameraRenderer(
    const gs::WorldBundle& bundle, std::unique_ptr<gs::SplatRenderer> renderer) {
  return std::make_unique<SplatCameras>(bundle, std::move(renderer));
}

}  // namespace gs_sim

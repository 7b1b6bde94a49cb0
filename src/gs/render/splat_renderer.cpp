// SPDX-License-Identifier: Apache-2.0
#include "gs/render/splat_renderer.hpp"

#include <cmath>

#include "gs/core/error.hpp"

namespace gs {

RenderSettings settingsFrom(const RenderConfig& config) {
  RenderSettings settings;
  settings.near_plane = config.rendering.near_plane;
  settings.far_plane = config.rendering.far_plane;
  const double exposure = std::exp2(config.color_correction.exposure_compensation);
  for (size_t c = 0; c < 3; ++c) {
    settings.background[c] = static_cast<float>(config.rendering.background_color[c]);
    settings.gain[c] = static_cast<float>(config.color_correction.white_balance[c] * exposure);
  }
  return settings;
}

Rigid3 mapFromOpencv(const SplatView& view) {
  const auto& [begin, end] = view.map_from_camera;
  const auto isFinite = [](const Rigid3& pose) {
    return pose.translation.allFinite() && pose.rotation.coeffs().allFinite();
  };
  if (!isFinite(begin) || !isFinite(end))
    throw Error({.code = ErrorCode::InputInvalid,
                 .component = "renderer",
                 .message = "the camera's pose is not finite",
                 .suggestion = "Give it finite numbers."});
  return {begin.rotation * opencvFromCamera(view.camera.convention).inverse(), begin.translation};
}

double RenderStatistics::secondsOf(std::string_view phase) const {
  double sum = 0;
  for (const Phase& p : phases) sum += p.name == phase ? p.seconds : 0;
  return sum;
}

double RenderStatistics::seconds() const {
  double sum = 0;
  for (const Phase& p : phases) sum += p.seconds;
  return sum;
}

std::vector<RenderedView> SplatRenderer::renderAll(const SceneState& scene,
                                                   std::span<const SplatView> views,
                                                   const RenderSettings& settings) const {
  std::vector<RenderedView> images;
  for (const SplatView& view : views) images.push_back(render(scene, view, settings));
  return images;
}

}  // namespace gs

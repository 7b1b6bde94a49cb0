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
  if (!view.map_from_camera.translation.allFinite() ||
      !view.map_from_camera.rotation.coeffs().allFinite())
    throw Error({.code = ErrorCode::InputInvalid,
                 .component = "renderer",
                 .message = "the camera's pose is not finite",
                 .suggestion = "Give it finite numbers."});
  return {view.map_from_camera.rotation * opencvFromCamera(view.camera.convention).inverse(),
          view.map_from_camera.translation};
}

std::vector<RenderedView> SplatRenderer::renderAll(std::span<const SplatView> views,
                                                   const RenderSettings& settings) const {
  std::vector<RenderedView> images;
  for (const SplatView& view : views) images.push_back(render(view, settings));
  return images;
}

}  // namespace gs

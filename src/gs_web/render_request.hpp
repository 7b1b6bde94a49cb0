// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "gs/render/splat_renderer.hpp"

namespace gs_web {

// /api/render?x=&y=&z=&yaw=&pitch=&width=&height=&fov=: a free camera in the map frame. Angles in
// rad, yaw from east to north, pitch upwards; fov in degrees from left to right.
struct RenderRequest {
  double x = 0, y = 0, z = 1.5, yaw = 0, pitch = 0;
  double fov_deg = 80;
  int width = 640, height = 480;

  bool operator==(const RenderRequest&) const = default;
};

// Nothing when a value is no number or out of bounds; what is not named keeps its default.
std::optional<RenderRequest> findRenderRequest(std::string_view target);

gs::SplatView viewOf(const RenderRequest& request);

}  // namespace gs_web

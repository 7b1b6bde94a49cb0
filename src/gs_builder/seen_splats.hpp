// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "gs/bundle/gaussian_cloud.hpp"
#include "gs/geometry/movers_way.hpp"
#include "gs/render/camera.hpp"

namespace gs_builder {

struct CameraView {
  gs::Camera camera;
  gs::Rigid3 map_from_camera;  // axes as the camera's convention says
};

// The splats that reach into the image of at least one view, in their order, without those too
// faint for any image. What lies hidden behind others stays: from beside the path it may be seen.
gs::GaussianCloud keepSeen(const gs::GaussianCloud& cloud, const std::vector<CameraView>& views);

// Without splats whose centre is where only moving things were: their pixels are left out of the
// training, so that nothing there is held against an image.
gs::GaussianCloud withoutMovers(const gs::GaussianCloud& cloud, const gs::MoversWay& way);

}  // namespace gs_builder

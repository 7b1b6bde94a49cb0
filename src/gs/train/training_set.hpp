// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "gs/core/image.hpp"
#include "gs/core/time.hpp"
#include "gs/render/camera.hpp"

namespace gs {

struct TrainingImage {
  std::string camera_id;
  Stamp stamp;
  Camera camera;
  Rigid3 map_from_camera;  // axes as the camera's convention says
  bool is_held_out = false;
};

// What a LiDAR measured in the direction of an image point.
struct DepthSample {
  float x_px, y_px;  // of the full-size image
  float depth;       // m, as Lens::depthOf says
};

// The drive as the trainer sees it. Images are loaded when they are needed, as often as they are;
// the functions are called for several images at once.
struct TrainingSet {
  std::vector<TrainingImage> images;
  std::function<Image8(size_t)> load_image;  // RGB, of the camera's size
  // Empty, or what the LiDAR saw in the image.
  std::function<std::vector<DepthSample>(size_t)> load_depth;
  // Empty, or one channel of the camera's size (or an empty image: everything counts): 0 where the
  // image shows what is not part of the world, as moving things or the ego's own body.
  std::function<Image8(size_t)> load_mask;
};

}  // namespace gs

// SPDX-License-Identifier: Apache-2.0
#include "gs/geometry/camera_projection.hpp"

namespace gs {

CameraProjection::CameraProjection(const CameraCalibration& camera)
    : lens_(cameraOf(camera)),
      width_(camera.image_width),
      height_(camera.image_height),
      is_ros_(camera.camera_convention == CameraConvention::Ros) {}

std::optional<CameraProjection::Pixel> CameraProjection::project(const Vec3& p_in_camera) const {
  const Vec3 p = is_ros_ ? Vec3(p_in_camera.x(), -p_in_camera.y(), -p_in_camera.z()) : p_in_camera;
  const auto px = lens_.pixelOf(p);
  if (!px || !(px->x() >= 0 && px->y() >= 0 && px->x() <= width_ - 1 && px->y() <= height_ - 1))
    return std::nullopt;
  return Pixel{px->x(), px->y(), p.z()};
}

}  // namespace gs

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "gs/bundle/calibration.hpp"
#include "gs/core/linear.hpp"
#include "gs/render/camera.hpp"

namespace gs {

// From points to pixels for every camera model of a calibration; the centre of pixel (i, j) is
// the image point (i, j).
class CameraProjection {
 public:
  explicit CameraProjection(const CameraCalibration& camera);

  struct Pixel {
    double x, y;
    double depth;  // m along the viewing direction
  };
  // Empty behind the camera and outside the image.
  std::optional<Pixel> project(const Vec3& p_in_camera) const;
  double focalLength() const { return lens_.intrinsics().fx; }

 private:
  Lens lens_;
  int width_, height_;
  bool is_ros_;  // y up, z backward
};

}  // namespace gs

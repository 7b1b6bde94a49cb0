// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "gs/bundle/calibration.hpp"
#include "gs/core/linear.hpp"

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
  // Empty behind the camera, outside the image, and where the distortion folds back.
  std::optional<Pixel> project(const Vec3& p_in_camera) const;
  double focalLength() const { return intrinsics_.fx; }

 private:
  Vec2 distorted(double x, double y) const;
  double radialFactor(double r2) const;

  CameraIntrinsics intrinsics_;
  int width_, height_;
  bool is_ros_;        // y up, z backward
  double max_radius_;  // of x/z, y/z (an angle for equidistant), beyond which it folds
};

}  // namespace gs

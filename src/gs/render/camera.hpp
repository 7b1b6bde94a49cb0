// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include <Eigen/Core>

#include "gs/bundle/calibration.hpp"

namespace gs {

// What the renderer needs to know of a camera. The centre of pixel (i, j) is the image point
// (i, j), as calibrations of OpenCV and ROS have it.
struct Camera {
  int width = 0, height = 0;
  CameraIntrinsics intrinsics;
  CameraConvention convention = CameraConvention::OpenCv;

  bool operator==(const Camera&) const = default;
};
Camera cameraOf(const CameraCalibration& calibration);

// opencv_from_camera: the axes every computation here uses are x right, y down, z forward.
Quat opencvFromCamera(CameraConvention convention);

// A splat's image is its Gaussian through the camera linearised at the splat's centre. A lens
// polynomial says nothing outside the image, and the perspective Jacobian explodes towards the
// image plane's horizon, so both are followed only a little beyond the image and continued
// linearly from there:
//   - perspective lenses: p = (x/z, y/z) is clamped to q in the box around the visible part (plus
//     30 % of its half size, the choice of 3D Gaussian Splatting's authors) and inside the circle
//     where distortion still grows; the image point is D(q) + D'(q)(p - q), the Jacobian that at q;
//   - equidistant: the polynomial is clamped likewise in the angle from the axis, and points more
//     than kBeyondFisheye outside the image's widest angle are not seen at all.
struct LensLimits {
  double x_min = 0, x_max = 0, y_min = 0, y_max = 0;  // the visible part, in x/z and y/z
  double clamp_x_min = 0, clamp_x_max = 0, clamp_y_min = 0, clamp_y_max = 0;
  double max_radius2 = 0;  // of q
  double max_angle = 0;    // rad: where the equidistant polynomial is continued linearly
  double cull_angle = 0;   // rad: equidistant only
};
constexpr double kBeyondFisheye = 0.35;  // rad

class Lens {
 public:
  // Throws InputInvalid when the camera cannot make an image: size, focal lengths or coefficients.
  explicit Lens(const Camera& camera);

  using Jacobian = Eigen::Matrix<double, 2, 3>;
  struct ImagePoint {
    Vec2 px;
    Jacobian px_by_point;  // derivative of px by the point
  };
  // p in the camera frame with OpenCV axes. Nothing where the lens does not see: z <= 0, or beyond
  // the cull angle of a fisheye.
  std::optional<ImagePoint> project(const Vec3& p) const;
  // The image point alone, for whoever has millions to ask about.
  std::optional<Vec2> pixelOf(const Vec3& p) const;
  // The unit ray that is seen at an image point.
  Vec3 rayAt(double x_px, double y_px) const;
  // What splats are ordered by: z of a perspective camera, distance of a fisheye.
  double depthOf(const Vec3& p) const { return is_fisheye_ ? p.norm() : p.z(); }

  bool isFisheye() const { return is_fisheye_; }
  bool isPinhole() const { return is_pinhole_; }
  const CameraIntrinsics& intrinsics() const { return k_; }
  const LensLimits& limits() const { return limits_; }

 private:
  CameraIntrinsics k_;
  bool is_fisheye_, is_pinhole_;
  LensLimits limits_;
};

}  // namespace gs

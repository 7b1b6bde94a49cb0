// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "gs/bundle/calibration.hpp"
#include "gs/core/image.hpp"
#include "gs/core/rigid3.hpp"
#include "gs/synthetic/thing.hpp"
#include "gs/synthetic/town.hpp"

namespace gs {

// Axes as in OpenCV: x right, y down, z forward. The centre of pixel (i, j) is the image point
// (i, j), as camera calibrations of OpenCV and ROS have it.
struct ViewCamera {
  int width = 0, height = 0;
  CameraIntrinsics intrinsics;
};

// The viewing ray of every pixel corner of a camera, through the inverse of its distortion. Costs
// about as much as a frame, so keep one per camera.
class RayTable {
 public:
  explicit RayTable(const ViewCamera& camera);

  int width() const { return width_; }
  int height() const { return height_; }
  // Unit ray in the camera frame through image point (x, y), between -0.5 and size - 0.5.
  Vec3f rayAt(float x, float y) const;
  float pixelAngle() const { return pixel_angle_; }  // rad, at the middle of the image

 private:
  int width_, height_;
  float pixel_angle_ = 0;
  std::vector<Vec3f> rays_;  // at pixel centres, with a border of one pixel on every side
};
RayTable makeRayTable(const ViewCamera& camera);

struct RenderOptions {
  double exposure = 1.0;
  bool has_moving_objects = true;
};

struct TrueView {
  Image8 rgb;
  ImageF depth;   // m along the camera's z axis, 0 is sky; only with truth
  Image8 moving;  // 255 where a moving object is seen; only with truth
};

// The true image and the true LiDAR scan from any pose at any time. Depends on its arguments
// alone: any number of threads gives the same bytes.
class TownRenderer {
 public:
  explicit TownRenderer(const Town& town);
  ~TownRenderer();
  TownRenderer(TownRenderer&&) noexcept;
  TownRenderer& operator=(TownRenderer&&) noexcept;

  // t in seconds: moving objects are functions of it.
  TrueView renderView(const RayTable& rays, const Rigid3& map_from_camera, double t,
                      const RenderOptions& options = {}, bool with_truth = false) const;
  TrueView renderView(const ViewCamera& camera, const Rigid3& map_from_camera, double t,
                      const RenderOptions& options = {}, bool with_truth = false) const {
    return renderView(makeRayTable(camera), map_from_camera, t, options, with_truth);
  }

  struct Ray {
    Vec3f origin, direction;  // map frame, unit direction
    double t;
  };
  struct Hit {
    float range = 0;         // m, 0: nothing
    float reflectivity = 0;  // 0..1, of the material at the point
    Thing thing = Thing::Still;
    float cos_incidence = 0;  // 1: head-on
  };
  void cast(std::span<const Ray> rays, std::span<Hit> hits, bool has_moving_objects = true) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace gs

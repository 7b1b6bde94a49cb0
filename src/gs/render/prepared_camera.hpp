// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "gs/render/camera.hpp"

namespace gs {

// What depends on a camera and not on where it is: the same from frame to frame, and costly where
// the inverse of a lens is needed.
class PreparedCamera {
 public:
  explicit PreparedCamera(const Camera& camera) : camera_(camera), lens_(camera) {}

  static constexpr int kRaySpacing = 8;  // px; a lens is smooth between

  const Camera& camera() const { return camera_; }
  const Lens& lens() const { return lens_; }
  // The ray (OpenCV axes) of image point (column, row) * kRaySpacing; one more than the image needs
  // on the right and below. Computed when first asked for.
  const Vec3f& rayAt(int column, int row) const;

 private:
  Camera camera_;
  Lens lens_;
  mutable std::once_flag has_rays_;
  mutable std::vector<Vec3f> rays_;
};

// The cameras of the last frames. Safe to use from several threads.
class CameraCache {
 public:
  std::shared_ptr<const PreparedCamera> find(const Camera& camera);

 private:
  std::mutex mutex_;
  std::vector<std::shared_ptr<const PreparedCamera>> cameras_;  // the latest last
};

}  // namespace gs

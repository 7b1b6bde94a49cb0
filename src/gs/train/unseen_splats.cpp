// SPDX-License-Identifier: Apache-2.0
#include "gs/train/unseen_splats.hpp"

#include <algorithm>
#include <cmath>

#include "gs/bundle/gaussian_encoding.hpp"
#include "gs/train/start_splats.hpp"

namespace gs {

void UnseenSplats::collect(const SkyView& view, const SkyModel& sky) {
  constexpr int kStep = PreparedCamera::kRaySpacing;
  constexpr float kFar = 250, kMostRange = 120;  // m
  const Eigen::Matrix3f rotation = view.map_from_opencv.rotation.toRotationMatrix().cast<float>();
  const Vec3f eye = view.map_from_opencv.translation.cast<float>();
  eyes_.push_back(view.map_from_opencv.translation);
  const auto focal = static_cast<float>(view.camera.camera().intrinsics.fx);
  const bool is_fisheye = view.camera.lens().isFisheye();
  for (int column = 0; column * kStep < view.color.width; ++column) {
    // From below: how far away, along the ground, is what the splats show?
    float range = 0;
    for (int row = (view.color.height - 1) / kStep; row >= 0; --row) {
      const int x = column * kStep, y = row * kStep;
      const Vec3f in_camera = view.camera.rayAt(column, row).normalized();
      const Vec3f direction = rotation * in_camera;
      const float flat = direction.head<2>().norm();
      if (flat < 0.1f) continue;
      const float left = view.extras.row(0, y)[x];
      if (left < 0.4f) {
        const float depth = view.extras.row(1, y)[x] / (1 - left);
        range = flat * depth / (is_fisheye ? 1 : std::max(in_camera.z(), 0.1f));
        continue;
      }
      const bool is_masked = !view.mask.pixels.empty() && *view.mask.at(x, y) == 0;
      if (left < 0.7f || is_masked || direction.z() < -0.02f) continue;
      const Vec3f rgb(view.target.row(0, y)[x], view.target.row(1, y)[x], view.target.row(2, y)[x]);
      if (sky.isSky(direction, rgb)) continue;
      const float far = range > 1 && range < kMostRange ? range : kFar;
      const float along = far / flat;
      found_.push_back({eye + along * direction, rgb, along * kStep / focal});
    }
  }
}

GaussianCloud UnseenSplats::make(int sh_degree, size_t max_count) const {
  GaussianCloud cloud;
  cloud.sh_degree = sh_degree;
  cloud.resize(found_.size());
  std::fill(cloud.sh_rest.begin(), cloud.sh_rest.end(), 0.0f);
  for (size_t i = 0; i < found_.size(); ++i) {
    const Found& found = found_[i];
    for (size_t k = 0; k < 3; ++k) {
      constexpr float kC0 = 0.28209479177387814f;
      cloud.position[k][i] = found.position[static_cast<int>(k)];
      cloud.sh_dc[k][i] = (found.rgb[static_cast<int>(k)] - 0.5f) / kC0;
      cloud.log_scale[k][i] = logFromScale(0.5f * found.size);
      cloud.rotation[k][i] = 0;
    }
    cloud.rotation[3][i] = 1;
    cloud.logit_opacity[i] = -1.4f;  // a guess gives way easily
  }
  return thinOut(cloud, eyes_, max_count);
}

}  // namespace gs

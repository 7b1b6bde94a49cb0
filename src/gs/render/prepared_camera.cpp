// SPDX-License-Identifier: Apache-2.0
#include "gs/render/prepared_camera.hpp"

#include <algorithm>

#include "gs/core/parallel.hpp"

namespace gs {

const Vec3f& PreparedCamera::rayAt(int column, int row) const {
  const int columns = (camera_.width + kRaySpacing - 1) / kRaySpacing + 1;
  const int rows = (camera_.height + kRaySpacing - 1) / kRaySpacing + 1;
  std::call_once(has_rays_, [&] {
    rays_.resize(static_cast<size_t>(columns) * rows);
    for (int y = 0; y < rows; ++y)
      for (int x = 0; x < columns; ++x)
        rays_[static_cast<size_t>(y) * columns + x] =
            lens_.rayAt(x * kRaySpacing, y * kRaySpacing).cast<float>();
  });
  return rays_[static_cast<size_t>(row) * columns + column];
}

std::shared_ptr<const PreparedCamera> CameraCache::find(const Camera& camera) {
  constexpr size_t kMost = 16;
  const std::lock_guard lock(mutex_);
  const auto found = std::find_if(cameras_.begin(), cameras_.end(),
                                  [&](const auto& kept) { return kept->camera() == camera; });
  auto prepared = found != cameras_.end() ? *found : std::make_shared<const PreparedCamera>(camera);
  if (found != cameras_.end()) cameras_.erase(found);
  else if (cameras_.size() >= kMost) cameras_.erase(cameras_.begin());
  cameras_.push_back(prepared);
  return prepared;
}

}  // namespace gs

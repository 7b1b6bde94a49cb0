// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/seen_splats.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <utility>
#include <vector>

#include "gs/core/parallel.hpp"
#include "gs/render/splat_renderer.hpp"

namespace gs_builder {
namespace {

constexpr size_t kMaxViews = 600;  // of longer drives every n-th image tells the same

// One image, and which of its pixels count.
class View {
 public:
  View(const gs::TrainingImage& image, gs::Image8 mask)
      : lens_(image.camera),
        mask_(std::move(mask)),
        width_(image.camera.width),
        height_(image.camera.height),
        focal_(std::max(image.camera.intrinsics.fx, image.camera.intrinsics.fy)),
        opencv_from_map_(
            gs::mapFromOpencv({.camera = image.camera, .map_from_camera = image.map_from_camera})
                .inverse()) {}

  bool sees(const gs::Vec3& p_in_map, double reach) const {
    const gs::Vec3 p = opencv_from_map_ * p_in_map;
    // Beside and behind the camera a large splat may still hang into the image.
    if (p.norm() <= reach) return true;
    const auto px = lens_.pixelOf(p);
    if (!px) return false;
    const double margin = focal_ * reach / std::max(lens_.depthOf(p), 0.1) + 2;
    if (px->x() < -margin || px->y() < -margin || px->x() > width_ + margin ||
        px->y() > height_ + margin)
      return false;
    if (mask_.pixels.empty()) return true;
    return *mask_.at(std::clamp(static_cast<int>(px->x()), 0, width_ - 1),
                     std::clamp(static_cast<int>(px->y()), 0, height_ - 1)) != 0;
  }

 private:
  gs::Lens lens_;
  gs::Image8 mask_;  // empty: every pixel counts
  int width_, height_;
  double focal_;
  gs::Rigid3 opencv_from_map_;
};

bool isFaint(const gs::GaussianCloud& cloud, size_t i) {
  return 1 / (1 + std::exp(-static_cast<double>(cloud.logit_opacity[i]))) < gs::kMinAlpha;
}

double reachOf(const gs::GaussianCloud& cloud, size_t i) {
  return 3 * std::exp(static_cast<double>(
                 std::max({cloud.log_scale[0][i], cloud.log_scale[1][i], cloud.log_scale[2][i]})));
}

}  // namespace

gs::GaussianCloud keepSeen(const gs::GaussianCloud& cloud, const gs::TrainingSet& set) {
  // Views only ever add to what is seen, so their order and number of threads do not matter.
  std::vector<std::atomic<bool>> is_seen(cloud.size());
  const size_t stride = std::max<size_t>(1, (set.images.size() + kMaxViews - 1) / kMaxViews);
  const size_t views = (set.images.size() + stride - 1) / stride;
  gs::parallelFor(views, 1, [&](size_t number, size_t) {
    const size_t image = number * stride;
    const View view(set.images[image], set.load_mask ? set.load_mask(image) : gs::Image8());
    for (size_t i = 0; i < cloud.size(); ++i)
      if (!is_seen[i].load(std::memory_order_relaxed) && !isFaint(cloud, i) &&
          view.sees({cloud.position[0][i], cloud.position[1][i], cloud.position[2][i]},
                    reachOf(cloud, i)))
        is_seen[i].store(true, std::memory_order_relaxed);
  });
  std::vector<size_t> kept;
  for (size_t i = 0; i < is_seen.size(); ++i)
    if (is_seen[i]) kept.push_back(i);
  return gs::selectSplats(cloud, kept);
}

gs::GaussianCloud withoutMovers(const gs::GaussianCloud& cloud, const gs::MoversWay& way) {
  std::vector<size_t> kept;
  for (size_t i = 0; i < cloud.size(); ++i)
    if (!way.contains({cloud.position[0][i], cloud.position[1][i], cloud.position[2][i]}))
      kept.push_back(i);
  return gs::selectSplats(cloud, kept);
}

}  // namespace gs_builder

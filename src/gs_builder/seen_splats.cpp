// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/seen_splats.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "gs/core/parallel.hpp"
#include "gs/render/splat_renderer.hpp"

namespace gs_builder {
namespace {

struct View {
  const gs::Lens* lens;
  int width, height;
  double focal;
  gs::Rigid3 opencv_from_map;
};

bool reachesInto(const View& view, const gs::Vec3& p_in_map, double reach) {
  const gs::Vec3 p = view.opencv_from_map * p_in_map;
  // Beside and behind the camera a large splat may still hang into the image.
  if (p.norm() <= reach) return true;
  const auto px = view.lens->pixelOf(p);
  if (!px) return false;
  const double margin = view.focal * reach / std::max(view.lens->depthOf(p), 0.1) + 2;
  return px->x() >= -margin && px->y() >= -margin && px->x() <= view.width + margin &&
         px->y() <= view.height + margin;
}

}  // namespace

gs::GaussianCloud keepSeen(const gs::GaussianCloud& cloud, const std::vector<CameraView>& given) {
  std::vector<std::pair<gs::Camera, std::unique_ptr<gs::Lens>>> lenses;
  std::vector<View> views;
  for (const CameraView& view : given) {
    auto lens = std::find_if(lenses.begin(), lenses.end(),
                             [&](const auto& known) { return known.first == view.camera; });
    if (lens == lenses.end()) {
      lenses.emplace_back(view.camera, std::make_unique<gs::Lens>(view.camera));
      lens = lenses.end() - 1;
    }
    views.push_back(
        {lens->second.get(), view.camera.width, view.camera.height,
         std::max(view.camera.intrinsics.fx, view.camera.intrinsics.fy),
         gs::mapFromOpencv({.camera = view.camera, .map_from_camera = view.map_from_camera})
             .inverse()});
  }
  std::vector<uint8_t> is_seen(cloud.size(), 0);
  gs::parallelFor(cloud.size(), 4096, [&](size_t begin, size_t end) {
    size_t last = 0;  // neighbours are seen by the same view
    for (size_t i = begin; i < end; ++i) {
      if (1 / (1 + std::exp(-static_cast<double>(cloud.logit_opacity[i]))) < gs::kMinAlpha)
        continue;
      const gs::Vec3 p(cloud.position[0][i], cloud.position[1][i], cloud.position[2][i]);
      const float scale =
          std::max({cloud.log_scale[0][i], cloud.log_scale[1][i], cloud.log_scale[2][i]});
      const double reach = 3 * std::exp(static_cast<double>(scale));
      for (size_t k = 0; k < views.size() && is_seen[i] == 0; ++k) {
        const size_t view = (last + k) % views.size();
        if (!reachesInto(views[view], p, reach)) continue;
        is_seen[i] = 1;
        last = view;
      }
    }
  });
  std::vector<size_t> kept;
  for (size_t i = 0; i < is_seen.size(); ++i)
    if (is_seen[i] != 0) kept.push_back(i);
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

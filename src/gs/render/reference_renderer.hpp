// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "gs/bundle/gaussian_cloud.hpp"
#include "gs/render/splat_renderer.hpp"

namespace gs {

// One splat as the image sees it, in double precision.
struct ReferenceSplat {
  Vec2 px;
  Eigen::Matrix2d covariance;  // px^2, dilated
  double opacity = 0;
  Vec3 rgb;
  double depth = 0;
};

// Nothing when the splat has no image: unusable, before the near plane, too faint everywhere. The
// splat stands where its asset does, the colour is that of the direction in the asset's frame.
std::optional<ReferenceSplat> projectReference(const GaussianCloud& cloud, size_t index,
                                               const Lens& lens, const Rigid3& map_from_camera,
                                               const RenderSettings& settings,
                                               const Rigid3& map_from_asset = {});

// The definition of the image, written from the formulas: every splat, sorted by depth, into every
// pixel its ellipse reaches. Slow; for tests.
class ReferenceRenderer final : public SplatRenderer {
 public:
  // Copies the clouds. Asset 0 is the background; null: an asset without splats.
  explicit ReferenceRenderer(const std::vector<const GaussianCloud*>& assets) {
    for (const GaussianCloud* cloud : assets) assets_.push_back(cloud ? *cloud : GaussianCloud{});
  }
  explicit ReferenceRenderer(const GaussianCloud& background) : assets_{background} {}

  using SplatRenderer::render;
  RenderedView render(const SceneState& scene, const SplatView& view,
                      const RenderSettings& settings) const override;

 private:
  std::vector<GaussianCloud> assets_;
};

}  // namespace gs

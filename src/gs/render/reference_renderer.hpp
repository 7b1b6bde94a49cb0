// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

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

// Nothing when the splat has no image: unusable, before the near plane, too faint everywhere.
std::optional<ReferenceSplat> projectReference(const GaussianCloud& cloud, size_t index,
                                               const Lens& lens, const Rigid3& map_from_camera,
                                               const RenderSettings& settings);

// The definition of the image, written from the formulas: every splat, sorted by depth, into every
// pixel its ellipse reaches. Slow; for tests.
class ReferenceRenderer final : public SplatRenderer {
 public:
  explicit ReferenceRenderer(const GaussianCloud& cloud) : cloud_(cloud) {}
  RenderedView render(const SplatView& view, const RenderSettings& settings) const override;

 private:
  const GaussianCloud& cloud_;
};

}  // namespace gs

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "gs/render/cpu_frame.hpp"
#include "gs/render/prepared_camera.hpp"
#include "gs/render/splat_renderer.hpp"
#include "gs/render/tile_binning.hpp"
#include "gs/train/kernels/blend_backward.hpp"
#include "gs/train/kernels/image_loss.hpp"
#include "gs/train/kernels/project_backward.hpp"

namespace gs {

// What a splat did in a view, beside its gradients.
struct SplatBlame {
  float error = 0;     // of the pixels it is in, by its weight; zero without extras
  float gradient = 0;  // length of the derivative by its place in the image, in half images
};

// One view there and back: the image of the scene as the renderer makes it, and the derivative of a
// loss by every splat in it. Keeps its memory from view to view.
class ViewPass {
 public:
  // Forward. Afterwards color() and extras() hold the image; depth only when asked for.
  void render(const SplatScene& scene, const PreparedCamera& camera, const Rigid3& map_from_opencv,
              const RenderSettings& settings, bool has_depth);

  const PlanarImage& color() const { return color_; }  // with sky or background
  // Plane 0: transmittance. Plane 1: sum of depth by weight. Plane 2 is not used.
  const PlanarImage& extras() const { return extras_; }

  // Backward: by_color is the derivative of the loss by color(); by_extras, where given, has it by
  // transmittance and by the sum of depths, and in plane 2 what splats are blamed for.
  void differentiate(const PlanarImage& by_color, const PlanarImage* by_extras);

  // Then, cluster by cluster of those in view, from any thread:
  size_t clusterCount() const { return in_view_->clusters.size(); }
  uint32_t cluster(size_t i) const { return in_view_->clusters[i]; }
  // Sums over tiles, always in the same order. False when no splat of the cluster is in the image.
  bool gather(size_t i, ImageGradients& gradients,
              std::array<SplatBlame, kClusterSize>& blame) const;
  const ProjectionView& projection() const { return in_view_->view; }
  size_t splatCount() const { return frame_.splatCount(); }

 private:
  int width_ = 0, height_ = 0;
  CpuFrame frame_;
  std::optional<ClustersInView> in_view_;
  TileBins bins_;
  PlanarImage color_, extras_;
  AlignedVector<SplatMoments> moments_;  // one per entry of the bins
  AlignedVector<uint32_t> rank_;         // of a projected splat among the sorted ones
};

}  // namespace gs

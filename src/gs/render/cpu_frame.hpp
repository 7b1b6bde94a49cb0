// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "gs/core/aligned.hpp"
#include "gs/render/depth_sort.hpp"
#include "gs/render/kernels/blend_tile.hpp"
#include "gs/render/kernels/project_splats.hpp"
#include "gs/render/prepared_camera.hpp"
#include "gs/render/tile_binning.hpp"
#include "gs/render/tile_painter.hpp"

namespace gs {

// What a camera may see of one instance: clusters of its asset, and the camera in the asset's
// frame.
struct ClustersInView {
  const SplatScene* scene;
  std::vector<uint32_t> clusters;  // ascending
  ProjectionView view;
};
ClustersInView findClustersInView(const SplatScene& scene, const PreparedCamera& camera,
                                  const Rigid3& asset_from_opencv, const RenderSettings& settings);

// One image in the making: each step fills what the next one reads. Between images only its memory
// is of use.
class CpuFrame {
 public:
  // All instances into one sequence: clusters count on from one to the next.
  void project(std::span<const ClustersInView> instances);
  void sort(const RenderSettings& settings, bool with_depths);
  // Bins and blends, in several passes when the pairs of splat and tile would need too much memory,
  // and paints every tile.
  void blend(const TilePainter& painter, RenderStatistics& statistics);

  size_t splatCount() const { return sorted_.size(); }

  // For whoever differentiates the image: after project() and sort().
  std::span<const ProjectedSplat> sorted() const { return sorted_; }
  std::span<const TileRange> sortedRanges() const { return sorted_ranges_; }
  const float* sortedDepths() const { return sorted_depths_.data(); }
  // Splats of the visible cluster i before sorting, and where each went.
  size_t countOf(size_t i) const { return counts_[i]; }
  const ProjectedSplat& projected(size_t i, size_t k) const {
    return projected_[i * kClusterSize + k];
  }
  // Sorted position n came from the visible cluster index / kClusterSize.
  std::span<const DepthKey> keys() const { return keys_; }

 private:
  void blendPass(const TilePainter& painter, bool is_first, bool is_last,
                 RenderStatistics& statistics);

  // From the projection: kClusterSize places per visible cluster, the first counts_[i] used.
  AlignedVector<ProjectedSplat> projected_;
  AlignedVector<TileRange> projected_ranges_;
  AlignedVector<float> projected_depths_;
  std::vector<uint32_t> counts_;
  AlignedVector<DepthKey> keys_, sort_scratch_;
  // Nearest first.
  AlignedVector<ProjectedSplat> sorted_;
  AlignedVector<TileRange> sorted_ranges_;
  AlignedVector<float> sorted_depths_;
  TileBins bins_;
  // Only with several passes.
  std::vector<TileState> states_;
  std::vector<uint8_t> is_done_;
};

// Frames of images that are made at the same time; each comes back when its image is done.
class CpuFramePool {
 public:
  std::unique_ptr<CpuFrame> take();
  void giveBack(std::unique_ptr<CpuFrame> frame);

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<CpuFrame>> free_;
};

}  // namespace gs

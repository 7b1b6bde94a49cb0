// SPDX-License-Identifier: Apache-2.0
#include "gs/render/cpu_frame.hpp"

#include <algorithm>
#include <atomic>

#include "gs/core/parallel.hpp"
#include "gs/render/lap.hpp"
#include "gs/render/view_frustum.hpp"

namespace gs {
namespace {

constexpr size_t kMaxTileEntries = size_t{32} << 20;

}  // namespace

ClustersInView findClustersInView(const SplatScene& scene, const PreparedCamera& camera,
                                  const Rigid3& asset_from_opencv, const RenderSettings& settings) {
  const ViewFrustum frustum(camera.lens(), asset_from_opencv, settings.near_plane,
                            settings.far_plane);
  return {&scene, findVisibleClusters(scene, frustum),
          ProjectionView(camera.lens(), camera.camera(), asset_from_opencv, settings)};
}

void CpuFrame::project(std::span<const ClustersInView> instances) {
  struct Source {
    const ClustersInView* instance;
    uint32_t cluster;
  };
  std::vector<Source> sources;
  for (const ClustersInView& instance : instances)
    for (const uint32_t cluster : instance.clusters) sources.push_back({&instance, cluster});
  projected_.resize(sources.size() * kClusterSize);
  projected_ranges_.resize(projected_.size());
  projected_depths_.resize(projected_.size());
  counts_.resize(sources.size());
  parallelFor(sources.size(), 8, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      const size_t at = i * kClusterSize;
      const auto& [instance, cluster] = sources[i];
      counts_[i] = static_cast<uint32_t>(
          projectCluster(*instance->scene, cluster, instance->view,
                         {&projected_[at], &projected_ranges_[at], &projected_depths_[at]}));
    }
  });
}

void CpuFrame::sort(const RenderSettings& settings, bool with_depths) {
  std::vector<size_t> places(counts_.size() + 1);
  for (size_t i = 0; i < counts_.size(); ++i) places[i + 1] = places[i] + counts_[i];
  keys_.resize(places.back());
  const DepthKeys depth_keys(static_cast<float>(settings.near_plane),
                             static_cast<float>(settings.far_plane));
  parallelFor(counts_.size(), 64, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i)
      for (size_t k = 0; k < counts_[i]; ++k) {
        const size_t at = i * kClusterSize + k;
        keys_[places[i] + k] = {depth_keys.keyOf(projected_depths_[at]), static_cast<uint32_t>(at)};
      }
  });
  sortByDepth(keys_, depth_keys.bits(), sort_scratch_);
  sorted_.resize(keys_.size());
  sorted_ranges_.resize(keys_.size());
  if (with_depths) sorted_depths_.resize(keys_.size());
  parallelFor(keys_.size(), 16384, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      sorted_[i] = projected_[keys_[i].index];
      sorted_ranges_[i] = projected_ranges_[keys_[i].index];
      if (with_depths) sorted_depths_[i] = projected_depths_[keys_[i].index];
    }
  });
}

void CpuFrame::blend(const TilePainter& painter, RenderStatistics& statistics) {
  const size_t tiles = painter.grid().size();
  is_done_.clear();
  Lap lap;
  bool is_first = true, is_last = false;
  for (size_t next = 0; !is_last; is_first = false) {
    next = bins_.fill(painter.grid(), sorted_, sorted_ranges_, next, is_done_, kMaxTileEntries);
    statistics.phases.push_back({"bin", lap()});
    is_last = next >= sorted_.size();
    if (is_first && !is_last) {
      states_.resize(tiles);
      is_done_.assign(tiles, 0);
    }
    blendPass(painter, is_first, is_last, statistics);
    if (!is_last && std::find(is_done_.begin(), is_done_.end(), 0) == is_done_.end())
      next = sorted_.size();  // every pixel is opaque: only painting is left
    statistics.phases.push_back({"blend", lap()});
  }
}

void CpuFrame::blendPass(const TilePainter& painter, bool is_first, bool is_last,
                         RenderStatistics& statistics) {
  std::atomic<uint64_t> evaluated = 0;
  parallelFor(painter.grid().size(), 4, [&](size_t begin, size_t end) {
    TileState scratch;
    for (size_t tile = begin; tile < end; ++tile) {
      TileState& state = is_first && is_last ? scratch : states_[tile];
      if (is_first) state.clear(painter.widthOf(tile), painter.heightOf(tile), painter.hasExtras());
      state.evaluated_lanes = 0;
      blendTile(sorted_, sorted_depths_.data(), bins_.splatsOf(tile), painter.x0(tile),
                painter.y0(tile), painter.hasExtras(), state);
      evaluated.fetch_add(state.evaluated_lanes, std::memory_order_relaxed);
      if (is_last) painter.paint(tile, state);
      else is_done_[tile] = state.opaque_blocks == kTileBlocks;
    }
  });
  statistics.evaluations += evaluated;
}

std::unique_ptr<CpuFrame> CpuFramePool::take() {
  const std::lock_guard lock(mutex_);
  if (free_.empty()) return std::make_unique<CpuFrame>();
  std::unique_ptr<CpuFrame> frame = std::move(free_.back());
  free_.pop_back();
  return frame;
}

void CpuFramePool::giveBack(std::unique_ptr<CpuFrame> frame) {
  const std::lock_guard lock(mutex_);
  free_.push_back(std::move(frame));
}

}  // namespace gs

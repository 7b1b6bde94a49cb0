// SPDX-License-Identifier: Apache-2.0
#include "gs/render/cpu_renderer.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>

#include "gs/core/parallel.hpp"
#include "gs/render/depth_sort.hpp"
#include "gs/render/kernels/blend_tile.hpp"
#include "gs/render/kernels/project_splats.hpp"
#include "gs/render/resolve_pixel.hpp"
#include "gs/render/sky_tile.hpp"
#include "gs/render/tile_binning.hpp"
#include "gs/render/view_frustum.hpp"

namespace gs {
namespace {

constexpr size_t kClustersPerTask = 8;
constexpr size_t kMaxTileEntries = size_t{32} << 20;

// Seconds since the last call.
class Lap {
 public:
  double operator()() {
    const auto now = std::chrono::steady_clock::now();
    const double seconds = std::chrono::duration<double>(now - last_).count();
    last_ = now;
    return seconds;
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace

// One image in the making: each step fills what the next one reads. Between frames only its memory
// is of use.
struct CpuRenderer::Frame {
  // From the projection: kClusterSize places per visible cluster, the first counts[i] used.
  AlignedVector<ProjectedSplat> projected;
  AlignedVector<TileRange> projected_ranges;
  AlignedVector<float> projected_depths;
  std::vector<uint32_t> counts;
  AlignedVector<DepthKey> keys, sort_scratch;
  AlignedVector<ProjectedSplat> sorted;
  AlignedVector<TileRange> sorted_ranges;
  AlignedVector<float> sorted_depths;
  TileBins bins;
  std::vector<TileState> kept_states;  // only when the pairs need several passes
  std::vector<uint8_t> done_tiles;

  void project(const SplatScene& scene, const std::vector<uint32_t>& clusters,
               const ProjectionView& view) {
    projected.resize(clusters.size() * kClusterSize);
    projected_ranges.resize(projected.size());
    projected_depths.resize(projected.size());
    counts.resize(clusters.size());
    parallelFor(clusters.size(), kClustersPerTask, [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i)
        counts[i] = static_cast<uint32_t>(
            projectCluster(scene, clusters[i], view,
                           {projected.data() + i * kClusterSize,
                            projected_ranges.data() + i * kClusterSize,
                            projected_depths.data() + i * kClusterSize}));
    });
  }

  void sort(const ProjectionView& view, bool with_depths) {
    std::vector<size_t> places(counts.size() + 1);
    for (size_t i = 0; i < counts.size(); ++i) places[i + 1] = places[i] + counts[i];
    keys.resize(places.back());
    const DepthQuantizer quantizer(view.near_plane, view.far_plane);
    parallelFor(counts.size(), 64, [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i)
        for (size_t k = 0; k < counts[i]; ++k) {
          const size_t at = i * kClusterSize + k;
          keys[places[i] + k] = {quantizer.keyOf(projected_depths[at]), static_cast<uint32_t>(at)};
        }
    });
    sortByDepth(keys, sort_scratch);
    sorted.resize(keys.size());
    sorted_ranges.resize(keys.size());
    if (with_depths) sorted_depths.resize(keys.size());
    parallelFor(keys.size(), 16384, [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) {
        sorted[i] = projected[keys[i].index];
        sorted_ranges[i] = projected_ranges[keys[i].index];
        if (with_depths) sorted_depths[i] = projected_depths[keys[i].index];
      }
    });
  }
};

// Frames in use by several threads at once; each goes back when its image is done.
class CpuRenderer::FramePool {
 public:
  std::unique_ptr<Frame> take() {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) return std::make_unique<Frame>();
    std::unique_ptr<Frame> frame = std::move(free_.back());
    free_.pop_back();
    return frame;
  }
  void giveBack(std::unique_ptr<Frame> frame) {
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(frame));
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<Frame>> free_;
};

namespace {

// Everything about the picture that a tile needs to become pixels.
class TilePainter {
 public:
  TilePainter(const SplatView& view, const RenderSettings& settings, const PreparedCamera& camera,
              const Rigid3& map_from_opencv, RenderedView& result)
      : view_(view),
        settings_(settings),
        sky_(settings.sky, camera, map_from_opencv),
        grid_(view.camera.width, view.camera.height),
        result_(result) {
    const RenderOutputs& outputs = view.outputs;
    has_extras_ = outputs.depth || outputs.splat_count;
    is_plain_ = !(outputs.color || outputs.depth || outputs.opacity || outputs.splat_count);
  }

  bool hasExtras() const { return has_extras_; }
  const TileGrid& grid() const { return grid_; }
  int x0(size_t tile) const { return static_cast<int>(tile) % grid_.columns * kTileSize; }
  int y0(size_t tile) const { return static_cast<int>(tile) / grid_.columns * kTileSize; }
  int widthOf(size_t tile) const { return std::min(kTileSize, view_.camera.width - x0(tile)); }
  int heightOf(size_t tile) const { return std::min(kTileSize, view_.camera.height - y0(tile)); }

  void paint(size_t tile, const TileState& state) const {
    TileBackdrop backdrop;
    const bool has_sky =
        sky_.fill(x0(tile), y0(tile), widthOf(tile), heightOf(tile), state, backdrop);
    if (is_plain_) {
      resolveTile(state, has_sky ? &backdrop : nullptr, settings_.background, settings_.gain,
                  widthOf(tile), heightOf(tile), result_.rgb.at(x0(tile), y0(tile)),
                  result_.rgb.rowSize());
      return;
    }
    for (int y = 0; y < heightOf(tile); ++y)
      for (int x = 0; x < widthOf(tile); ++x) {
        const auto [block, lane] = placeInTile(x, y);
        const TileState::Block& blended = state.blocks[block];
        BlendedPixel pixel{.color = {blended.red[lane], blended.green[lane], blended.blue[lane]},
                           .transmittance = blended.transmittance[lane]};
        for (size_t c = 0; c < 3; ++c)
          pixel.color[static_cast<int>(c)] +=
              pixel.transmittance *
              (has_sky ? backdrop.blocks[block].rgb[c][lane] : settings_.background[c]);
        if (has_extras_) {
          pixel.weighted_depth = state.extras[block].depth[lane];
          pixel.count = static_cast<uint32_t>(state.extras[block].count[lane]);
        }
        storePixel(view_.outputs, settings_, x0(tile) + x, y0(tile) + y, pixel, result_);
      }
  }

 private:
  const SplatView& view_;
  const RenderSettings& settings_;
  SkyTile sky_;
  TileGrid grid_;
  RenderedView& result_;
  bool has_extras_, is_plain_;
};

}  // namespace

CpuRenderer::CpuRenderer(const GaussianCloud& cloud)
    : scene_(makeSplatScene(cloud)),
      pool_(std::make_unique<FramePool>()),
      cameras_(std::make_unique<CameraCache>()) {}
CpuRenderer::~CpuRenderer() = default;

RenderedView CpuRenderer::render(const SplatView& view, const RenderSettings& settings) const {
  const std::shared_ptr<const PreparedCamera> camera = cameras_->find(view.camera);
  const Lens& lens = camera->lens();
  const Rigid3 map_from_opencv{
      view.map_from_camera.rotation * opencvFromCamera(view.camera.convention).inverse(),
      view.map_from_camera.translation};
  RenderedView result;
  prepareOutputs(view, result);
  RenderStatistics& statistics = result.statistics;
  const TilePainter painter(view, settings, *camera, map_from_opencv, result);
  std::unique_ptr<Frame> frame = pool_->take();
  Lap lap;

  const ViewFrustum frustum(lens, map_from_opencv, settings.near_plane, settings.far_plane);
  const std::vector<uint32_t> clusters = findVisibleClusters(scene_, frustum);
  statistics.clusters_tested = scene_.clusters.size();
  statistics.clusters_in_view = clusters.size();
  statistics.cull_sec = lap();

  const ProjectionView projection(lens, view.camera, map_from_opencv, settings);
  frame->project(scene_, clusters, projection);
  statistics.splats_projected = clusters.size() * kClusterSize;
  statistics.project_sec = lap();

  frame->sort(projection, painter.hasExtras());
  statistics.splats_in_view = frame->sorted.size();
  statistics.sort_sec = lap();

  const size_t tiles = painter.grid().size();
  std::atomic<uint64_t> evaluated = 0;
  frame->done_tiles.clear();
  bool is_filled = false;
  for (size_t next = 0;;) {
    const bool is_first = next == 0;
    next =
        frame->bins.fill(painter.grid(), frame->sorted, frame->sorted_ranges, next, frame->done_tiles, kMaxTileEntries);
    const bool is_last = next >= frame->sorted.size() || is_filled;
    ++statistics.passes;
    statistics.tile_entries += frame->bins.entryCount();
    statistics.bin_sec += lap();
    if (!is_last && is_first) {
      frame->kept_states.resize(tiles);
      frame->done_tiles.assign(tiles, 0);
    }
    parallelFor(tiles, 4, [&](size_t begin, size_t end) {
      TileState scratch;
      for (size_t tile = begin; tile < end; ++tile) {
        TileState& state = is_first && is_last ? scratch : frame->kept_states[tile];
        if (is_first)
          state.clear(painter.widthOf(tile), painter.heightOf(tile), painter.hasExtras());
        const uint64_t before = state.evaluated_lanes;
        blendTile(frame->sorted, frame->sorted_depths.data(), frame->bins.splatsOf(tile),
                  painter.x0(tile), painter.y0(tile), painter.hasExtras(), state);
        evaluated.fetch_add(state.evaluated_lanes - before, std::memory_order_relaxed);
        if (is_last) painter.paint(tile, state);
        else frame->done_tiles[tile] = state.opaque_blocks == kTileBlocks;
      }
    });
    statistics.blend_sec += lap();
    if (is_last) break;
    is_filled = std::all_of(frame->done_tiles.begin(), frame->done_tiles.end(),
                            [](uint8_t is_done) { return is_done != 0; });
  }
  statistics.evaluated_lanes = evaluated;
  pool_->giveBack(std::move(frame));
  return result;
}

std::vector<RenderedView> CpuRenderer::renderAll(std::span<const SplatView> views,
                                                 const RenderSettings& settings) const {
  // Side by side, so that the short steps of one image fill the waits of another.
  std::vector<RenderedView> images(views.size());
  parallelFor(views.size(), 1, [&](size_t i, size_t) { images[i] = render(views[i], settings); });
  return images;
}

}  // namespace gs

// SPDX-License-Identifier: Apache-2.0
#include "gs/render/cpu_renderer.hpp"

#include "gs/core/parallel.hpp"
#include "gs/render/cpu_frame.hpp"
#include "gs/render/lap.hpp"

namespace gs {

CpuRenderer::CpuRenderer(const std::vector<const GaussianCloud*>& assets)
    : frames_(std::make_unique<CpuFramePool>()), cameras_(std::make_unique<CameraCache>()) {
  for (const GaussianCloud* cloud : assets)
    assets_.push_back(cloud ? makeSplatScene(*cloud) : SplatScene{});
}
CpuRenderer::~CpuRenderer() = default;

RenderedView CpuRenderer::render(const SceneState& scene, const SplatView& view,
                                 const RenderSettings& settings) const {
  requireScene(scene, assets_.size(), "renderer");
  const std::shared_ptr<const PreparedCamera> camera = cameras_->find(view.camera);
  const Rigid3 map_from_opencv = mapFromOpencv(view);
  RenderedView result;
  RenderStatistics& statistics = result.statistics;
  const TilePainter painter(view, settings, *camera, map_from_opencv, result);
  std::unique_ptr<CpuFrame> frame = frames_->take();
  Lap lap;

  // For a rigid thing, the camera seen from its frame says all: places, shapes and directions.
  std::vector<ClustersInView> in_view;
  for (const auto& [asset, map_from_asset] : scene.instances) {
    const Rigid3 asset_from_opencv =
        asset == 0 ? map_from_opencv : map_from_asset.begin.inverse() * map_from_opencv;
    in_view.push_back(findClustersInView(assets_[asset], *camera, asset_from_opencv, settings));
    statistics.splats += assets_[asset].count;
    statistics.splats_considered += in_view.back().clusters.size() * kClusterSize;
  }
  statistics.phases.push_back({"cull", lap()});

  frame->project(in_view);
  statistics.phases.push_back({"project", lap()});

  frame->sort(settings, painter.hasExtras());
  statistics.splats_in_view = frame->splatCount();
  statistics.phases.push_back({"sort", lap()});

  frame->blend(painter, statistics);
  frames_->giveBack(std::move(frame));
  return result;
}

std::vector<RenderedView> CpuRenderer::renderAll(const SceneState& scene,
                                                 std::span<const SplatView> views,
                                                 const RenderSettings& settings) const {
  // Side by side, so that the short steps of one image fill the waits of another.
  std::vector<RenderedView> images(views.size());
  parallelFor(views.size(), 1,
              [&](size_t i, size_t) { images[i] = render(scene, views[i], settings); });
  return images;
}

}  // namespace gs

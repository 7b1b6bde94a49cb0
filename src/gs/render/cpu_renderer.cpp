// SPDX-License-Identifier: Apache-2.0
#include "gs/render/cpu_renderer.hpp"

#include "gs/core/parallel.hpp"
#include "gs/render/cpu_frame.hpp"
#include "gs/render/lap.hpp"
#include "gs/render/view_frustum.hpp"

namespace gs {

CpuRenderer::CpuRenderer(const GaussianCloud& cloud)
    : scene_(makeSplatScene(cloud)),
      frames_(std::make_unique<CpuFramePool>()),
      cameras_(std::make_unique<CameraCache>()) {}
CpuRenderer::~CpuRenderer() = default;

RenderedView CpuRenderer::render(const SplatView& view, const RenderSettings& settings) const {
  const std::shared_ptr<const PreparedCamera> camera = cameras_->find(view.camera);
  const Rigid3 map_from_opencv = mapFromOpencv(view);
  RenderedView result;
  RenderStatistics& statistics = result.statistics;
  const TilePainter painter(view, settings, *camera, map_from_opencv, result);
  std::unique_ptr<CpuFrame> frame = frames_->take();
  Lap lap;

  const ViewFrustum frustum(camera->lens(), map_from_opencv, settings.near_plane,
                            settings.far_plane);
  const std::vector<uint32_t> clusters = findVisibleClusters(scene_, frustum);
  statistics.clusters_in_view = clusters.size();
  statistics.splats_projected = clusters.size() * kClusterSize;
  statistics.cull_sec = lap();

  const ProjectionView projection(camera->lens(), view.camera, map_from_opencv, settings);
  frame->project(scene_, clusters, projection);
  statistics.project_sec = lap();

  frame->sort(projection, painter.hasExtras());
  statistics.splats_in_view = frame->splatCount();
  statistics.sort_sec = lap();

  frame->blend(painter, statistics);
  frames_->giveBack(std::move(frame));
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

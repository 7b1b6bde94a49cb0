// SPDX-License-Identifier: Apache-2.0
#include "gs/geometry/ground_surface.hpp"

#include <algorithm>
#include <limits>

#include "gs/core/error.hpp"
#include "gs/core/parallel.hpp"
#include "gs/geometry/bridge_holes.hpp"
#include "gs/geometry/cell_grid.hpp"
#include "gs/geometry/check_trajectory.hpp"
#include "gs/geometry/grow_ground.hpp"
#include "gs/geometry/require_option.hpp"

namespace gs {
namespace {

constexpr const char* kComponent = "geometry_builder";
constexpr float kUnknown = std::numeric_limits<float>::quiet_NaN();

void checkOptions(const GroundOptions& options) {
  requireOption(options.resolution >= 0.01 && options.resolution <= 100, "resolution",
                "0.01 to 100 m");
  requireOption(options.margin >= 0 && std::isfinite(options.margin), "margin", "0 or more");
  requireOption(
      options.median_kernel >= 1 && options.median_kernel <= 99 && options.median_kernel % 2 == 1,
      "median_kernel", "odd, 1 to 99");
  requireOption(options.outlier_threshold > 0, "outlier_threshold", "greater than 0");
  requireOption(options.max_step > 0 && options.max_step <= 2, "max_step", "between 0 and 2 m");
  requireOption(options.max_slope > 0 && options.max_slope <= 2, "max_slope", "between 0 and 2");
  requireOption(options.max_hole >= 0 && options.max_hole <= 1000, "max_hole", "0 to 1000 m");
}

MapExtent extentAround(const std::vector<Rigid3>& poses, double margin) {
  MapExtent extent{poses[0].translation.x(), poses[0].translation.x(), poses[0].translation.y(),
                   poses[0].translation.y()};
  for (const Rigid3& pose : poses) {
    extent.x_min = std::min(extent.x_min, pose.translation.x());
    extent.x_max = std::max(extent.x_max, pose.translation.x());
    extent.y_min = std::min(extent.y_min, pose.translation.y());
    extent.y_max = std::max(extent.y_max, pose.translation.y());
  }
  return {extent.x_min - margin, extent.x_max + margin, extent.y_min - margin,
          extent.y_max + margin};
}

// Cells far from what surrounds them are measurements of something else.
void dropOutliers(const CellGrid& grid, double threshold, std::vector<float>& heights) {
  const std::vector<float> medians = medianFiltered(grid, 7, heights);
  for (size_t i = 0; i < heights.size(); ++i)
    if (std::abs(heights[i] - medians[i]) > static_cast<float>(threshold)) heights[i] = kUnknown;
}

}  // namespace

GroundSurface buildGroundSurface(const MapCloud& cloud, const std::vector<Rigid3>& map_from_base,
                                 const GroundOptions& options) {
  checkOptions(options);
  checkTrajectory(map_from_base);
  if (cloud.size() == 0)
    throw Error({.code = ErrorCode::PointcloudEmpty,
                 .component = kComponent,
                 .message = "the LiDAR map has no points to find the ground in"});
  const CellGrid grid =
      makeCellGrid(options.extent ? *options.extent : extentAround(map_from_base, options.margin),
                   options.resolution);
  std::vector<float> heights;
  {
    const CellPoints cells(grid, cloud);
    heights = growGround(grid, cells, cloud, map_from_base, options);
  }
  dropOutliers(grid, options.outlier_threshold, heights);
  if (options.median_kernel > 1) heights = medianFiltered(grid, options.median_kernel, heights);

  GroundSurface surface;
  surface.is_seen.resize(grid.size());
  for (size_t i = 0; i < grid.size(); ++i) {
    surface.is_seen[i] = !std::isnan(heights[i]);
    surface.seen_cells += surface.is_seen[i];
  }
  if (surface.seen_cells == 0)
    throw Error({.code = ErrorCode::HeightmapInvalid,
                 .component = kComponent,
                 .message = "no ground was found under the trajectory",
                 .details = {{"cells", grid.size()}, {"points", cloud.size()}},
                 .suggestion = "Check that the LiDAR sees the road, that base_link is within "
                               "a metre of it, and that heightmap.extent holds the trajectory."});
  bridgeHoles(grid, options.max_hole, heights);

  const double base = cloud.origin.z();
  surface.heights = {.origin_x = grid.origin_x,
                     .origin_y = grid.origin_y,
                     .origin_z = 0,
                     .resolution = grid.resolution,
                     .width = grid.width,
                     .height = grid.height,
                     .samples = std::move(heights)};
  size_t known = 0;
  for (float& height : surface.heights.samples) {
    height = static_cast<float>(height + base);
    known += !std::isnan(height);
  }
  surface.bridged_cells = known - surface.seen_cells;
  return surface;
}

}  // namespace gs

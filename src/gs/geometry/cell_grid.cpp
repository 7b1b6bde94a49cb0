// SPDX-License-Identifier: Apache-2.0
#include "gs/geometry/cell_grid.hpp"

#include <algorithm>

#include "gs/core/error.hpp"
#include "gs/core/parallel.hpp"

namespace gs {

CellGrid makeCellGrid(const MapExtent& extent, double resolution) {
  const double columns = std::floor((extent.x_max - extent.x_min) / resolution + 1e-6) + 1;
  const double rows = std::floor((extent.y_max - extent.y_min) / resolution + 1e-6) + 1;
  const bool is_empty = !(extent.x_max > extent.x_min) || !(extent.y_max > extent.y_min);
  const bool is_too_large = !(columns * rows <= static_cast<double>(kMaxHeightmapCells)) ||
                            !(std::max(columns, rows) < 1e8) || !(std::abs(extent.x_min) < 1e9) ||
                            !(std::abs(extent.y_min) < 1e9);
  if (is_empty || is_too_large)
    throw Error({.code = ErrorCode::HeightmapInvalid,
                 .component = "geometry_builder",
                 .message = is_empty ? "the heightmap's extent is empty"
                                     : "the heightmap's extent has too many cells",
                 .details = {{"x_min", extent.x_min},
                             {"x_max", extent.x_max},
                             {"y_min", extent.y_min},
                             {"y_max", extent.y_max},
                             {"resolution", resolution},
                             {"max_cells", kMaxHeightmapCells}},
                 .suggestion = is_empty ? "Give heightmap.extent in metres of the map frame."
                                        : "Choose a smaller heightmap.extent or a coarser "
                                          "heightmap.resolution."});
  return {.origin_x = std::floor(extent.x_min / resolution + 1e-6) * resolution,
          .origin_y = std::floor(extent.y_min / resolution + 1e-6) * resolution,
          .resolution = resolution,
          .width = static_cast<int>(columns),
          .height = static_cast<int>(rows)};
}

CellPoints::CellPoints(const CellGrid& grid, const MapCloud& cloud) : first(grid.size() + 1, 0) {
  constexpr uint32_t kOutside = 0xffffffff;
  std::vector<uint32_t> cell_of(cloud.size());
  parallelFor(cloud.size(), 65536, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      const Vec3 p = cloud.positionInMap(i);
      cell_of[i] = kOutside;
      if (!p.allFinite() || std::abs(p.x() - grid.origin_x) > 1e8 ||
          std::abs(p.y() - grid.origin_y) > 1e8)
        continue;
      const int col = grid.colOf(p.x()), row = grid.rowOf(p.y());
      if (grid.contains(col, row)) cell_of[i] = static_cast<uint32_t>(grid.index(col, row));
    }
  });
  for (const uint32_t cell : cell_of)
    if (cell != kOutside) ++first[cell + 1];
  for (size_t c = 0; c < grid.size(); ++c) first[c + 1] += first[c];
  points.resize(first.back());
  std::vector<uint32_t> next(first.begin(), first.end() - 1);
  for (uint32_t i = 0; i < cloud.size(); ++i)
    if (cell_of[i] != kOutside) points[next[cell_of[i]]++] = i;
  parallelFor(grid.size(), 65536, [&](size_t begin, size_t end) {
    for (size_t c = begin; c < end; ++c)
      std::stable_sort(
          points.begin() + first[c], points.begin() + first[c + 1],
          [&](uint32_t a, uint32_t b) { return cloud.positions[a].z() < cloud.positions[b].z(); });
  });
}

}  // namespace gs

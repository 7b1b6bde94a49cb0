// SPDX-License-Identifier: Apache-2.0
#include "gs/geometry/testing/road_agreement.hpp"

#include <algorithm>
#include <cmath>

#include "gs/geometry/cell_grid.hpp"
#include "gs/geometry/distance_field.hpp"

namespace gs {
namespace {

constexpr double kCell = 0.1;                         // m
constexpr double kStandsFrom = 0.2, kStandsTo = 2.5;  // m above the ground

// Cells that a triangle of the town covers at the height of a car.
std::vector<uint8_t> findStandingThings(const CellGrid& grid, const Town& town) {
  std::vector<uint8_t> stands(grid.size(), 0);
  const TriangleMesh& mesh = town.staticMesh();
  const auto vertex = [&](uint32_t v) {
    const auto& p = mesh.positions[v];
    return Vec3(p[0], p[1], p[2]);
  };
  for (const auto& triangle : mesh.triangles) {
    const Vec3 a = vertex(triangle[0]), b = vertex(triangle[1]), c = vertex(triangle[2]);
    const double longest = std::max({(b - a).norm(), (c - a).norm(), (c - b).norm()});
    if (longest > 20) continue;  // facades and ground
    const int steps = std::max(1, static_cast<int>(std::ceil(2 * longest / kCell)));
    for (int i = 0; i <= steps; ++i)
      for (int k = 0; i + k <= steps; ++k) {
        const Vec3 p = a + (b - a) * i / steps + (c - a) * k / steps;
        const int col = grid.colOf(p.x()), row = grid.rowOf(p.y());
        if (!grid.contains(col, row)) continue;
        const double above = p.z() - town.groundHeight(p.x(), p.y());
        if (above > kStandsFrom && above < kStandsTo) stands[grid.index(col, row)] = 1;
      }
  }
  return stands;
}

}  // namespace

RoadAgreement compareRoad(const DrivableArea& area, const Town& town,
                          const std::vector<Rigid3>& path, double max_distance) {
  MapExtent extent{1e9, -1e9, 1e9, -1e9};
  for (const Rigid3& pose : path) {
    const Vec3& p = pose.translation;
    extent = {
        std::min(extent.x_min, p.x() - max_distance), std::max(extent.x_max, p.x() + max_distance),
        std::min(extent.y_min, p.y() - max_distance), std::max(extent.y_max, p.y() + max_distance)};
  }
  const CellGrid grid = makeCellGrid(extent, kCell);
  std::vector<uint8_t> is_path(grid.size(), 0);
  for (const Rigid3& pose : path)
    is_path[grid.index(grid.colOf(pose.translation.x()), grid.rowOf(pose.translation.y()))] = 1;
  const std::vector<float> distances = squaredDistances(grid, is_path);
  const std::vector<uint8_t> stands = findStandingThings(grid, town);
  const DrivableArea roadway = town.drivable();
  const double reach = max_distance / kCell;
  double both = 0, either = 0, found = 0, outside = 0;
  for (int row = 0; row < grid.height; ++row)
    for (int col = 0; col < grid.width; ++col) {
      const size_t cell = grid.index(col, row);
      if (static_cast<double>(distances[cell]) > reach * reach) continue;
      const bool is_found = isDrivable(area, grid.xOf(col), grid.yOf(row));
      const bool is_roadway = isDrivable(roadway, grid.xOf(col), grid.yOf(row));
      const bool is_road = is_roadway && !stands[cell];
      both += is_found && is_road;
      either += is_found || is_road;
      found += is_found;
      outside += is_found && !is_roadway;
    }
  return {either > 0 ? both / either : 0, found > 0 ? outside / found : 0};
}

}  // namespace gs

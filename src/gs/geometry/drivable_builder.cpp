// SPDX-License-Identifier: Apache-2.0
#include "gs/geometry/drivable_builder.hpp"

#include <algorithm>
#include <cmath>

#include "gs/bundle/polygon_geos.hpp"
#include "gs/core/error.hpp"
#include "gs/core/parallel.hpp"
#include "gs/geometry/cell_grid.hpp"
#include "gs/geometry/check_trajectory.hpp"
#include "gs/geometry/distance_field.hpp"
#include "gs/geometry/trace_outlines.hpp"

namespace gs {
namespace {

using CellMask = std::vector<uint8_t>;

// A kerb behind a parked car is not seen, and a bridge over it looks like a ramp.
constexpr double kKerbReach = 0.2;  // m to each side of a kerb
constexpr double kMaxUnseen = 0.3;  // m from measured ground

void require(bool holds, const char* name, const char* rule) {
  if (!holds)
    throw Error({.code = ErrorCode::ConfigInvalid,
                 .component = "geometry_builder",
                 .message = std::string(name) + " must be " + rule,
                 .details = {{"option", name}}});
}

DrivableArea areaFrom(std::vector<Polygon> polygons) {
  DrivableArea area;
  if (polygons.empty()) return area;
  const bool is_multi = polygons.size() > 1;
  area.features.push_back({.polygons = std::move(polygons), .priority = 0, .is_multi = is_multi});
  return area;
}

// Steps and slopes a car does not drive over, and ground nobody knows. A kerb is a rise that the
// wider surroundings do not share, so a steep street is none; seen from afar it may be smeared
// over several cells.
CellMask findRoughCells(const Heightmap& map, const GroundDrivableOptions& options) {
  const CellGrid grid = gridOf(map);
  const int near = std::max(1, static_cast<int>(std::lround(kKerbReach / map.resolution)));
  const int far = 4 * near;
  // Of a step, a quarter is also the mean rise over the wider distance.
  const auto max_rise = static_cast<float>(0.75 * options.max_kerb);
  const auto max_climb = static_cast<float>(2 * far * map.resolution * options.max_slope);
  const auto isRough = [&](int col, int row, int dc, int dr, float diagonal) {
    const auto rise = [&](int reach) {
      const int c0 = col - reach * dc, r0 = row - reach * dr;
      const int c1 = col + reach * dc, r1 = row + reach * dr;
      if (!grid.contains(c0, r0) || !grid.contains(c1, r1)) return 0.0f;
      return map.at(c1, r1) - map.at(c0, r0);
    };
    const float over_near = rise(near), over_far = rise(far);
    if (std::isnan(over_near)) return false;  // unknown neighbours say nothing
    const float trend = std::isnan(over_far) ? 0.0f : over_far;
    return std::abs(over_near - trend / 4) > max_rise * diagonal ||
           std::abs(trend) > max_climb * diagonal;
  };
  CellMask is_rough(grid.size(), 0);
  parallelFor(static_cast<size_t>(map.height), 32, [&](size_t begin, size_t end) {
    for (int row = static_cast<int>(begin); row < static_cast<int>(end); ++row)
      for (int col = 0; col < map.width; ++col)
        is_rough[grid.index(col, row)] = std::isnan(map.at(col, row)) ||
                                         isRough(col, row, 1, 0, 1) || isRough(col, row, 0, 1, 1) ||
                                         isRough(col, row, 1, 1, 1.2f) ||
                                         isRough(col, row, 1, -1, 1.2f);
  });
  return is_rough;
}

// What stands on a cell and the ground there, as often as they were hit.
struct CellHits {
  std::vector<uint32_t> thing, ground;
};

// Between the ground and the height of a car. What was seen only from much farther away than the
// path comes is an error of poses: whoever drove past would have seen it.
CellHits countHits(const GroundSurface& ground, const MapCloud& cloud,
                   const std::vector<double>& path_distance, const GroundDrivableOptions& options) {
  const CellGrid grid = gridOf(ground.heights);
  CellHits hits{std::vector<uint32_t>(grid.size(), 0), std::vector<uint32_t>(grid.size(), 0)};
  for (size_t i = 0; i < cloud.size(); ++i) {
    const Vec3 p = cloud.positionInMap(i);
    if (!p.allFinite() || std::abs(p.x() - grid.origin_x) > 1e8 ||
        std::abs(p.y() - grid.origin_y) > 1e8)
      continue;
    const int col = grid.colOf(p.x()), row = grid.rowOf(p.y());
    if (!grid.contains(col, row)) continue;
    const double above = p.z() - static_cast<double>(ground.heights.at(col, row));
    const size_t cell = grid.index(col, row);
    if (std::abs(above) < options.clearance_low / 2) hits.ground[cell] += cloud.hits[i];
    if (!(above > options.clearance_low && above < options.clearance_high)) continue;
    if (static_cast<double>(cloud.nearest_range[i]) > 1.3 * path_distance[cell] + 6) continue;
    hits.thing[cell] += cloud.hits[i];
  }
  return hits;
}

// How often a thing must have been hit, per metre of distance from the path: a tenth of what is
// usual there.
std::vector<uint32_t> fewestHits(const CellHits& hits, const std::vector<double>& path_distance,
                                 double max_distance) {
  constexpr uint32_t kMinHits = 3;
  std::vector<std::vector<uint32_t>> bands(static_cast<size_t>(std::min(max_distance, 1e4)) + 1);
  for (size_t i = 0; i < hits.thing.size(); ++i)
    if (hits.thing[i] >= kMinHits && path_distance[i] < static_cast<double>(bands.size()))
      bands[static_cast<size_t>(path_distance[i])].push_back(hits.thing[i]);
  std::vector<uint32_t> fewest;
  for (std::vector<uint32_t>& band : bands) {
    const auto middle = band.begin() + static_cast<ptrdiff_t>(band.size() / 2);
    std::nth_element(band.begin(), middle, band.end());
    fewest.push_back(std::max(kMinHits, band.empty() ? 0 : *middle / 10));
  }
  return fewest;
}

// Of the cell and those around it: a voxel of the map may lie on the border of two cells.
uint32_t sumAround(const CellGrid& grid, const std::vector<uint32_t>& counts, int col, int row) {
  uint32_t sum = 0;
  for (int r = std::max(0, row - 1); r <= std::min(grid.height - 1, row + 1); ++r)
    for (int c = std::max(0, col - 1); c <= std::min(grid.width - 1, col + 1); ++c)
      sum += counts[grid.index(c, r)];
  return sum;
}

// Cells where something static stands. A car that passed and was not quite removed left little
// beside what stands still, or was seen less often than the ground it hid.
CellMask findObstacles(const GroundSurface& ground, const MapCloud& cloud,
                       const std::vector<double>& path_distance,
                       const GroundDrivableOptions& options) {
  const CellHits hits = countHits(ground, cloud, path_distance, options);
  const std::vector<uint32_t> fewest = fewestHits(hits, path_distance, options.max_distance);
  const CellGrid grid = gridOf(ground.heights);
  CellMask is_obstacle(grid.size(), 0);
  for (int row = 0; row < grid.height; ++row)
    for (int col = 0; col < grid.width; ++col) {
      const size_t cell = grid.index(col, row);
      const auto band = static_cast<size_t>(
          std::min(path_distance[cell], static_cast<double>(fewest.size() - 1)));
      is_obstacle[cell] =
          hits.thing[cell] >= fewest[band] &&
          sumAround(grid, hits.thing, col, row) > sumAround(grid, hits.ground, col, row);
    }
  return is_obstacle;
}

CellMask cellsOf(const CellGrid& grid, const std::vector<Rigid3>& map_from_base) {
  CellMask path(grid.size(), 0);
  Vec2 last = map_from_base[0].translation.head<2>();
  for (const Rigid3& pose : map_from_base) {
    const Vec2 next = pose.translation.head<2>();
    const double length = (next - last).norm();
    // A gap in the poses is not a straight line somebody drove.
    const int steps = length < 5 ? static_cast<int>(length / (0.5 * grid.resolution)) + 1 : 1;
    for (int s = length < 5 ? 0 : 1; s <= steps; ++s) {
      const Vec2 p = last + (next - last) * s / steps;
      const int col = grid.colOf(p.x()), row = grid.rowOf(p.y());
      if (grid.contains(col, row)) path[grid.index(col, row)] = 1;
    }
    last = next;
  }
  return path;
}

CellMask within(const std::vector<float>& squared, double cells) {
  CellMask mask(squared.size());
  for (size_t i = 0; i < squared.size(); ++i)
    mask[i] = static_cast<double>(squared[i]) <= cells * cells;
  return mask;
}

std::vector<double> inMetres(const std::vector<float>& squared, double resolution) {
  std::vector<double> distances(squared.size());
  for (size_t i = 0; i < squared.size(); ++i)
    distances[i] = resolution * std::sqrt(static_cast<double>(squared[i]));
  return distances;
}

// Ground that nobody measured beside a part of the path that nobody measured either: the little
// that is known of it is that a car drove there.
CellMask findAssumedCells(const GroundSurface& ground, const CellMask& path, double reach) {
  const CellGrid grid = gridOf(ground.heights);
  CellMask blind_path = path;
  bool is_any = false;
  for (size_t i = 0; i < grid.size(); ++i) {
    blind_path[i] = path[i] && std::isnan(ground.heights.samples[i]);
    is_any = is_any || blind_path[i];
  }
  if (!is_any) return CellMask(grid.size(), 0);
  CellMask is_assumed = within(squaredDistances(grid, blind_path), reach);
  for (size_t i = 0; i < grid.size(); ++i)
    is_assumed[i] = is_assumed[i] && std::isnan(ground.heights.samples[i]);
  return is_assumed;
}

// Everything that is `open` and connected with a seed.
CellMask flood(const CellGrid& grid, const CellMask& open, const CellMask& seeds) {
  CellMask reached(grid.size(), 0);
  std::vector<size_t> stack;
  const auto visit = [&](int col, int row) {
    if (!grid.contains(col, row)) return;
    const size_t cell = grid.index(col, row);
    if (!open[cell] || reached[cell]) return;
    reached[cell] = 1;
    stack.push_back(cell);
  };
  for (int row = 0; row < grid.height; ++row)
    for (int col = 0; col < grid.width; ++col)
      if (seeds[grid.index(col, row)]) visit(col, row);
  while (!stack.empty()) {
    const int col = static_cast<int>(stack.back() % grid.width);
    const int row = static_cast<int>(stack.back() / grid.width);
    stack.pop_back();
    visit(col - 1, row);
    visit(col + 1, row);
    visit(col, row - 1);
    visit(col, row + 1);
  }
  return reached;
}

// The strip beside a kerb was left out because a step is near; up to the step it is road.
void reachUpToKerbs(const GroundSurface& ground, const CellMask& is_obstacle, double max_kerb,
                    CellMask& is_road) {
  const Heightmap& map = ground.heights;
  const CellGrid grid = gridOf(map);
  const int rounds = std::max(1, static_cast<int>(std::lround(kKerbReach / map.resolution)));
  for (int round = 0; round < rounds; ++round) {
    const CellMask before = is_road;
    for (int row = 0; row < map.height; ++row)
      for (int col = 0; col < map.width; ++col) {
        const size_t cell = grid.index(col, row);
        if (before[cell] || is_obstacle[cell]) continue;
        for (const auto& [dc, dr] : {std::pair{1, 0}, {-1, 0}, {0, 1}, {0, -1}}) {
          if (!grid.contains(col + dc, row + dr) || !before[grid.index(col + dc, row + dr)])
            continue;
          if (std::abs(map.at(col, row) - map.at(col + dc, row + dr)) <
              static_cast<float>(max_kerb / 2))
            is_road[cell] = 1;
        }
      }
  }
}

void dropSmall(double min_area, std::vector<Polygon>& polygons) {
  const auto isSmall = [&](const Ring& ring) { return std::abs(signedArea(ring)) < min_area; };
  std::erase_if(polygons, [&](const Polygon& polygon) { return isSmall(polygon.outer); });
  for (Polygon& polygon : polygons) std::erase_if(polygon.holes, isSmall);
}

}  // namespace

DrivableArea bufferTrajectory(const std::vector<Rigid3>& map_from_base,
                              const TrajectoryBufferOptions& options) {
  require(options.buffer_width > 0 && options.buffer_width <= 1000, "buffer_width",
          "greater than 0 and at most 1000 m");
  require(options.simplify_tolerance >= 0 && std::isfinite(options.simplify_tolerance),
          "simplify_tolerance", "0 or more");
  checkTrajectory(map_from_base);
  // Poses come every few centimetres; a fiftieth of the width changes nothing that shows.
  const double spacing = std::min(0.2, options.buffer_width / 50);
  std::vector<Point2> line;
  for (const Rigid3& pose : map_from_base) {
    const Vec3& p = pose.translation;
    if (line.empty() || std::hypot(p.x() - line.back()[0], p.y() - line.back()[1]) >= spacing)
      line.push_back({p.x(), p.y()});
  }
  const Vec3& end = map_from_base.back().translation;
  line.push_back({end.x(), end.y()});
  // At most a quarter of the width, or a narrow band would lose its own middle.
  const double tolerance = std::min(options.simplify_tolerance, options.buffer_width / 4);
  std::vector<Polygon> polygons =
      simplifiedUnion(bufferedLine(line, options.buffer_width), tolerance);
  return areaFrom(std::move(polygons));
}

DrivableArea growDrivableArea(const GroundSurface& ground, const MapCloud& cloud,
                              const std::vector<Rigid3>& map_from_base,
                              const GroundDrivableOptions& options) {
  require(options.max_kerb > 0, "max_kerb", "greater than 0");
  require(options.max_slope > 0, "max_slope", "greater than 0");
  require(options.min_gap >= 0 && options.min_gap <= 20, "min_gap", "0 to 20 m");
  require(options.max_distance > 0, "max_distance", "greater than 0");
  require(options.unknown_buffer >= 0 && options.unknown_buffer <= 1000, "unknown_buffer",
          "0 to 1000 m");
  require(options.ego_half_width > 0 && options.ego_half_width <= 10, "ego_half_width",
          "greater than 0 and at most 10 m");
  require(options.simplify_tolerance >= 0, "simplify_tolerance", "0 or more");
  checkTrajectory(map_from_base);
  const CellGrid grid = gridOf(ground.heights);
  if (grid.size() == 0) return {};

  const CellMask path = cellsOf(grid, map_from_base);
  const std::vector<float> path_distance = squaredDistances(grid, path);
  const CellMask is_obstacle =
      findObstacles(ground, cloud, inMetres(path_distance, grid.resolution), options);
  CellMask is_closed = findRoughCells(ground.heights, options);
  const CellMask is_measured =
      within(squaredDistances(grid, ground.is_seen), std::max(1.5, kMaxUnseen / grid.resolution));
  for (size_t i = 0; i < grid.size(); ++i)
    is_closed[i] = is_closed[i] || is_obstacle[i] || !is_measured[i];
  const CellMask is_assumed =
      findAssumedCells(ground, path, options.unknown_buffer / grid.resolution);
  // Whatever the map says, the ego did drive here.
  const CellMask is_swept = within(path_distance, options.ego_half_width / grid.resolution);
  for (size_t i = 0; i < grid.size(); ++i)
    if (is_swept[i] || (is_assumed[i] && !is_obstacle[i])) is_closed[i] = 0;

  // An opening: what a disc as wide as a car can reach, so that a gap in a kerb lets nothing out.
  const double radius = options.min_gap / 2 / grid.resolution;
  const CellMask is_near = within(path_distance, options.max_distance / grid.resolution);
  const CellMask is_tight = within(squaredDistances(grid, is_closed), radius);
  CellMask open(grid.size());
  for (size_t i = 0; i < grid.size(); ++i) open[i] = is_near[i] && !is_tight[i];
  const CellMask core = flood(grid, open, path);
  CellMask is_road = within(squaredDistances(grid, core), radius);
  for (size_t i = 0; i < grid.size(); ++i) is_road[i] = is_road[i] && !is_closed[i];
  reachUpToKerbs(ground, is_obstacle, options.max_kerb, is_road);
  for (size_t i = 0; i < grid.size(); ++i) is_road[i] = is_road[i] || is_swept[i];

  std::vector<Polygon> polygons = traceOutlines(grid, is_road);
  dropSmall(options.min_hole_area, polygons);
  polygons = simplifiedUnion(polygons, options.simplify_tolerance);
  dropSmall(options.min_hole_area, polygons);  // a ring that touched itself became one with holes
  return areaFrom(std::move(polygons));
}

}  // namespace gs

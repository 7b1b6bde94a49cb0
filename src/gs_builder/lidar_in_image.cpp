// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/lidar_in_image.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gs_builder {

std::vector<SeenPoint> pointsInImage(const gs::Lens& lens, gs::ImageSize size,
                                     const gs::Rigid3& opencv_from_base, const ScanPoints& scan) {
  std::vector<SeenPoint> points;
  for (size_t i = 0; i < scan.size(); ++i) {
    const gs::Vec3 p = opencv_from_base * gs::Vec3(scan[i][0], scan[i][1], scan[i][2]);
    const auto px = lens.pixelOf(p);
    if (!px ||
        !(px->x() >= 0 && px->y() >= 0 && px->x() < size.width - 1 && px->y() < size.height - 1))
      continue;
    const double depth = lens.depthOf(p);
    if (depth > 0) points.push_back({*px, depth, static_cast<uint32_t>(i)});
  }
  return points;
}

std::vector<SeenPoint> withoutHidden(const std::vector<SeenPoint>& points, gs::ImageSize size,
                                     double spacing_px) {
  constexpr int kCell = 4;
  const int columns = size.width / kCell + 1, rows = size.height / kCell + 1;
  gs::ImageF nearest(columns, rows, 1);
  std::fill(nearest.pixels.begin(), nearest.pixels.end(), std::numeric_limits<float>::infinity());
  const auto cellOf = [](double px) { return static_cast<int>(px) / kCell; };
  for (const SeenPoint& point : points) {
    float& cell = *nearest.at(cellOf(point.px.x()), cellOf(point.px.y()));
    cell = std::min(cell, static_cast<float>(point.depth));
  }
  const int reach = std::clamp(static_cast<int>(1.5 * spacing_px / kCell) + 1, 1, 16);
  std::vector<SeenPoint> seen;
  for (const SeenPoint& point : points) {
    const int x = cellOf(point.px.x()), y = cellOf(point.px.y());
    const auto limit = static_cast<float>(point.depth - std::max(0.3, 0.05 * point.depth));
    const auto hasNearer = [&](int dx, int dy) {
      for (int step = 1; step <= reach; ++step)
        for (int side = -1; side <= 1; ++side) {
          const int cx = x + dx * step + dy * side, cy = y + dy * step + dx * side;
          if (cx >= 0 && cy >= 0 && cx < columns && cy < rows && *nearest.at(cx, cy) < limit)
            return true;
        }
      return false;
    };
    const bool is_hidden =
        (hasNearer(0, -1) && hasNearer(0, 1)) || (hasNearer(-1, 0) && hasNearer(1, 0));
    if (!is_hidden) seen.push_back(point);
  }
  return seen;
}

double lineSpacing(const gs::Calibration& calibration, const std::string& lidar_name,
                   double focal_px) {
  for (const auto& [id, lidar] : calibration.lidars)
    if (lidarName(id) == lidar_name && lidar.spec.channels > 1) {
      const auto& fov = lidar.spec.vertical_fov_deg;
      return (fov[1] - fov[0]) / (lidar.spec.channels - 1) * M_PI / 180 * focal_px;
    }
  return 8;
}

std::vector<size_t> scansAround(const std::vector<gs::Stamp>& stamps, gs::Stamp stamp) {
  constexpr int64_t kFarthest = 110'000'000;  // ns
  if (stamps.empty()) return {};
  const auto away = [&](size_t scan) { return std::abs((stamps[scan] - stamp).ns); };
  const auto after =
      static_cast<size_t>(std::lower_bound(stamps.begin(), stamps.end(), stamp) - stamps.begin());
  size_t nearest = std::min(after, stamps.size() - 1);
  if (nearest > 0 && away(nearest - 1) <= away(nearest)) --nearest;
  if (away(nearest) > kFarthest) return {};
  std::vector<size_t> around{nearest};
  if (nearest > 0) around.push_back(nearest - 1);
  if (nearest + 1 < stamps.size()) around.push_back(nearest + 1);
  return around;
}

std::vector<ScanKey> nearestScans(const Timeline& timeline, gs::Stamp stamp) {
  std::vector<ScanKey> scans;
  for (const auto& [name, sensor] : timeline.sensors)
    if (!sensor.is_camera)
      if (const auto around = scansAround(sensor.stamps, stamp); !around.empty())
        scans.emplace_back(name, around.front());
  return scans;
}

std::vector<uint32_t> movingIndices(const std::map<std::string, MovingPoints>& moving,
                                    const std::string& lidar, gs::Stamp stamp) {
  const auto scans = moving.find(lidar);
  if (scans == moving.end()) return {};
  const auto found = scans->second.find(stamp);
  if (found == scans->second.end()) return {};
  std::vector<uint32_t> indices = found->second;
  std::sort(indices.begin(), indices.end());
  return indices;
}

void removeIndices(std::vector<SeenPoint>& points, const std::vector<uint32_t>& indices) {
  std::erase_if(points, [&](const SeenPoint& point) {
    return std::binary_search(indices.begin(), indices.end(), point.index);
  });
}

void keepIndices(std::vector<SeenPoint>& points, const std::vector<uint32_t>& indices) {
  std::erase_if(points, [&](const SeenPoint& point) {
    return !std::binary_search(indices.begin(), indices.end(), point.index);
  });
}

gs::Image8 maskOfMovers(gs::ImageSize size, const std::vector<SeenPoint>& points_on_movers,
                        double focal_px) {
  if (points_on_movers.empty()) return {};
  // Squares, drawn small: a scan has thousands of such points.
  constexpr int kSmaller = 4, kLargest = 15;
  constexpr double kReach = 0.35;  // m
  gs::Image8 small(size.width / kSmaller + 1, size.height / kSmaller + 1, 1);
  std::fill(small.pixels.begin(), small.pixels.end(), uint8_t{255});
  for (const SeenPoint& point : points_on_movers) {
    const double px = kReach * focal_px / std::max(point.depth, 0.5);
    const int radius = static_cast<int>(std::clamp<double>(px / kSmaller, 1, kLargest));
    const int cx = static_cast<int>(point.px.x()) / kSmaller;
    const int cy = static_cast<int>(point.px.y()) / kSmaller;
    for (int y = std::max(0, cy - radius); y <= std::min(small.height - 1, cy + radius); ++y)
      for (int x = std::max(0, cx - radius); x <= std::min(small.width - 1, cx + radius); ++x)
        *small.at(x, y) = 0;
  }
  gs::Image8 mask(size.width, size.height, 1);
  for (int y = 0; y < mask.height; ++y)
    for (int x = 0; x < mask.width; ++x) *mask.at(x, y) = *small.at(x / kSmaller, y / kSmaller);
  return mask;
}

double depthAt(const gs::ImageF& depth, const gs::Vec2& px) {
  if (depth.width < 2 || depth.height < 2) return 0;
  const int x = std::clamp(static_cast<int>(std::floor(px.x())), 0, depth.width - 2);
  const int y = std::clamp(static_cast<int>(std::floor(px.y())), 0, depth.height - 2);
  const double fx = std::clamp(px.x() - x, 0.0, 1.0), fy = std::clamp(px.y() - y, 0.0, 1.0);
  const std::array<float, 4> around = {depth.at(x, y)[0], depth.at(x + 1, y)[0],
                                       depth.at(x, y + 1)[0], depth.at(x + 1, y + 1)[0]};
  const auto [least, most] = std::minmax_element(around.begin(), around.end());
  if (!(*least > 0) || *most > 1.3f * *least) return depth.at(x + (fx > 0.5), y + (fy > 0.5))[0];
  const double inverse = (1 - fy) * ((1 - fx) / around[0] + fx / around[1]) +
                         fy * ((1 - fx) / around[2] + fx / around[3]);
  return 1 / inverse;
}

}  // namespace gs_builder

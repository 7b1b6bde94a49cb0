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

double lineSpacing(const gs::Calibration& calibration, const std::string& lidar_frame,
                   const gs::CameraCalibration& camera) {
  for (const auto& [id, lidar] : calibration.lidars)
    if (lidar.frame_id == lidar_frame && lidar.spec.channels > 1) {
      const auto& fov = lidar.spec.vertical_fov_deg;
      return (fov[1] - fov[0]) / (lidar.spec.channels - 1) * M_PI / 180 * camera.intrinsics.fy;
    }
  return 8;
}

std::vector<ScanKey> nearestScans(const Timeline& timeline, gs::Stamp stamp,
                                  const std::vector<ScanKey>& left_out) {
  constexpr int64_t kFarthest = 100'000'000;  // ns
  std::vector<ScanKey> scans;
  for (const auto& [name, sensor] : timeline.sensors) {
    if (sensor.is_camera) continue;
    int64_t best = kFarthest;
    size_t found = sensor.stamps.size();
    const auto begin = std::lower_bound(sensor.stamps.begin(), sensor.stamps.end(),
                                        stamp - gs::Duration{kFarthest});
    for (auto at = begin; at != sensor.stamps.end(); ++at) {
      const int64_t off = std::abs((*at - stamp).ns);
      if (*at > stamp && off > kFarthest) break;
      const auto index = static_cast<size_t>(at - sensor.stamps.begin());
      if (off < best &&
          std::find(left_out.begin(), left_out.end(), ScanKey(name, index)) == left_out.end()) {
        best = off;
        found = index;
      }
    }
    if (found < sensor.stamps.size()) scans.emplace_back(name, found);
  }
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

void clearDiscs(gs::Image8& mask, const std::vector<SeenPoint>& points, double radius_px) {
  const int radius = static_cast<int>(std::ceil(radius_px));
  for (const SeenPoint& point : points) {
    const int cx = static_cast<int>(point.px.x()), cy = static_cast<int>(point.px.y());
    for (int y = std::max(0, cy - radius); y <= std::min(mask.height - 1, cy + radius); ++y)
      for (int x = std::max(0, cx - radius); x <= std::min(mask.width - 1, cx + radius); ++x)
        if ((x - cx) * (x - cx) + (y - cy) * (y - cy) <= radius * radius) *mask.at(x, y) = 0;
  }
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

// SPDX-License-Identifier: Apache-2.0
// The rules of splats, sky, heightmap, drivable area and mesh.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gs/bundle/checks.hpp"
#include "gs/bundle/gaussian_check.hpp"

namespace gs {

void checkGaussians(const GaussianPlyInfo& info, const GaussianCloud& cloud,
                    FileReporter& reporter) {
  if (!info.has_specified_order)
    reporter.add("gaussians.property_order", "properties stand in an unusual order");
  if (info.trailing_bytes > 0)
    reporter.add("gaussians.trailing_bytes",
                 fmt::format("{} bytes follow the last splat", info.trailing_bytes));
  if (cloud.size() == 0) {
    reporter.add("gaussians.empty", "holds no splat");
    return;
  }
  if (cloud.size() < 100 || cloud.size() > 5'000'000)
    reporter.add("gaussians.count",
                 fmt::format("holds {} splats; 100 to 5,000,000 are expected", cloud.size()));
  const GaussianDefects defects = findDefects(cloud);
  if (defects.non_finite > 0)
    reporter.add("gaussians.non_finite",
                 fmt::format("{} splats have a value that is NaN or infinite, the first is {}",
                             defects.non_finite, *defects.first_non_finite));
  if (defects.non_unit > 0)
    reporter.add(
        "gaussians.quaternion",
        fmt::format("{} splats have a rotation that is no unit quaternion, the first is {}",
                    defects.non_unit, *defects.first_non_unit));
}

void checkSky(const Image8& sky, FileReporter& reporter) {
  if (sky.width != 2 * sky.height || sky.channels < 3)
    reporter.add("sky.shape",
                 fmt::format("is {} x {} with {} channels", sky.width, sky.height, sky.channels));
}

void checkHeightmapMeta(const HeightmapMeta& meta, FileReporter& reporter) {
  checkVersion(meta.version, reporter);
  if (meta.width < 1 || meta.height < 1 || meta.width > 32768 || meta.height > 32768)
    reporter.add("heightmap.dimensions", "width",
                 fmt::format("= {}, height = {}", meta.width, meta.height));
  else if (static_cast<int64_t>(meta.width) * meta.height > 4096 * 4096)
    reporter.add(
        "heightmap.large", "width",
        fmt::format("= {}, height = {} is more than 4096 x 4096", meta.width, meta.height));
  if (!(std::isfinite(meta.resolution) && meta.resolution > 0))
    reporter.add("heightmap.resolution", "resolution", fmt::format("= {} m", meta.resolution));
  if (!std::isfinite(meta.origin.x) || !std::isfinite(meta.origin.y) ||
      !std::isfinite(meta.origin.z))
    reporter.add("heightmap.origin", "origin", "is not finite");
  else if (meta.origin.z != 0)
    reporter.add("heightmap.origin_z", "origin.z",
                 fmt::format("= {} is not added to the samples", meta.origin.z));
}

void checkHeightmap(const Heightmap& map, const HeightmapMeta& meta, FileReporter& reporter) {
  const auto infinite =
      std::count_if(map.samples.begin(), map.samples.end(), [](float h) { return std::isinf(h); });
  if (infinite > 0)
    reporter.add("heightmap.infinite", fmt::format("{} samples are infinite", infinite));
  const HeightRange range = rangeOf(map);
  if (std::isnan(range.min)) {
    reporter.add("heightmap.no_ground", "every sample is NaN");
    return;
  }
  if (!meta.min_height && !meta.max_height) return;
  // The limits were written as text, the samples as float32: compare as floats.
  const auto low = static_cast<float>(meta.min_height.value_or(range.min));
  const auto high = static_cast<float>(meta.max_height.value_or(range.max));
  if (!(low <= range.min && range.max <= high))
    reporter.add("heightmap.range",
                 fmt::format("samples span {} to {}, heightmap.yaml says {} to {}", range.min,
                             range.max, low, high));
}

void checkMesh(const TriangleMesh& mesh, FileReporter& reporter) {
  if (mesh.triangles.empty()) reporter.add("mesh.empty", "holds no triangle");
  if (mesh.triangles.size() > 10'000'000)
    reporter.add("mesh.large", fmt::format("holds {} triangles", mesh.triangles.size()));
}

void checkScene(const WorldIndex& index, const Metadata& metadata, FileReporter& reporter) {
  if (index.scene_id != metadata.scene_id)
    reporter.add("metadata.scene_id", "scene_id",
                 fmt::format("'{}' is not world.yaml's '{}'", metadata.scene_id, index.scene_id));
}

void checkStart(const Timebase& timebase, const Heightmap& map, const DrivableArea& area,
                FileReporter& reporter) {
  const auto& [x, y, z] = timebase.initial_pose.position;
  if (std::isnan(heightAt(map, x, y)))
    reporter.add("start.off_map", "initial_pose.position",
                 fmt::format("({}, {}) is where the heightmap knows no ground", x, y));
  if (!area.features.empty() && !isDrivable(area, x, y))
    reporter.add("start.offroad", "initial_pose.position",
                 fmt::format("({}, {}) is outside the drivable area", x, y));
}

void checkDrivableOnMap(const DrivableArea& area, const Heightmap& map, FileReporter& reporter) {
  const double max_x = map.origin_x + (map.width - 1) * map.resolution;
  const double max_y = map.origin_y + (map.height - 1) * map.resolution;
  const auto isOnMap = [&](const Point2& p) {
    return p[0] >= map.origin_x && p[0] <= max_x && p[1] >= map.origin_y && p[1] <= max_y;
  };
  for (size_t i = 0; i < area.features.size(); ++i)
    for (const Polygon& polygon : area.features[i].polygons)
      if (!std::all_of(polygon.outer.begin(), polygon.outer.end(), isOnMap)) {
        reporter.add("drivable.off_map",
                     fmt::format("feature {} reaches beyond the heightmap, x {}..{}, y {}..{}", i,
                                 map.origin_x, max_x, map.origin_y, max_y));
        return;
      }
}

}  // namespace gs

// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/geometry_config.hpp"

#include "gs/core/value_checks.hpp"

namespace gs_builder {
namespace {

void checkRange(gs::ValueChecks& checks, const std::string& axis, double min, double max) {
  const std::string path = "heightmap.extent." + axis;
  checks.isFinite(path + "_min", min);
  checks.isFinite(path + "_max", max);
  checks.require(!(max <= min), path + "_max",
                 gs::shortNumber(max) + " is not greater than " + axis + "_min (" +
                     gs::shortNumber(min) + ")");
}

void checkExtent(gs::ValueChecks& checks, const GeometryConfig::Extent& extent) {
  const int count = extent.x_min.has_value() + extent.x_max.has_value() + extent.y_min.has_value() +
                    extent.y_max.has_value();
  checks.require(count == 0 || count == 4, "heightmap.extent",
                 "x_min, x_max, y_min and y_max are given together or not at all");
  if (count != 4) return;
  checkRange(checks, "x", *extent.x_min, *extent.x_max);
  checkRange(checks, "y", *extent.y_min, *extent.y_max);
}

}  // namespace

std::vector<gs::Problem> problemsIn(const GeometryConfig& config) {
  gs::ValueChecks checks;
  checks.isCompatibleVersion("version", config.version);
  checks.isBetween("point_cloud.voxel_size", config.point_cloud.voxel_size, 0.02, 10);
  checks.isBetween("point_cloud.max_range", config.point_cloud.max_range, 5, 1000);
  // Finer than a centimetre is below what a LiDAR measures, and a typing mistake in practice.
  checks.isBetween("heightmap.resolution", config.heightmap.resolution, 0.01, 100);
  checkExtent(checks, config.heightmap.extent);
  checks.isNotNegative("heightmap.margin", config.heightmap.margin);
  checks.require(
      config.heightmap.method != HeightmapMethod::MeshRasterization || config.static_mesh.enable,
      "heightmap.method", "mesh_rasterization needs static_mesh.enable: true");
  const GeometryConfig::Filter& filter = config.heightmap.filter;
  checks.require(
      filter.median_kernel >= 1 && filter.median_kernel <= 99 && filter.median_kernel % 2 == 1,
      "heightmap.filter.median_kernel",
      std::to_string(filter.median_kernel) +
          " is not an odd number between 1 and 99: a cell has as many neighbours on "
          "either side");
  checks.isPositive("heightmap.filter.outlier_threshold", filter.outlier_threshold);
  checks.isPositive("drivable.buffer_width", config.drivable.buffer_width);
  checks.isNotNegative("drivable.simplify_tolerance", config.drivable.simplify_tolerance);
  checks.isBetween("static_mesh.voxel_size", config.static_mesh.voxel_size, 0.005, 10);
  checks.isBetween("static_mesh.tolerance", config.static_mesh.tolerance, 0, 1);
  return checks.take();
}

}  // namespace gs_builder

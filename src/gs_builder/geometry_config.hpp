// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gs/core/document.hpp"
#include "gs/core/fields.hpp"

namespace gs_builder {

enum class HeightmapMethod { LidarProjection, MeshRasterization };
constexpr auto enumWords(std::type_identity<HeightmapMethod>) {
  return std::to_array<gs::EnumWord<HeightmapMethod>>(
      {{HeightmapMethod::LidarProjection, "lidar_projection"},
       {HeightmapMethod::MeshRasterization, "mesh_rasterization"}});
}

// Buffer: so many metres beside the path. Ground: as far as flat ground goes, up to kerbs and
// obstacles, and the buffer where the ground under the path is not known.
enum class DrivableMethod { TrajectoryBuffer, Ground };
constexpr auto enumWords(std::type_identity<DrivableMethod>) {
  return std::to_array<gs::EnumWord<DrivableMethod>>(
      {{DrivableMethod::TrajectoryBuffer, "trajectory_buffer"},
       {DrivableMethod::Ground, "ground"}});
}

enum class MeshMethod { Poisson, Tsdf };
constexpr auto enumWords(std::type_identity<MeshMethod>) {
  return std::to_array<gs::EnumWord<MeshMethod>>(
      {{MeshMethod::Poisson, "poisson"}, {MeshMethod::Tsdf, "tsdf"}});
}

// geometry_config.yaml: ground, drivable area and mesh. Metres, map frame. Defaults live here and
// nowhere else; the comment of a field is the one that people find in the file.
struct GeometryConfig {
  struct PointCloud {
    bool remove_moving_objects = true;
    double voxel_size = 0.1;
    double max_range = 80.0;

    static void fields(auto& self, auto&& visit) {
      visit("remove_moving_objects", self.remove_moving_objects,
            {.comment = "drop points that later rays pass through"});
      visit("voxel_size", self.voxel_size, {.comment = "m; detail of the map", .is_expert = true});
      visit("max_range", self.max_range,
            {.comment = "m; farther points are left out", .is_expert = true});
    }
  };

  struct Extent {
    std::optional<double> x_min, x_max, y_min, y_max;

    static void fields(auto& self, auto&& visit) {
      visit("x_min", self.x_min, {.comment = "m, map frame", .example = "-50.0"});
      visit("x_max", self.x_max, {.comment = "m", .example = "250.0"});
      visit("y_min", self.y_min, {.comment = "m", .example = "-50.0"});
      visit("y_max", self.y_max, {.comment = "m", .example = "50.0"});
    }
  };

  struct Filter {
    int median_kernel = 5;
    double outlier_threshold = 0.5;

    static void fields(auto& self, auto&& visit) {
      visit("median_kernel", self.median_kernel, {.comment = "cells, odd; 1: no smoothing"});
      visit("outlier_threshold", self.outlier_threshold,
            {.comment = "m; cells farther from their neighbours are dropped"});
    }
  };

  struct Heightmap {
    double resolution = 0.1;
    Extent extent;
    double margin = 20.0;
    HeightmapMethod method = HeightmapMethod::LidarProjection;
    Filter filter;

    static void fields(auto& self, auto&& visit) {
      visit("resolution", self.resolution, {.comment = "m per cell"});
      visit("extent", self.extent, {.comment = "all four; absent: trajectory plus margin"});
      visit("margin", self.margin,
            {.comment = "m around the trajectory when extent is absent", .is_expert = true});
      visit("method", self.method, {.comment = "ground from"});
      visit("filter", self.filter, {.comment = "against noise"});
    }
  };

  struct Drivable {
    DrivableMethod method = DrivableMethod::Ground;
    double buffer_width = 10.0;
    double simplify_tolerance = 0.1;

    static void fields(auto& self, auto&& visit) {
      visit("method", self.method, {.comment = "drivable is"});
      visit("buffer_width", self.buffer_width,
            {.comment = "m to each side of the trajectory; of ground: where it is unknown"});
      visit("simplify_tolerance", self.simplify_tolerance,
            {.comment = "m the outline may move; 0: keep every point"});
    }
  };

  struct StaticMesh {
    bool enable = true;
    MeshMethod method = MeshMethod::Tsdf;
    double voxel_size = 0.1;
    double tolerance = 0.02;

    static void fields(auto& self, auto&& visit) {
      visit("enable", self.enable, {.comment = "surfaces for LiDAR and collisions"});
      visit("method", self.method, {.comment = "surface reconstruction"});
      visit("voxel_size", self.voxel_size, {.comment = "m; detail of the mesh"});
      visit("tolerance", self.tolerance,
            {.comment = "m that simplification may move a surface; 0: keep every triangle",
             .is_expert = true});
    }
  };

  std::string version = "1.0.0";
  PointCloud point_cloud;
  Heightmap heightmap;
  Drivable drivable;
  StaticMesh static_mesh;

  static void fields(auto& self, auto&& visit) {
    visit("version", self.version,
          {.is_required = true, .comment = "required: of this file's format"});
    visit("point_cloud", self.point_cloud, {.comment = "the LiDAR map that all else is made from"});
    visit("heightmap", self.heightmap, {.comment = "the ground"});
    visit("drivable", self.drivable, {.comment = "where the vehicle may drive"});
    visit("static_mesh", self.static_mesh, {.comment = "walls, buildings, kerbs"});
  }
};

std::vector<gs::Problem> problemsIn(const GeometryConfig& config);

}  // namespace gs_builder

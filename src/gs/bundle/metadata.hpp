// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gs/core/fields.hpp"

namespace gs {

// metadata.json: where a world comes from and which part of the map it covers.
struct Metadata {
  struct Source {
    std::string type = "mcap";
    std::string file;
    std::string md5;
    double duration_sec = 0;
    int64_t size_bytes = 0;

    bool operator==(const Source&) const = default;
    static void fields(auto& self, auto&& visit) {
      visit("type", self.type, {.is_required = true});
      visit("file", self.file, {.is_required = true});
      visit("md5", self.md5);
      visit("duration_sec", self.duration_sec);
      visit("size_bytes", self.size_bytes);
    }
  };

  struct CoordinateSystem {
    std::string map_frame = "map";
    std::string odom_frame = "odom";
    std::string base_link_frame = "base_link";
    std::string convention = "ROS2 REP-103 (FLU)";
    // Where the map's origin lies on Earth (degrees, degrees, metres): all three or none.
    std::optional<double> origin_lat, origin_lon, origin_alt;
    // Since 1.2.0. How far the map's x axis is turned from east, counter-clockwise (rad); absent:
    // 0.
    std::optional<double> origin_yaw;

    bool operator==(const CoordinateSystem&) const = default;
    static void fields(auto& self, auto&& visit) {
      visit("map_frame", self.map_frame, {.is_required = true});
      visit("odom_frame", self.odom_frame, {.is_required = true});
      visit("base_link_frame", self.base_link_frame, {.is_required = true});
      visit("convention", self.convention);
      visit("origin_lat", self.origin_lat);
      visit("origin_lon", self.origin_lon);
      visit("origin_alt", self.origin_alt);
      visit("origin_yaw", self.origin_yaw);
    }
  };

  struct SpatialExtent {
    double min_x = 0, max_x = 0, min_y = 0, max_y = 0, min_z = 0, max_z = 0;
    std::string units = "meters";

    bool operator==(const SpatialExtent&) const = default;
    static void fields(auto& self, auto&& visit) {
      visit("min_x", self.min_x, {.is_required = true});
      visit("max_x", self.max_x, {.is_required = true});
      visit("min_y", self.min_y, {.is_required = true});
      visit("max_y", self.max_y, {.is_required = true});
      visit("min_z", self.min_z, {.is_required = true});
      visit("max_z", self.max_z, {.is_required = true});
      visit("units", self.units);
    }
  };

  struct Sensors {
    std::vector<std::string> cameras;  // ids as in calibration.yaml
    std::vector<std::string> lidars;

    bool operator==(const Sensors&) const = default;
    static void fields(auto& self, auto&& visit) {
      visit("cameras", self.cameras, {.is_required = true});
      visit("lidars", self.lidars, {.is_required = true});
    }
  };

  struct ProcessingInfo {
    std::string drivesim_commit;  // "native-<version>" for the built-in trainer
    int64_t gs_training_iterations = 0;
    std::string gs_training_config;

    bool operator==(const ProcessingInfo&) const = default;
    static void fields(auto& self, auto&& visit) {
      visit("drivesim_commit", self.drivesim_commit);
      visit("gs_training_iterations", self.gs_training_iterations);
      visit("gs_training_config", self.gs_training_config);
    }
  };

  std::string version = "1.0.0";
  std::string scene_id;
  std::string created_at;  // ISO 8601, UTC
  std::string builder_version;
  Source source;
  CoordinateSystem coordinate_system;
  SpatialExtent spatial_extent;
  Sensors sensors;
  ProcessingInfo processing_info;

  bool operator==(const Metadata&) const = default;
  static void fields(auto& self, auto&& visit) {
    visit("version", self.version, {.is_required = true});
    visit("scene_id", self.scene_id, {.is_required = true});
    visit("created_at", self.created_at, {.is_required = true});
    visit("builder_version", self.builder_version, {.is_required = true});
    visit("source", self.source, {.is_required = true});
    visit("coordinate_system", self.coordinate_system, {.is_required = true});
    visit("spatial_extent", self.spatial_extent, {.is_required = true});
    visit("sensors", self.sensors, {.is_required = true});
    visit("processing_info", self.processing_info);
  }
};

}  // namespace gs

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gs/core/fields.hpp"

namespace gs {

// world.yaml, the entry point of a bundle: every other file by its path relative to this one. A
// file that is not named here does not belong to the world.
struct WorldIndex {
  struct Gaussians {
    std::string background = "gaussians/background.splat.ply";
    std::string render_config = "gaussians/render_config.json";
    std::optional<std::string> sky;  // equirectangular PNG

    bool operator==(const Gaussians&) const = default;
    static void fields(auto& self, auto&& visit) {
      visit("background", self.background, {.is_required = true});
      visit("render_config", self.render_config, {.is_required = true});
      visit("sky", self.sky);
    }
  };

  struct Geometry {
    std::string heightmap = "geometry/heightmap.bin";
    std::string heightmap_meta = "geometry/heightmap.yaml";
    std::string drivable = "geometry/drivable.geojson";
    std::optional<std::string> static_mesh;

    bool operator==(const Geometry&) const = default;
    static void fields(auto& self, auto&& visit) {
      visit("heightmap", self.heightmap, {.is_required = true, .alias = "heightmap_bin"});
      visit("heightmap_meta", self.heightmap_meta,
            {.is_required = true, .alias = "heightmap_yaml"});
      visit("drivable", self.drivable, {.is_required = true, .alias = "drivable_geojson"});
      visit("static_mesh", self.static_mesh);
    }
  };

  struct Sensors {
    std::string calibration = "sensors/calibration.yaml";
    std::string tf_static = "sensors/tf_static.json";

    bool operator==(const Sensors&) const = default;
    static void fields(auto& self, auto&& visit) {
      visit("calibration", self.calibration, {.is_required = true});
      visit("tf_static", self.tf_static, {.is_required = true});
    }
  };

  struct Sim {
    std::string timebase = "sim/timebase.yaml";
    // The way of the recording: CSV with columns timestamp, x, y, ... of base_link in the map
    // frame.
    std::optional<std::string> trajectory;

    bool operator==(const Sim&) const = default;
    static void fields(auto& self, auto&& visit) {
      visit("timebase", self.timebase, {.is_required = true});
      visit("trajectory", self.trajectory);
    }
  };

  struct Preview {
    std::optional<std::string> overview;
    std::optional<std::string> trajectory;
    std::vector<std::string> cameras;

    bool operator==(const Preview&) const = default;
    static void fields(auto& self, auto&& visit) {
      visit("overview", self.overview);
      visit("trajectory", self.trajectory);
      visit("cameras", self.cameras);
    }
  };

  std::string version = "1.0.0";
  std::string scene_id;
  std::string metadata = "metadata.json";
  Gaussians gaussians;
  Geometry geometry;
  Sensors sensors;
  Sim sim;
  std::optional<Preview> preview;

  bool operator==(const WorldIndex&) const = default;
  static void fields(auto& self, auto&& visit) {
    visit("version", self.version, {.is_required = true});
    visit("scene_id", self.scene_id, {.is_required = true});
    visit("metadata", self.metadata, {.is_required = true});
    visit("gaussians", self.gaussians, {.is_required = true});
    visit("geometry", self.geometry, {.is_required = true});
    visit("sensors", self.sensors, {.is_required = true});
    visit("sim", self.sim, {.is_required = true});
    visit("preview", self.preview);
  }
};

}  // namespace gs

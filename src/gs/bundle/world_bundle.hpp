// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>

#include "gs/bundle/calibration.hpp"
#include "gs/bundle/drivable_area.hpp"
#include "gs/bundle/gaussian_cloud.hpp"
#include "gs/bundle/heightmap.hpp"
#include "gs/bundle/lidar_rays.hpp"
#include "gs/bundle/metadata.hpp"
#include "gs/bundle/render_config.hpp"
#include "gs/bundle/static_transforms.hpp"
#include "gs/bundle/timebase.hpp"
#include "gs/bundle/world_index.hpp"
#include "gs/core/image.hpp"
#include "gs/core/triangle_mesh.hpp"

namespace gs {

// A whole world in memory: one member per file. Previews are for people and stay on disk.
struct WorldBundle {
  WorldIndex index;
  Metadata metadata;
  RenderConfig render_config;
  GaussianCloud gaussians;
  std::optional<Image8> sky;  // equirectangular, map frame
  Heightmap heightmap;
  DrivableArea drivable;
  std::optional<TriangleMesh> static_mesh;
  Calibration calibration;
  std::map<std::string, LidarRayTable> lidar_rays;  // by the path that LidarSpec::pattern is
  StaticTransforms tf_static;
  Timebase timebase;

  // Null: it turns, or its table is not here.
  const LidarRayTable* raysOf(const LidarSpec& spec) const {
    const auto found = spec.pattern ? lidar_rays.find(*spec.pattern) : lidar_rays.end();
    return found == lidar_rays.end() ? nullptr : &found->second;
  }
  bool operator==(const WorldBundle&) const = default;
};

}  // namespace gs

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "gs/bundle/drivable_area.hpp"
#include "gs/core/rigid3.hpp"
#include "gs/geometry/ground_surface.hpp"
#include "gs/geometry/map_cloud.hpp"

namespace gs {

struct TrajectoryBufferOptions {
  double buffer_width = 10;         // m to each side
  double simplify_tolerance = 0.5;  // m; 0 keeps every point
};

// Everything within buffer_width of the path of base_link, with round ends; a standing car gives a
// disc. One feature, priority 0. Simplification never moves the outline inside the path.
// Throws gs::Error: INSUFFICIENT_DATA without poses, INPUT_INVALID when one is not finite,
// CONFIG_INVALID.
DrivableArea bufferTrajectory(const std::vector<Rigid3>& map_from_base,
                              const TrajectoryBufferOptions& options);

struct GroundDrivableOptions {
  double max_kerb = 0.05;           // m; a step this high ends the road
  double max_slope = 0.25;          // rise over run
  double clearance_low = 0.2;       // m above the ground; from here to clearance_high
  double clearance_high = 2.5;      //   anything static is an obstacle
  double min_gap = 1.6;             // m; openings narrower than a car lead nowhere
  double max_distance = 20;         // m from the path
  double unknown_buffer = 10;       // m beside a path whose ground is not known, where it is not
  double ego_half_width = 1.0;      // m; so much beside the path is drivable: it was driven
  double simplify_tolerance = 0.1;  // m; 0 keeps every point
  double min_hole_area = 2.0;       // m^2; smaller holes are closed: a bollard is for collisions
};

// Where the ground allows driving: grown from the path over flat connected ground up to kerbs and
// obstacles. The path itself is inside, as far as the heightmap goes; where its ground is not
// known, so is what lies beside it. Valid polygons, outer rings counter-clockwise, holes clockwise;
// one feature. Empty when the path is not on the heightmap. Throws as above.
DrivableArea growDrivableArea(const GroundSurface& ground, const MapCloud& cloud,
                              const std::vector<Rigid3>& map_from_base,
                              const GroundDrivableOptions& options);

}  // namespace gs

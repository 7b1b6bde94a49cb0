// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gs/bundle/world_bundle.hpp"

namespace gs {

// What a LiDAR with two turning wedges of glass draws: each bends the beam by the same angle, and
// the sum of both is a rose whose petals fill a circle ahead. A few lasers side by side draw it at
// once, so that its rays are no grid.
struct RosetteOptions {
  double half_angle_deg = 35;      // from the middle to the tip of a petal
  double turns = 11, others = -7;  // of the two wedges during one sweep; the sign is the direction
  int lasers = 4;
  double laser_spacing_deg = 0.2;
  int shots = 6000;  // of each laser during one sweep
  double period = 0.1;
};
LidarRayTable makeRosette(const RosetteOptions& options = {});

// The LiDAR `id` of a world draws a rosette from now on.
void mountRosette(WorldBundle& world, const std::string& id);

}  // namespace gs

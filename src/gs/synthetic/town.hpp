// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "gs/bundle/drivable_area.hpp"
#include "gs/core/rigid3.hpp"
#include "gs/core/triangle_mesh.hpp"
#include "gs/synthetic/town_traits.hpp"

namespace gs {

struct TownModel;  // town/town_model.hpp: surfaces, materials and movers, for the renderer

struct TownOptions {
  uint64_t seed = 1;
  bool has_moving_objects = true;
  TownTraits traits;
  double route_start = 0;  // m along the loop where the route begins
  double ego_speed = 8;    // m/s: traffic that goes by the ego needs to know where it is
};

// A town block whose every surface is known: a closed street around a block of houses, a park on
// its south side. Map frame, metres, z up. Same seed, same town.
class Town {
 public:
  static Town make(const TownOptions& options = {});

  // The lane centre line the ego drives: a closed loop, counter-clockwise, right-hand traffic,
  // points 0.5 m apart (the last joins the first), curvature continuous; starts on a straight.
  const std::vector<std::array<double, 2>>& route() const { return route_; }
  // The true ground: road with camber and slope, kerb step, pavement; NaN outside the map.
  double groundHeight(double x, double y) const;
  DrivableArea drivable() const;           // the roadway between its kerbs, the block a hole
  const TriangleMesh& staticMesh() const;  // every triangle that does not move
  // The box around each moving thing at a time, in the thing's own frame; in a fixed order.
  struct MovingBox {
    Rigid3 map_from_box;
    Vec3 low, high;
  };
  std::vector<MovingBox> movingBoxes(double t) const;
  std::array<double, 2> mapMin() const;
  std::array<double, 2> mapMax() const;

  std::shared_ptr<const TownModel> sharedModel() const { return model_; }

 private:
  std::vector<std::array<double, 2>> route_;
  std::shared_ptr<const TownModel> model_;  // immutable, so copies of a town may share it
  std::shared_ptr<const TriangleMesh> mesh_;
};

}  // namespace gs

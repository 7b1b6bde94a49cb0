// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <vector>

#include "gs/core/rigid3.hpp"
#include "gs/core/rng.hpp"
#include "gs/synthetic/town/surface.hpp"
#include "gs/synthetic/town_traits.hpp"

namespace gs {

class DriveMotion;

// Something that moves: a rigid shape whose pose is a function of time.
struct Mover {
  int shape = 0;                            // index into TownModel::shapes
  double radius = 0;                        // of a sphere about its origin that holds it
  double speed = 0;                         // m/s, never more
  double start = 0;                         // m along the lane at t = 0
  bool is_crossing = false;                 // a pedestrian going to and fro over the zebra
  std::vector<std::array<double, 2>> lane;  // closed, in driving direction; empty when crossing
  double lane_step = 1;                     // m between its points
  double lane_length = 0;
  std::function<Rigid3(double t)> track;  // instead of all that: where it is

  Rigid3 mapFromMover(double t) const;
};

struct TownModel {
  std::vector<Material> materials;
  Surface fixed;                // map frame
  std::vector<Surface> shapes;  // x forward, z up, origin on the ground
  std::vector<Mover> movers;
  std::vector<std::array<double, 2>> parked;  // s and side (1 or -1) of each parked car

  bool isParkedAt(double s, double side, double within) const;

  uint16_t add(const Material& material) {
    materials.push_back(material);
    return static_cast<uint16_t>(materials.size() - 1);
  }
};

// Each adds one kind of thing; the order of calls in Town::make is part of "same seed, same town".
void addStreet(TownModel& town);
void addBuildings(TownModel& town, Rng rng);
void addFarTown(TownModel& town, Rng rng);
void addTrees(TownModel& town, Rng rng);
void addFurniture(TownModel& town, Rng rng);
void addParkedCars(TownModel& town, Rng rng);
void addMovers(TownModel& town, Rng rng);
void addThinThings(TownModel& town, Rng rng);
void addTraffic(TownModel& town, const TownTraits& traits, std::shared_ptr<const DriveMotion> ego,
                Rng rng);

// The road between s and s + its length: so bright in the sun that cameras clip; so wet, on the
// outer lane, that a LiDAR's light goes elsewhere.
void addHardSun(TownModel& town, double s);
void addWetPatch(TownModel& town, double s);
void darkenPaint(TownModel& town);  // of the darkest cars, for LiDARs

// Shapes shared by parked and moving cars: length along x, origin on the ground under the middle.
struct CarMaterials {
  uint16_t paint, glass, tyre, rim, lamp, tail_lamp, trim;
};
CarMaterials addCarMaterials(TownModel& town, const Vec3f& paint);
struct Placement;
void buildCar(Surface& surface, const Placement& at, const CarMaterials& materials, int body);

}  // namespace gs

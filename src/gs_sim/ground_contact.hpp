// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>

#include "gs/bundle/heightmap.hpp"
#include "gs/geometry/footing.hpp"
#include "gs_sim/config.hpp"

namespace gs_sim {

// The plane that a vehicle stands on. Where a place has several heights, its ground is the highest
// that is at most a step above this plane and not far below it.
struct GroundLevel {
  static constexpr double kStep = 0.5, kDrop = 1.0;  // m

  double x = 0, y = 0, z = 0;  // a point of the plane
  double slope_x = 0, slope_y = 0;
  double step = kStep;

  double heightAt(double at_x, double at_y) const {
    return z + slope_x * (at_x - x) + slope_y * (at_y - y);
  }
};

// Answers "how high is the ground here?", NaN where none is known. Pull only: it never calls back,
// holds no ego state, and is safe to query from many threads at once.
class GroundContactInterface {
 public:
  virtual ~GroundContactInterface() = default;
  virtual double getGroundHeight(double x, double y) const = 0;
  // For a vehicle on a level, and the height nearest to one: where there is never more than one
  // height, that one.
  virtual double getGroundHeight(double x, double y, const GroundLevel&) const {
    return getGroundHeight(x, y);
  }
  virtual double nearestGroundHeight(double x, double y, double /*z*/) const {
    return getGroundHeight(x, y);
  }
};

std::unique_ptr<GroundContactInterface> createGroundContact(gs::Heightmap heightmap);
// Shares a large map instead of copying it.
std::unique_ptr<GroundContactInterface> createGroundContact(
    std::shared_ptr<const gs::Heightmap> heightmap);

using Footing = gs::Footing;
// Nothing where the ground is unknown below any wheel: the caller keeps what it had.
std::optional<Footing> findFooting(const GroundContactInterface& ground,
                                   const VehicleParameters& vehicle, double x, double y, double yaw,
                                   const GroundLevel& level = {});

}  // namespace gs_sim

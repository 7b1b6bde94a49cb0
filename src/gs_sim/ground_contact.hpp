// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>

#include "gs/bundle/heightmap.hpp"
#include "gs/geometry/footing.hpp"
#include "gs_sim/config.hpp"

namespace gs_sim {

// Answers "how high is the ground here?". Pull only: it never calls back, holds no ego state, and
// is safe to query from many threads at once.
class GroundContactInterface {
 public:
  virtual ~GroundContactInterface() = default;
  virtual double getGroundHeight(double x, double y) const = 0;  // NaN: no ground known
};

std::unique_ptr<GroundContactInterface> createGroundContact(gs::Heightmap heightmap);
// Shares a large map instead of copying it.
std::unique_ptr<GroundContactInterface> createGroundContact(
    std::shared_ptr<const gs::Heightmap> heightmap);

using Footing = gs::Footing;
// Nothing where the ground is unknown below any wheel: the caller keeps what it had.
std::optional<Footing> findFooting(const GroundContactInterface& ground,
                                   const VehicleParameters& vehicle, double x, double y,
                                   double yaw);

}  // namespace gs_sim

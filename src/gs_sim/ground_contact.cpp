// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/ground_contact.hpp"

#include <utility>

namespace gs_sim {
namespace {

class HeightmapGround final : public GroundContactInterface {
 public:
  explicit HeightmapGround(std::shared_ptr<const gs::Heightmap> heightmap)
      : heightmap_(std::move(heightmap)) {}
  double getGroundHeight(double x, double y) const override { return heightAt(*heightmap_, x, y); }

 private:
  const std::shared_ptr<const gs::Heightmap> heightmap_;
};

}  // namespace

std::unique_ptr<GroundContactInterface> createGroundContact(gs::Heightmap heightmap) {
  return createGroundContact(std::make_shared<const gs::Heightmap>(std::move(heightmap)));
}

std::unique_ptr<GroundContactInterface> createGroundContact(
    std::shared_ptr<const gs::Heightmap> heightmap) {
  return std::make_unique<HeightmapGround>(std::move(heightmap));
}

std::optional<Footing> findFooting(const GroundContactInterface& ground,
                                   const VehicleParameters& vehicle, double x, double y, double yaw,
                                   const GroundLevel& level) {
  return gs::footingOn(
      [&](double at_x, double at_y) { return ground.getGroundHeight(at_x, at_y, level); },
      vehicle.wheelbase, vehicle.track_width, x, y, yaw);
}

}  // namespace gs_sim

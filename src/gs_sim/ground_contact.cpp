// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/ground_contact.hpp"

#include <cmath>
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
                                   const VehicleParameters& vehicle, double x, double y,
                                   double yaw) {
  const double c = std::cos(yaw), s = std::sin(yaw);
  const auto heightAtWheel = [&](double ahead, double left) {
    return ground.getGroundHeight(x + c * ahead - s * left, y + s * ahead + c * left);
  };
  const double side = vehicle.track_width / 2;
  const double front_left = heightAtWheel(vehicle.wheelbase, side);
  const double front_right = heightAtWheel(vehicle.wheelbase, -side);
  const double rear_left = heightAtWheel(0, side), rear_right = heightAtWheel(0, -side);
  const double along = (front_left + front_right - rear_left - rear_right) / 2 / vehicle.wheelbase;
  const double across =
      (front_left + rear_left - front_right - rear_right) / 2 / vehicle.track_width;
  Footing footing;
  footing.z = ground.getGroundHeight(x, y);
  // Z-Y-X angles of a plane: tan(pitch) = -slope ahead, tan(roll) = slope to the left * cos(pitch).
  footing.pitch = -std::atan(along);
  footing.roll = std::atan(across * std::cos(footing.pitch));
  if (!std::isfinite(footing.z + footing.pitch + footing.roll)) return std::nullopt;
  return footing;
}

}  // namespace gs_sim

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gs_sim/config.hpp"
#include "gs_sim/simulation_host.hpp"
#include "gs_sim/world_loader.hpp"
#include "gs_web/http.hpp"

// What the page wants to know about a world besides the topics: docs/interfaces/web.md. Pure.
namespace gs_web {

// /api/world: JSON.
std::string worldText(const gs_sim::WorldData& world, const gs_sim::VehicleParameters& vehicle,
                      const std::vector<gs_sim::SensorDescription>& sensors);

// /api/ground: float32 origin_x, origin_y, resolution, uint32 width, height, float32 heights; NaN
// where no ground is known. At most kMaxGroundSide samples along each side.
constexpr int kMaxGroundSide = 512;
std::string groundBytes(const gs::Heightmap& heightmap);

// /api/points: uint32 count, then float32 x, y, z and uint8 r, g, b, 255 of at most kMaxPoints
// splats that can be seen.
constexpr size_t kMaxPoints = 200'000;
std::string pointBytes(const gs::GaussianCloud& gaussians);

// /api/session: JSON.
struct SessionFacts {
  std::string mode;  // "simulation" or "view"
  std::string world, driver = "nobody";
  size_t clients = 0;
  uint64_t dropped = 0;  // messages that slow clients never got
};
std::string toText(const SessionFacts& facts);

// The three above of one world, each made when it is first asked for. Belongs to one thread.
class WorldPages {
 public:
  WorldPages(std::shared_ptr<const gs_sim::WorldData> world, gs_sim::VehicleParameters vehicle,
             std::vector<gs_sim::SensorDescription> sensors);
  // Null: there is no such page.
  std::optional<HttpResponse> find(std::string_view path);

 private:
  std::shared_ptr<const gs_sim::WorldData> world_;
  gs_sim::VehicleParameters vehicle_;
  std::vector<gs_sim::SensorDescription> sensors_;
  std::map<std::string, HttpResponse, std::less<>> made_;
};

}  // namespace gs_web

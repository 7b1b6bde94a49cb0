// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "gs/bundle/world_bundle.hpp"
#include "gs/core/fields.hpp"

namespace gs {

// Worlds to measure the simulator in, made of the town: as large as docs/acceptance.md defines
// them, which is where the figures are that they are measured against.
enum class TownBundleKind { Benchmark, Standard, Largest };
constexpr auto enumWords(std::type_identity<TownBundleKind>) {
  return std::to_array<EnumWord<TownBundleKind>>({{TownBundleKind::Benchmark, "benchmark"},
                                                  {TownBundleKind::Standard, "standard"},
                                                  {TownBundleKind::Largest, "largest"}});
}

struct TownBundleOptions {
  std::string scene_id;
  size_t splats = 0;
  int sh_degree = 3;
  int cameras = 1;  // front, left, right, rear
  int lidars = 1;   // top, front
  int channels = 32;
  double horizontal_resolution_deg = 0.4;
  int heightmap_side = 1024;  // samples along each axis
};
TownBundleOptions optionsOf(TownBundleKind kind);

struct TownBundle {
  WorldBundle bundle;
  std::string trajectory;  // text of sim/trajectory.csv: once round the block
};
TownBundle makeTownBundle(const TownBundleOptions& options);

}  // namespace gs

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace gs_builder {

// A LiDAR that can be bought, recognised by its beams.
struct LidarModelMatch {
  std::string name;  // "HDL-32E"
  size_t channels = 0;
  // The maker's elevations, lowest first, where every unit has the same; empty for models whose
  // units are calibrated one by one: what was measured is better.
  std::vector<double> elevations_deg;
};

// The model whose beams these are, by elevation, lowest first. A few beams may be missing where the
// maker's table is exact: the highest ones see only sky.
std::optional<LidarModelMatch> findLidarModel(const std::vector<double>& elevations_deg);

// "61 beams where a HDL-64E has 64", "a gap from -3.1 to -2.3 degrees": why beams look missing.
// Empty when they do not. `model` is what findLidarModel said.
std::string whyBeamsLookMissing(const std::vector<double>& elevations_deg,
                                const std::optional<LidarModelMatch>& model);

}  // namespace gs_builder

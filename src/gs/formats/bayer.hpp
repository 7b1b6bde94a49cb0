// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "gs/core/image.hpp"

namespace gs {

// Which of the four places of a 2 x 2 cell is red; blue is opposite.
struct BayerPattern {
  int red_x = 0;
  int red_y = 0;
};

std::optional<BayerPattern> findBayerPattern(std::string_view encoding);  // "bayer_rggb8"

// Bilinear: a missing colour is the mean of its samples among the eight neighbours. `rgb` has the
// size of the mosaic, whose rows are `step` bytes apart.
void demosaic(const uint8_t* mosaic, size_t step, BayerPattern pattern, Image8& rgb);

}  // namespace gs

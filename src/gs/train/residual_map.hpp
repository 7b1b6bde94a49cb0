// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "gs/core/image.hpp"
#include "gs/train/kernels/image_loss.hpp"

namespace gs {

// How badly an image is explained, block by block of kResidualBlock full-size pixels, over the
// last times it was trained on.
constexpr int kResidualBlock = 16;
struct ResidualMap {
  int columns = 0, rows = 0, visits = 0;
  std::vector<float> error;
};

// Side of a block in an image that is smaller by `divisor`.
int residualBlock(int divisor);

// Another visit: `seen` should have been `target`, except where `mask`, unless empty, is 0.
void addResiduals(const PlanarImage& seen, const PlanarImage& target, const Image8& mask,
                  int divisor, ResidualMap& residual);

// Blocks whose error stays far above the others' although the image was seen often: 1, else 0.
// Empty when there is none.
std::vector<uint8_t> badBlocks(const ResidualMap& residual);

}  // namespace gs

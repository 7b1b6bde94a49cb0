// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "gs/core/aligned.hpp"

namespace gs {

// The splats of a world in the map frame: the one in-memory form, from the trainer to the renderer.
// Values are kept as every 3DGS file stores them (log scale, logit opacity), so that reading and
// writing changes no bit; `rotation` is x, y, z, w and of unit length.
//
// Structure of arrays for what culling and projection stream through; the higher SH coefficients
// stay together per splat, because only visible splats need them.
struct GaussianCloud {
  using Floats = AlignedVector<float>;

  int sh_degree = 0;
  std::array<Floats, 3> position;   // m
  std::array<Floats, 3> log_scale;  // ln(m), along the splat's own axes
  std::array<Floats, 4> rotation;   // map_from_splat
  Floats logit_opacity;
  std::array<Floats, 3> sh_dc;  // R, G, B: colour = 0.5 + C0 * sh_dc + ...
  // restCount(sh_degree) floats per splat, channel-major as in the files: all R, all G, all B.
  Floats sh_rest;

  size_t size() const { return logit_opacity.size(); }
  void resize(size_t count);  // new elements are not initialised
  bool operator==(const GaussianCloud&) const = default;
};

constexpr int kMaxShDegree = 3;
// 3 * ((d+1)^2 - 1): 0, 9, 24, 45
constexpr size_t restCount(int sh_degree) {
  return 3 * static_cast<size_t>((sh_degree + 1) * (sh_degree + 1) - 1);
}

// The splats with these numbers, in this order.
GaussianCloud selectSplats(const GaussianCloud& cloud, const std::vector<size_t>& kept);

}  // namespace gs

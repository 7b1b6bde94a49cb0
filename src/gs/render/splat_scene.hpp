// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "gs/bundle/gaussian_cloud.hpp"
#include "gs/core/aligned.hpp"

namespace gs {

// Splats per cluster and clusters per group: what is culled at once. A cluster's 44 floats per
// splat of geometry fit into half of an L1 cache.
constexpr size_t kClusterSize = 256;
constexpr size_t kGroupSize = 32;
// Splats whose SH coefficients lie together: one vector of the widest target that is used.
constexpr size_t kShBlock = 8;

// The box of the centres, and how far a splat of the cluster reaches beyond it.
struct SplatBox {
  std::array<float, 3> low, high;
  float reach = 0;  // m: the largest splat, out to alpha = 1/255
};

// Splats as the kernels stream through them: unusable ones left out, ordered by size class and then
// along a space-filling curve, so that a cluster is small and is culled as a whole. Padded to whole
// clusters with splats too faint to be seen. SH coefficients are half floats: an error of 2^-12 of
// each coefficient, far below 1/512 of a channel, for half the bytes.
struct SplatScene {
  using Floats = AlignedVector<float>;

  size_t count = 0;    // splats, without padding
  size_t dropped = 0;  // not finite, or too faint to be seen
  int sh_degree = 0;
  std::array<Floats, 3> position;
  std::array<Floats, 3> scale;     // m
  std::array<Floats, 4> rotation;  // x, y, z, w, unit length
  Floats log2_opacity;
  // [splat / kShBlock][coefficient][channel][splat % kShBlock], bits of IEEE half floats
  AlignedVector<uint16_t> sh;
  std::vector<SplatBox> clusters, groups;

  size_t coefficients() const { return static_cast<size_t>((sh_degree + 1) * (sh_degree + 1)); }
};

// `order`, where given, gets the index in the cloud of each splat of the scene.
SplatScene makeSplatScene(const GaussianCloud& cloud, std::vector<uint32_t>* order = nullptr);

// The box of the splats [begin, end), and those of groups from those of their clusters: for whoever
// changes splats of a scene.
SplatBox boxOf(const SplatScene& scene, size_t begin, size_t end);
void updateGroups(SplatScene& scene);

}  // namespace gs

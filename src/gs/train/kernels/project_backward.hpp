// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "gs/render/kernels/project_splats.hpp"
#include "gs/render/splat_scene.hpp"

namespace gs {

// One number for each splat of a cluster.
using ClusterFloats = std::array<float, kClusterSize>;

// The derivative of the loss by the images of a cluster's splats: what ProjectedSplat holds.
struct alignas(64) ImageGradients {
  ClusterFloats x, y, a, shear, e, log2_opacity;
  std::array<ClusterFloats, 3> rgb;
  ClusterFloats depth;
  std::array<uint8_t, kClusterSize> is_seen;  // the rest is not read, nor are its results written

  void clear() { is_seen.fill(0); }
};

// The derivative of the loss by the parameters of a cluster's splats.
struct alignas(64) SplatGradients {
  std::array<ClusterFloats, 3> position, log_scale;
  std::array<ClusterFloats, 4> rotation;  // tangent to the unit quaternions
  ClusterFloats logit_opacity;
  std::array<ClusterFloats, 48> sh;  // [coefficient * 3 + channel]
  ClusterFloats depth;               // m from the camera, not a derivative: what a view resolves
};

// By a shift of the camera in the map, and by turning it about its own (OpenCV) axes.
struct PoseGradient {
  std::array<double, 3> shift{}, turn{};
};

// Back through projectCluster(). The scene has `sh_degree` or more; coefficients beyond
// `learned_degree` get no gradient. Adds to `pose` where it is given.
void projectBackward(const SplatScene& scene, size_t cluster, int learned_degree,
                     const ProjectionView& view, const ImageGradients& image,
                     SplatGradients& gradients, PoseGradient* pose);

}  // namespace gs

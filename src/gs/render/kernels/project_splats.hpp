// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "gs/render/projected_splat.hpp"
#include "gs/render/splat_renderer.hpp"
#include "gs/render/splat_scene.hpp"

namespace gs {

enum class LensKind { Pinhole, Brown, Equidistant };

// A camera at its place, as the kernel wants it: floats, and nothing to look up.
struct ProjectionView {
  ProjectionView(const Lens& lens, const Camera& camera, const Rigid3& map_from_opencv,
                 const RenderSettings& settings);

  LensKind kind;
  float opencv_from_map[9];  // row-major rotation
  float eye[3];              // map frame
  float fx, fy, cx, cy;
  float k1, k2, p1, p2, k3, k4, k5, k6;
  float clamp_x_min, clamp_x_max, clamp_y_min, clamp_y_max, max_radius2;
  float max_angle, cull_angle;
  float near_plane, far_plane;
  float right, bottom;  // px, the last pixel's centre
  bool is_antialiased;
};

// Where projected splats go: room for kClusterSize each.
struct ProjectedArrays {
  ProjectedSplat* splats;
  TileRange* ranges;
  float* depths;  // what they are sorted by
};

// The splats of one cluster that show in the view, in the scene's order; returns how many.
size_t projectCluster(const SplatScene& scene, size_t cluster, const ProjectionView& view,
                      const ProjectedArrays& out);

}  // namespace gs

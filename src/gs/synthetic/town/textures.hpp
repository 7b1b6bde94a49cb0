// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gs/synthetic/town/shading.hpp"

namespace gs {

struct TexturePoint {
  Vec3f albedo;
  float gloss = 0;
};
TexturePoint evaluateTexture(const SurfacePoint& point);

// What a LiDAR beam gets back from (u, v), head-on; `width` is the beam's there, in units of u.
// Paint on the road has glass beads in it and shines; everything else is as its material says.
float evaluateReflectivity(const Material& material, float u, float v, float width);

}  // namespace gs

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gs/synthetic/town/surface.hpp"

namespace gs {

// A point of a surface as a pixel sees it.
struct SurfacePoint {
  const Material* material = nullptr;
  Vec3f position;  // for textures: map frame, or the mover's own
  Vec3f normal;    // for light: map frame, smooth, towards the eye
  Vec3f view;      // unit, from the eye
  float u = 0, v = 0;
  float width_u = 0, width_v = 0;  // of the pixel on the surface, in units of u and v
  float distance = 0;
  float openness = 1;  // share of the sky that reaches the point
  float sun = 1;       // 0 in shadow
  uint16_t variation = 0;
};

Vec3f sunDirection();                    // unit, towards the sun
Vec3f skyColor(const Vec3f& direction);  // linear
Vec3f shade(const SurfacePoint& point);  // linear colour seen by the eye, fog included

}  // namespace gs

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gs/synthetic/town/shading.hpp"

namespace gs {

struct TexturePoint {
  Vec3f albedo;
  float gloss = 0;
};
TexturePoint evaluateTexture(const SurfacePoint& point);

}  // namespace gs

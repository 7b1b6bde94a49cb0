// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gs/render/splat_renderer.hpp"

namespace gs {

// What blending leaves of one pixel.
struct BlendedPixel {
  Vec3f color = Vec3f::Zero();  // the background or sky included
  float transmittance = 1;
  float weighted_depth = 0;  // sum of weight * depth
  uint32_t count = 0;
};

// Makes the images that the view asks for.
void prepareOutputs(const SplatView& view, RenderedView& result);
// Writes pixel (x, y) of each.
void storePixel(const RenderOutputs& outputs, const RenderSettings& settings, int x, int y,
                const BlendedPixel& pixel, RenderedView& result);

}  // namespace gs

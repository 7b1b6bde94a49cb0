// SPDX-License-Identifier: Apache-2.0
#include "gs/render/resolve_pixel.hpp"

#include <algorithm>

namespace gs {

void prepareOutputs(const SplatView& view, RenderedView& result) {
  const int width = view.camera.width, height = view.camera.height;
  const RenderOutputs& outputs = view.outputs;
  if (outputs.rgb) result.rgb = Image8(width, height, 3);
  if (outputs.color) result.color = ImageF(width, height, 3);
  if (outputs.depth) result.depth = ImageF(width, height, 1);
  if (outputs.opacity) result.opacity = ImageF(width, height, 1);
  if (outputs.splat_count) result.splat_count = Image<uint32_t>(width, height, 1);
}

void storePixel(const RenderOutputs& outputs, const RenderSettings& settings, int x, int y,
                const BlendedPixel& pixel, RenderedView& result) {
  for (int c = 0; c < 3; ++c) {
    if (outputs.color) result.color.at(x, y)[c] = pixel.color[c];
    if (!outputs.rgb) continue;
    const float level = pixel.color[c] * settings.gain[static_cast<size_t>(c)] * 255 + 0.5f;
    result.rgb.at(x, y)[c] = static_cast<uint8_t>(std::clamp(level, 0.0f, 255.0f));
  }
  const float opacity = 1 - pixel.transmittance;
  if (outputs.depth) *result.depth.at(x, y) = opacity > 0 ? pixel.weighted_depth / opacity : 0;
  if (outputs.opacity) *result.opacity.at(x, y) = opacity;
  if (outputs.splat_count) *result.splat_count.at(x, y) = pixel.count;
}

}  // namespace gs

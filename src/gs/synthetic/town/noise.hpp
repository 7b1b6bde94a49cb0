// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

// Textures as functions of a point, filtered by the width of the pixel on the surface: what is
// finer than a pixel fades to its mean, so that far walls do not flicker.
namespace gs::noise {

inline uint32_t hash(uint32_t x, uint32_t y) {
  uint32_t h = x * 0x9e3779b1u ^ (y * 0x85ebca77u + 0x27d4eb2fu);
  h ^= h >> 15;
  h *= 0x2c1b3c6du;
  h ^= h >> 12;
  h *= 0x297a2d39u;
  return h ^ (h >> 15);
}
inline float unit(uint32_t h) { return static_cast<float>(h >> 8) * 0x1.0p-24f; }
inline int floorInt(float x) {
  const int i = static_cast<int>(x);
  return static_cast<float>(i) > x ? i - 1 : i;
}

// Smooth noise in -1..1, about one bump per unit.
inline float value(float x, float y) {
  const int ix = floorInt(x), iy = floorInt(y);
  const float fx = x - static_cast<float>(ix), fy = y - static_cast<float>(iy);
  const float sx = fx * fx * (3 - 2 * fx), sy = fy * fy * (3 - 2 * fy);
  const auto ux = static_cast<uint32_t>(ix), uy = static_cast<uint32_t>(iy);
  const float a = unit(hash(ux, uy)), b = unit(hash(ux + 1, uy));
  const float c = unit(hash(ux, uy + 1)), d = unit(hash(ux + 1, uy + 1));
  const float low = a + (b - a) * sx, high = c + (d - c) * sx;
  return 2 * (low + (high - low) * sy) - 1;
}

// Noise of `frequency` bumps per metre seen through a pixel of `width` metres; 0 when too fine.
inline float filtered(float x, float y, float frequency, float width) {
  const float fade = 1.5f - 2 * width * frequency;
  if (fade <= 0) return 0;
  return value(x * frequency, y * frequency) * std::min(1.0f, fade);
}

// Share of the pixel [x - w/2, x + w/2] covered by bars of `bar` metres, one each `period`.
inline float bars(float x, float w, float period, float bar) {
  const auto integral = [&](float at) {
    const float whole = std::floor(at / period);
    return whole * bar + std::min(at - whole * period, bar);
  };
  w = std::max(w, 1e-4f);
  return (integral(x + 0.5f * w) - integral(x - 0.5f * w)) / w;
}

// Share of the pixel that lies in [low, high].
inline float box(float x, float w, float low, float high) {
  w = std::max(w, 1e-4f);
  return std::max(0.0f, std::min(x + 0.5f * w, high) - std::max(x - 0.5f * w, low)) / w;
}

inline float smooth(float low, float high, float x) {
  const float t = std::clamp((x - low) / (high - low), 0.0f, 1.0f);
  return t * t * (3 - 2 * t);
}

}  // namespace gs::noise

// SPDX-License-Identifier: Apache-2.0
#include "gs/synthetic/town/textures.hpp"

#include "gs/synthetic/town/noise.hpp"
#include "gs/synthetic/town/road_loop.hpp"

namespace gs {
namespace {

using noise::bars;
using noise::box;
using noise::filtered;

Vec3f mix(const Vec3f& a, const Vec3f& b, float t) { return a + (b - a) * t; }

float widest(const SurfacePoint& p) { return std::max(p.width_u, p.width_v); }

// White paint on the road at (s, offset): share of the pixel.
float roadMarks(float s, float offset, float ws, float wo) {
  constexpr auto kZebra = static_cast<float>(road::kZebraS);
  constexpr auto kHalf = static_cast<float>(road::kZebraHalf);
  constexpr auto kLane = static_cast<float>(road::kLaneWidth);
  const float away = std::abs(offset);
  const float near_zebra = box(s, ws, kZebra - kHalf - 1.6f, kZebra + kHalf + 1.6f);
  float paint = box(offset, wo, -0.06f, 0.06f) * bars(s, ws, 5.0f, 2.6f) * (1 - near_zebra);
  paint += box(away, wo, kLane - 0.07f, kLane + 0.07f) * (1 - near_zebra);
  paint += bars(offset + 0.25f, wo, 1.0f, 0.5f) * box(s, ws, kZebra - kHalf, kZebra + kHalf) *
           box(away, wo, 0, 5.2f);
  // Stop lines: before the zebra, in the lane that drives towards it.
  paint += box(s, ws, kZebra - kHalf - 1.5f, kZebra - kHalf - 1.1f) * box(offset, wo, 0.1f, kLane);
  paint +=
      box(s, ws, kZebra + kHalf + 1.1f, kZebra + kHalf + 1.5f) * box(offset, wo, -kLane, -0.1f);
  // Parking places.
  paint += bars(s, ws, 6.0f, 0.1f) * box(away, wo, kLane, 5.5f) * 0.8f * (1 - near_zebra);
  return std::min(1.0f, paint);
}

Vec3f roadColor(const SurfacePoint& p) {
  const float x = p.position.x(), y = p.position.y(), w = widest(p);
  const float grain = filtered(x, y, 34, w) * 0.38f + filtered(x + 9, y, 11, w) * 0.20f;
  const float patches = filtered(x, y, 2.7f, w) * 0.09f + filtered(x, y, 0.7f, w) * 0.10f +
                        filtered(x, y, 0.16f, w) * 0.10f;
  // Tyres polish two tracks per lane; oil darkens the middle between them.
  const float lane = std::abs(std::abs(p.v) - 1.62f);
  const float track =
      0.07f * box(lane, p.width_v, 0.55f, 0.95f) - 0.10f * box(lane, p.width_v, 0, 0.25f);
  const float gutter = 0.22f * noise::smooth(4.7f, 5.5f, std::abs(p.v));
  Vec3f color = p.material->color * (1 + grain + patches + track - gutter);
  // Mended cracks: thin dark lines where slow noise crosses zero.
  const float crack = noise::value(x * 0.35f + 31, y * 0.35f);
  if (std::abs(crack) < 0.009f && w < 0.2f && noise::value(x * 0.13f, y * 0.13f) > 0.1f)
    color *= 0.6f + 2 * w;
  // Squares of newer asphalt.
  const auto cell = noise::hash(static_cast<uint32_t>(noise::floorInt(p.u / 4.3f)),
                                static_cast<uint32_t>(noise::floorInt((p.v + 20) / 2.2f)));
  if (cell % 19 == 0) color *= 0.78f;
  const float paint = roadMarks(p.u, p.v, p.width_u, p.width_v);
  if (paint <= 0) return color;
  const float wear =
      std::clamp(0.86f + 0.25f * filtered(x, y, 7, w) + 0.25f * filtered(x, y, 25, w), 0.0f, 1.0f);
  return mix(color, p.material->second * (1 + 0.5f * grain), paint * wear);
}

Vec3f pavingColor(const SurfacePoint& p) {
  const float x = p.position.x(), y = p.position.y(), w = widest(p);
  constexpr float kSlab = 0.6f;
  const int row = noise::floorInt(p.v / kSlab);
  const float shift = (row & 1) ? 0.5f * kSlab : 0;
  const float joint_u = bars(p.u + shift, p.width_u, kSlab, 0.014f);
  const float joint_v = bars(p.v, p.width_v, kSlab, 0.014f);
  const auto slab = noise::hash(static_cast<uint32_t>(noise::floorInt((p.u + shift) / kSlab)),
                                static_cast<uint32_t>(row));
  const float fade = std::clamp(1.4f - w / kSlab, 0.0f, 1.0f);
  const float tone = (noise::unit(slab) - 0.5f) * 0.22f * fade;
  const float dirt = filtered(x, y, 0.7f, w) * 0.10f + filtered(x, y, 5, w) * 0.07f +
                     filtered(x, y, 28, w) * 0.10f;
  const Vec3f color = p.material->color * (1 + tone + dirt);
  return color * (1 - 0.55f * std::min(1.0f, joint_u + joint_v));
}

Vec3f kerbColor(const SurfacePoint& p) {
  const float joint = bars(p.u, p.width_u, 0.9f, 0.015f);
  const float dirt =
      filtered(p.u, p.v * 3, 6, widest(p)) * 0.12f + filtered(p.u, p.v, 1, p.width_u) * 0.08f;
  return p.material->color * ((1 + dirt) * (1 - 0.6f * joint));
}

Vec3f grassColor(const SurfacePoint& p) {
  const float x = p.position.x(), y = p.position.y(), w = widest(p);
  const float blend = 0.5f + 0.35f * filtered(x, y, 0.22f, w) + 0.3f * filtered(x, y, 1.3f, w);
  const float blades = filtered(x, y, 14, w) * 0.32f + filtered(y, x, 37, w) * 0.25f;
  return mix(p.material->color, p.material->second, std::clamp(blend, 0.0f, 1.0f)) * (1 + blades);
}

float wallDirt(const SurfacePoint& p) {
  const float w = widest(p);
  const float streaks = filtered(p.u * 3.1f, p.v * 0.35f, 1, w) * 0.06f;
  const float foot = 0.16f * (1 - noise::smooth(0, 1.1f, p.v));
  return filtered(p.u + p.position.x(), p.v, 0.6f, w) * 0.07f + streaks - foot;
}

Vec3f brickColor(const SurfacePoint& p) {
  constexpr float kLength = 0.25f, kHeight = 0.083f;
  const int row = noise::floorInt(p.v / kHeight);
  const float u = p.u + ((row & 1) ? 0.5f * kLength : 0);
  const float fade = std::clamp(1.5f - 1.2f * widest(p) / kHeight, 0.0f, 1.0f);
  const float mortar_u = bars(u, p.width_u, kLength, 0.012f),
              mortar_v = bars(p.v, p.width_v, kHeight, 0.012f);
  float tone = wallDirt(p);
  if (fade > 0) {
    const auto brick = noise::hash(static_cast<uint32_t>(noise::floorInt(u / kLength)),
                                   static_cast<uint32_t>(row));
    tone += (noise::unit(brick) - 0.5f) * 0.42f * fade;
  }
  tone += filtered(p.u, p.v, 38, widest(p)) * 0.12f;
  return mix(p.material->color * (1 + tone), p.material->second * (1 + wallDirt(p)),
             std::min(1.0f, mortar_u + mortar_v) * 0.8f);
}

Vec3f plasterColor(const SurfacePoint& p) {
  const float w = widest(p);
  const float rough = filtered(p.u, p.v, 24, w) * 0.06f + filtered(p.u, p.v, 6, w) * 0.05f;
  return p.material->color * (1 + wallDirt(p) + rough);
}

// Glass behind a frame with one mullion and a transom; some rooms have curtains or light.
TexturePoint paneTexture(const SurfacePoint& p) {
  const float wu = p.width_u, wv = p.width_v;
  float glass = box(p.u, wu, 0.06f, 0.94f) * box(p.v, wv, 0.045f, 0.955f);
  glass *= 1 - box(p.u, wu, 0.475f, 0.525f);
  glass *= 1 - box(p.v, wv, 0.665f, 0.70f);
  Vec3f inside = p.material->color * (0.7f + 0.6f * noise::unit(noise::hash(p.variation, 1)));
  const uint32_t kind = p.variation % 7;
  if (kind < 3) {  // curtains at the sides, or a blind from the top
    const float cloth = kind == 0 ? box(p.v, wv, 0.45f, 1) : 1 - box(p.u, wu, 0.25f, 0.75f);
    const float folds = 1 + 0.12f * filtered(p.u, p.v * 0.02f, 26, wu);
    const Vec3f curtain =
        Vec3f(0.34f, 0.32f, 0.29f) * (0.5f + noise::unit(noise::hash(p.variation, 2)) * 0.6f);
    inside = mix(inside, curtain * folds, cloth * 0.85f);
  }
  return {mix(p.material->second, inside, glass), p.material->gloss * glass};
}

TexturePoint shopTexture(const SurfacePoint& p) {
  const float frame =
      std::min(1.0f, bars(p.u + 0.03f, p.width_u, 1.35f, 0.06f) + box(p.v, p.width_v, 0, 0.07f) +
                         box(p.v, p.width_v, 1.75f, 1.81f));
  // Things on show: blocks of colour behind the glass.
  const auto cell = noise::hash(static_cast<uint32_t>(noise::floorInt(p.u / 0.45f)) + p.variation,
                                static_cast<uint32_t>(noise::floorInt(p.v / 0.5f)));
  Vec3f inside = p.material->color;
  if (p.v < 1.5f && cell % 3 != 0)
    inside +=
        Vec3f(noise::unit(cell), noise::unit(cell * 7 + 1), noise::unit(cell * 13 + 5)) * 0.14f;
  inside *= 1 + 0.4f * filtered(p.u, p.v, 9, widest(p));
  return {mix(inside, p.material->second, frame), p.material->gloss * (1 - frame)};
}

Vec3f farFacadeColor(const SurfacePoint& p) {
  const float windows =
      bars(p.u + 0.7f, p.width_u, 2.6f, 1.25f) * bars(p.v - 1.0f, p.width_v, 3.1f, 1.6f);
  const Vec3f glass(0.10f, 0.12f, 0.14f);
  return mix(p.material->color * (0.9f + wallDirt(p)), glass, windows * (1 - p.normal.z()));
}

Vec3f roofColor(const SurfacePoint& p) {
  const float rows = bars(p.v, p.width_v, 0.3f, 0.05f),
              columns = bars(p.u, p.width_u, 0.22f, 0.03f);
  const float tone =
      filtered(p.u, p.v, 4, widest(p)) * 0.15f + filtered(p.u, p.v, 0.5f, widest(p)) * 0.12f;
  return p.material->color * ((1 + tone) * (1 - 0.4f * rows) * (1 - 0.2f * columns));
}

Vec3f leafColor(const SurfacePoint& p) {
  const float tone = noise::unit(noise::hash(p.variation, 3));
  const float grain =
      filtered(p.position.x() + p.position.z(), p.position.y() - p.position.z(), 9, widest(p)) *
      0.25f;
  const Vec3f yellow = p.material->color.cwiseProduct(Vec3f(1.5f, 1.2f, 0.9f));
  return mix(p.material->color, yellow, tone * 0.7f) * (0.72f + 0.5f * tone + grain);
}

// Letters that nobody can read: light bars on the sign's colour.
Vec3f signColor(const SurfacePoint& p) {
  const float row = box(p.v, p.width_v, 0.16f, 0.40f);
  const auto letter = noise::hash(static_cast<uint32_t>(noise::floorInt(p.u / 0.22f)), p.variation);
  const float ink =
      (letter % 5 == 0 ? 0 : 1) * bars(p.u, p.width_u, 0.22f, 0.05f + 0.10f * noise::unit(letter));
  return mix(p.material->color, p.material->second, row * ink) * (1 + wallDirt(p));
}

constexpr float kPaintReflectivity = 0.75f;

}  // namespace

float evaluateReflectivity(const Material& material, float u, float v, float width) {
  if (material.texture != Texture::Road) return material.reflectivity;
  // Water mirrors the light away; the ego drives on the outer lane.
  constexpr float kWater = 0.003f, kLane = static_cast<float>(road::kLaneWidth);
  if (u > material.wet[0] && u < material.wet[1] && v > 0 && v < kLane) return kWater;
  const float paint = roadMarks(u, v, width, width);
  return material.reflectivity + (kPaintReflectivity - material.reflectivity) * paint;
}

TexturePoint evaluateTexture(const SurfacePoint& p) {
  const Material& m = *p.material;
  switch (m.texture) {
    case Texture::Plain: return {m.color, m.gloss};
    case Texture::Road: return {roadColor(p), 0};
    case Texture::Kerb: return {kerbColor(p), 0};
    case Texture::Paving: return {pavingColor(p), 0};
    case Texture::Grass: return {grassColor(p), 0};
    case Texture::Brick: return {brickColor(p), 0};
    case Texture::Plaster: return {plasterColor(p), 0};
    case Texture::Pane: return paneTexture(p);
    case Texture::Shop: return shopTexture(p);
    case Texture::FarFacade: return {farFacadeColor(p), 0};
    case Texture::Roof: return {roofColor(p), 0};
    case Texture::Leaf: return {leafColor(p), 0};
    case Texture::Bark:
      return {m.color * (1 + 0.3f * filtered(p.u * 1.5f, p.v * 0.3f, 12, widest(p))), 0};
    case Texture::CarPaint: return {m.color, m.gloss};
    case Texture::CarGlass: {
      const float glass = box(p.u, p.width_u, 0.05f, 0.95f) * box(p.v, p.width_v, 0.04f, 0.93f);
      return {mix(m.second, m.color, glass), m.gloss};
    }
    case Texture::Sign: return {signColor(p), 0.01f};
    case Texture::Plate: return {mix(m.color, m.second, box(p.u, p.width_u, 0.78f, 2)), m.gloss};
  }
  return {m.color, m.gloss};
}

}  // namespace gs

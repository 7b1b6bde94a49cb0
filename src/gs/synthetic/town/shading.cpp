// SPDX-License-Identifier: Apache-2.0
#include "gs/synthetic/town/shading.hpp"

#include "gs/synthetic/town/noise.hpp"
#include "gs/synthetic/town/textures.hpp"

namespace gs {
namespace {

const Vec3f kSun = Vec3f(-0.52f, -0.46f, 0.72f).normalized();
const Vec3f kSunColor(2.75f, 2.42f, 1.95f);
const Vec3f kSkyLight(0.46f, 0.55f, 0.70f);
const Vec3f kGroundLight(0.27f, 0.24f, 0.19f);
const Vec3f kHaze(0.70f, 0.79f, 0.88f);
const Vec3f kZenith(0.16f, 0.33f, 0.68f);

float clouds(const Vec3f& d) {
  if (d.z() < 0.03f) return 0;
  const float scale = 1.3f / (d.z() + 0.12f), x = d.x() * scale + 3.1f, y = d.y() * scale;
  const float sum = 0.55f * noise::value(x, y) + 0.27f * noise::value(2.1f * x, 2.1f * y) +
                    0.14f * noise::value(4.3f * x, 4.3f * y) +
                    0.07f * noise::value(8.7f * x, 8.7f * y);
  return noise::smooth(0.02f, 0.5f, sum) * noise::smooth(0.03f, 0.2f, d.z());
}

// What a mirror shows: sky above, a street's dim walls near the horizon and below.
Vec3f mirrored(const Vec3f& direction) {
  const float up = noise::smooth(0.05f, 0.45f, direction.z());
  const Vec3f walls(0.22f, 0.20f, 0.18f);
  const Vec3f sky = kHaze + (kZenith - kHaze) * std::min(1.0f, 1.4f * std::abs(direction.z()));
  return walls + (sky * 1.2f - walls) * up;
}

// A low sun in the open: what is grey elsewhere is white there. Soft ends, a metre long.
float hardness(const SurfacePoint& p) {
  constexpr float kHardest = 40;
  const auto& [from, to] = p.material->sunny;
  if (to <= from) return 1;
  const float inside = std::min(p.u - from, to - p.u);
  return 1 + (kHardest - 1) * noise::smooth(0.0f, 1.0f, inside);
}

}  // namespace

Vec3f sunDirection() { return kSun; }

Vec3f skyColor(const Vec3f& d) {
  const float up = std::max(0.0f, d.z());
  const float blue = 1 - std::exp(-3.2f * up);
  Vec3f color = kHaze + (kZenith - kHaze) * blue;
  const float toward_sun = std::max(0.0f, d.dot(kSun));
  const float glow = toward_sun * toward_sun * toward_sun * toward_sun;
  color += Vec3f(0.30f, 0.25f, 0.17f) * (glow * glow);
  if (toward_sun > 0.9995f) color += Vec3f(6, 5.6f, 4.8f);
  return color + (Vec3f(1.0f, 0.99f, 0.98f) - color) * (0.85f * clouds(d));
}

Vec3f shade(const SurfacePoint& p) {
  const TexturePoint texture = evaluateTexture(p);
  const Vec3f& n = p.normal;
  const float sun = p.sun * std::max(0.0f, n.dot(kSun)) * hardness(p);
  const float up = 0.5f + 0.5f * n.z();
  const Vec3f ambient = (kGroundLight + (kSkyLight - kGroundLight) * up) * p.openness;
  Vec3f color = texture.albedo.cwiseProduct(kSunColor * sun + ambient);
  if (texture.gloss > 0) {
    const float facing = std::min(1.0f, std::max(0.0f, -n.dot(p.view)));
    const float grazing = (1 - facing) * (1 - facing);
    const float fresnel = texture.gloss + (1 - texture.gloss) * grazing * grazing * (1 - facing) *
                                              std::min(1.0f, 10 * texture.gloss);
    const Vec3f mirror = p.view + n * (2 * facing);
    Vec3f image = mirrored(mirror);
    const float highlight = std::max(0.0f, mirror.dot(kSun));
    if (highlight > 0.96f) {
      const float h = (highlight - 0.96f) * 25;
      image += kSunColor * (p.sun * 3 * h * h);
    }
    color = color * (1 - fresnel) + image * (fresnel * (0.4f + 0.6f * p.openness));
  }
  const float fog = 1 - std::exp(-0.0012f * p.distance);
  return color + (kHaze - color) * fog;
}

}  // namespace gs

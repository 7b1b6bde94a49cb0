// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <numbers>

#include "gs/synthetic/town/road_loop.hpp"
#include "gs/synthetic/town/surface_builder.hpp"
#include "gs/synthetic/town/town_model.hpp"

namespace gs {
namespace {

struct Blob {
  Vec3 middle, radii;
};

Vec3 randomDirection(Rng& rng) {
  const double z = rng.uniform(-1, 1), angle = rng.uniform(0, 2 * std::numbers::pi);
  const double r = std::sqrt(1 - z * z);
  return {r * std::cos(angle), r * std::sin(angle), z};
}

// Leaves near the surface of the blob; inside ones would never be seen.
void addLeaves(SurfaceBuilder& b, const Blob& blob, int count, double size, Rng& rng) {
  for (int i = 0; i < count; ++i) {
    const Vec3 out = randomDirection(rng);
    const Vec3 middle = blob.middle + out.cwiseProduct(blob.radii) * rng.uniform(0.72, 1.04);
    const Vec3 tilt = (out + 0.9 * randomDirection(rng)).normalized();
    const Vec3 right = tilt.unitOrthogonal();
    const double turn = rng.uniform(0, 2 * std::numbers::pi);
    const Vec3 a = right * std::cos(turn) + tilt.cross(right) * std::sin(turn);
    const double s = size * rng.uniform(0.7, 1.3);
    b.variation = static_cast<uint16_t>(rng.next());
    b.leaf(middle, a * s * 0.6, tilt.cross(a) * s, (out + 0.25 * tilt).normalized());
  }
}

struct TreeKind {
  uint16_t leaf, bark;
};

void addTree(SurfaceBuilder& b, const Vec3& foot, double size, const TreeKind& kind, Rng rng) {
  const Placement at = placeAt(foot, {1, 0});
  b.material = kind.bark;
  const double trunk = 2.3 * size;
  const std::array<double, 2> rings[] = {{0.20 * size, -0.3},
                                         {0.15 * size, 0.3},
                                         {0.12 * size, trunk},
                                         {0.05 * size, trunk + 1.4 * size}};
  b.lathe(at, rings, 8);
  b.material = kind.leaf;
  const Vec3 crown = at(0, 0, trunk + 1.3 * size);
  b.variation = 1;  // a dark core, so that the sky does not show through the middle
  const std::array<double, 2> core[] = {
      {0.05, -0.75}, {0.75, -0.5}, {1.0, 0.2}, {0.8, 0.9}, {0.05, 1.25}};
  Placement inside = placeAt(crown, {1, 0});
  inside.x *= size, inside.y *= size, inside.z *= size;
  b.lathe(inside, core, 9);
  addLeaves(b, {crown, Vec3(1.45, 1.45, 1.35) * size}, 330, 0.175 * size, rng);
  for (int i = 0; i < 6; ++i) {
    const double angle = 2 * std::numbers::pi * (i + rng.uniform(-0.3, 0.3)) / 6;
    const Vec3 middle =
        crown + Vec3(std::cos(angle) * 0.95, std::sin(angle) * 0.95, rng.uniform(-0.5, 1.1)) * size;
    addLeaves(b, {middle, Vec3(0.85, 0.85, 0.72) * size}, 110, 0.155 * size, rng);
  }
}

// A trimmed hedge along the road: a solid core and leaves that break up its edges.
void addHedge(SurfaceBuilder& b, double from, double to, double offset, uint16_t leaf, Rng rng) {
  for (double s = from; s < to; s += 2) {
    b.material = leaf;
    b.variation = 7;
    const Placement at = placeAt(road::onGround(s, offset), road::directionAt(s));
    b.box(at, {-0.02, -0.36, -0.3}, {2.02, 0.36, 0.92});
    for (int i = 0; i < 130; ++i) {
      const double x = rng.uniform(0, 2), face = rng.uniform(-1.2, 1.2);
      const bool is_top = std::abs(face) < 0.4;
      const double side = is_top ? face / 0.4 : std::copysign(1.0, face);
      const Vec3 out = is_top ? Vec3(at.z) : Vec3(at.y * side);
      const Vec3 tilt = (out + 0.8 * randomDirection(rng)).normalized();
      const Vec3 right = tilt.unitOrthogonal() * rng.uniform(0.05, 0.1);
      b.variation = static_cast<uint16_t>(rng.next());
      b.leaf(at(x, 0.37 * side, is_top ? 0.93 : rng.uniform(0.0, 0.93)), right, tilt.cross(right),
             (out + 0.4 * tilt).normalized());
    }
  }
}

}  // namespace

void addTrees(TownModel& town, Rng rng) {
  const auto leaf = [&](float r, float g, float b) {
    return town.add({.texture = Texture::Leaf, .color = Vec3f(r, g, b), .reflectivity = 0.5f});
  };
  const uint16_t bark = town.add(
      {.texture = Texture::Bark, .color = Vec3f(0.16f, 0.115f, 0.08f), .reflectivity = 0.3f});
  const TreeKind kinds[] = {{leaf(0.10f, 0.20f, 0.035f), bark},
                            {leaf(0.15f, 0.22f, 0.04f), bark},
                            {leaf(0.065f, 0.155f, 0.04f), bark}};
  SurfaceBuilder b(town.fixed);
  int index = 0;
  const auto plant = [&](double s, double offset, double size) {
    addTree(b, road::onGround(s, offset), size, kinds[rng.below(3)], rng.fork(++index));
  };
  const double total = road::length();
  for (double s = 8; s < total - 5; s += 23 + rng.uniform(-2, 2)) {
    if (std::abs(s - road::kZebraS) < 7) continue;
    plant(s, s < 70 ? 10.6 : 6.6, rng.uniform(1.15, 1.45));
  }
  for (double s = 100; s < total - 20; s += 31 + rng.uniform(-2, 2))
    if (std::abs(s - road::kZebraS) > 7) plant(s, -6.6, rng.uniform(0.95, 1.15));
  for (int i = 0; i < 16; ++i)  // the park
    plant(rng.uniform(-12, 76), rng.uniform(15, 40), rng.uniform(1.4, 2.1));
  const uint16_t hedge = leaf(0.07f, 0.145f, 0.035f);
  addHedge(b, 2, 22, 9.2, hedge, rng.fork(100));
  addHedge(b, 28, 60, 9.2, hedge, rng.fork(101));
}

}  // namespace gs

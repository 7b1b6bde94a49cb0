// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <numbers>

#include "gs/synthetic/town/road_loop.hpp"
#include "gs/synthetic/town/surface_builder.hpp"
#include "gs/synthetic/town/town_model.hpp"

namespace gs {
namespace {

// A place on the pavement, x along the road, y towards the block.
Placement beside(double s, double offset) {
  return placeAt(road::onGround(s, offset), road::directionAt(s));
}

// Puts back what was being built before.
class AsThin {
 public:
  explicit AsThin(SurfaceBuilder& b) : b_(b) { b_.thing = Thing::Thin; }
  ~AsThin() { b_.thing = Thing::Still; }

 private:
  SurfaceBuilder& b_;
};

void addPole(SurfaceBuilder& b, const Placement& at, double radius, double height) {
  const std::array<double, 2> rings[] = {{radius * 1.9, -0.2},
                                         {radius * 1.9, 0.35},
                                         {radius * 1.3, 0.45},
                                         {radius, height},
                                         {0.001, height + 0.03}};
  b.lathe(at, rings, 8);
}

void addLamp(SurfaceBuilder& b, double s, double offset, uint16_t metal, uint16_t glass) {
  const AsThin thin(b);
  const Placement at = beside(s, offset);
  const double side = offset > 0 ? 1 : -1;  // the arm reaches over the road
  b.material = metal;
  addPole(b, at, 0.06, 6.2);
  b.box(at, {-0.035, side > 0 ? 0 : -1.5, 6.05}, {0.035, side > 0 ? 1.5 : 0, 6.12});
  b.box(at, {-0.14, side * 1.5 - 0.35, 6.0}, {0.14, side * 1.5 + 0.35, 6.14});
  b.material = glass;
  const Vec3 middle = at(0, side * 1.5, 5.995);
  b.quad(middle - at.x * 0.11 + at.y * 0.3, middle + at.x * 0.11 + at.y * 0.3,
         middle + at.x * 0.11 - at.y * 0.3, middle - at.x * 0.11 - at.y * 0.3);
}

// A plate on a pole that faces oncoming traffic of its side of the road.
void addSign(SurfaceBuilder& b, double s, double offset, int sides, double radius, uint16_t plate,
             uint16_t metal) {
  const AsThin thin(b);
  Placement at = beside(s, offset);
  if (offset < 0) at.x = -at.x, at.y = -at.y;
  b.material = metal;
  addPole(b, at, 0.032, 2.9);
  b.material = plate;
  const double turn = sides == 4 ? 0.25 : (sides == 3 ? 0.25 : 0.5 / sides);
  const auto rim = [&](int i, double x) {
    const double angle = 2 * std::numbers::pi * (i + (sides == 3 ? 0.75 : turn * 2)) / sides;
    return SurfaceBuilder::Corner{at(x, -std::cos(angle) * radius, 2.5 + std::sin(angle) * radius),
                                  1, 0};
  };
  for (int i = 0; i < sides; ++i) {
    b.material = plate;
    b.triangle({at(-0.05, 0, 2.5), 0, 0}, rim(i, -0.05), rim(i + 1, -0.05));
    b.material = metal;
    b.triangle({at(-0.04, 0, 2.5), 0, 0}, rim(i + 1, -0.04), rim(i, -0.04));
  }
}

void addBin(SurfaceBuilder& b, const Placement& at, uint16_t body, uint16_t lid) {
  const std::array<double, 2> rings[] = {{0.22, -0.1}, {0.26, 0.75}, {0.27, 0.8}};
  const std::array<double, 2> top[] = {{0.29, 0.8}, {0.28, 0.86}, {0.2, 0.95}, {0.001, 0.98}};
  b.material = body;
  b.lathe(at, rings, 12);
  b.material = lid;
  b.lathe(at, top, 12);
}

void addBench(SurfaceBuilder& b, const Placement& at, uint16_t wood, uint16_t metal) {
  b.material = wood;
  for (int i = 0; i < 3; ++i) b.box(at, {-0.9, 0.15 * i, 0.42}, {0.9, 0.15 * i + 0.12, 0.46});
  for (int i = 0; i < 2; ++i)
    b.box(at, {-0.9, -0.06, 0.58 + 0.17 * i}, {0.9, -0.02, 0.70 + 0.17 * i});
  b.material = metal;
  for (const double x : {-0.75, 0.75}) {
    b.box(at, {x - 0.03, 0, 0}, {x + 0.03, 0.42, 0.42});
    b.box(at, {x - 0.03, -0.06, 0}, {x + 0.03, 0, 0.88});
  }
}

void addBox(SurfaceBuilder& b, const Placement& at, uint16_t paint) {  // telephone cabinet
  b.material = paint;
  b.box(at, {-0.45, -0.2, -0.1}, {0.45, 0.2, 1.15});
  b.box(at, {-0.49, -0.24, 1.15}, {0.49, 0.24, 1.2});
}

}  // namespace

void addFurniture(TownModel& town, Rng rng) {
  const auto plain = [&](float r, float g, float b, float reflectivity) {
    return town.add({.texture = Texture::Plain,
                     .color = Vec3f(r, g, b),
                     .gloss = 0.02f,
                     .reflectivity = reflectivity});
  };
  const auto plate = [&](const Vec3f& inside, const Vec3f& rim) {
    return town.add({.texture = Texture::Plate,
                     .color = inside,
                     .second = rim,
                     .gloss = 0.02f,
                     .reflectivity = 0.95f});
  };
  const uint16_t metal = plain(0.13f, 0.14f, 0.14f, 0.5f), pole = plain(0.35f, 0.36f, 0.37f, 0.6f);
  const uint16_t glass = plain(0.8f, 0.8f, 0.75f, 0.4f), green = plain(0.03f, 0.10f, 0.05f, 0.3f);
  const uint16_t wood = plain(0.25f, 0.14f, 0.07f, 0.4f), grey = plain(0.30f, 0.31f, 0.30f, 0.4f);
  const uint16_t blue = plate({0.02f, 0.09f, 0.42f}, {0.7f, 0.7f, 0.7f});
  const uint16_t red = plate({0.75f, 0.74f, 0.72f}, {0.55f, 0.02f, 0.02f});
  const uint16_t yellow = plate({0.75f, 0.5f, 0.02f}, {0.75f, 0.75f, 0.72f});

  SurfaceBuilder b(town.fixed);
  const double total = road::length(), zebra = road::kZebraS;
  for (double s = 18; s < total; s += 24.5) {
    addLamp(b, s, 6.05, metal, glass);
    addLamp(b, s + 12, -6.05, metal, glass);
  }
  addSign(b, zebra - 3.4, 5.95, 4, 0.42, blue, pole);
  addSign(b, zebra + 3.4, -5.95, 4, 0.42, blue, pole);
  for (const double s : {4.0, 63.0, 120.0, 178.0, 240.0})
    addSign(b, s + rng.uniform(0, 6), 5.95, rng.uniform() < 0.5 ? 3 : 16, 0.36, red, pole);
  for (const double s : {40.0, 100.0, 205.0})
    addSign(b, s + rng.uniform(0, 6), -5.95, rng.uniform() < 0.5 ? 4 : 16, 0.34,
            rng.uniform() < 0.5 ? yellow : red, pole);
  for (double s = 12; s < total; s += rng.uniform(24, 38)) {
    addBin(b, beside(s, rng.uniform() < 0.5 ? 6.3 : -6.3), green, metal);
    const double where = s + rng.uniform(5, 12);
    if (rng.uniform() < 0.6) addBox(b, beside(where, -7.9), rng.uniform() < 0.5 ? grey : green);
  }
  for (const double s : {14.0, 36.0, 52.0}) addBench(b, beside(s, 8.2), wood, metal);
  for (const double side : {-1.0, 1.0})  // bollards keep cars off the crossing
    for (const double s : {-4.2, -2.6, 2.6, 4.2}) {
      const AsThin thin(b);
      b.material = metal;
      addPole(b, beside(zebra + s, side * 5.9), 0.05, 0.95);
    }
}

}  // namespace gs

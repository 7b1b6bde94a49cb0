// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numbers>

#include "gs/synthetic/town/road_loop.hpp"
#include "gs/synthetic/town/surface_builder.hpp"
#include "gs/synthetic/town/town_model.hpp"

namespace gs {
namespace {

struct Station {
  double x, half_width, low, high;
};

// Lower bodies by kind: saloon, hatchback, van. Front is +x.
const std::vector<Station>& bodyStations(int body) {
  static const std::vector<Station> kinds[3] = {{{-2.22, 0.02, 0.55, 0.60},
                                                 {-2.20, 0.66, 0.36, 0.86},
                                                 {-2.05, 0.80, 0.26, 0.97},
                                                 {-1.5, 0.87, 0.21, 1.0},
                                                 {-0.6, 0.89, 0.2, 0.97},
                                                 {0.6, 0.89, 0.2, 0.96},
                                                 {1.1, 0.88, 0.2, 0.94},
                                                 {1.7, 0.85, 0.22, 0.84},
                                                 {2.05, 0.76, 0.27, 0.74},
                                                 {2.2, 0.60, 0.36, 0.64},
                                                 {2.22, 0.02, 0.5, 0.52}},
                                                {{-1.92, 0.02, 0.55, 0.60},
                                                 {-1.9, 0.68, 0.36, 0.95},
                                                 {-1.75, 0.82, 0.26, 1.02},
                                                 {-1.2, 0.86, 0.21, 1.02},
                                                 {-0.5, 0.87, 0.2, 0.99},
                                                 {0.7, 0.87, 0.2, 0.98},
                                                 {1.2, 0.86, 0.2, 0.94},
                                                 {1.6, 0.83, 0.22, 0.84},
                                                 {1.85, 0.74, 0.27, 0.74},
                                                 {1.96, 0.58, 0.36, 0.64},
                                                 {1.98, 0.02, 0.5, 0.52}},
                                                {{-2.42, 0.02, 0.7, 0.75},
                                                 {-2.4, 0.80, 0.36, 1.15},
                                                 {-2.3, 0.92, 0.26, 1.2},
                                                 {-1.5, 0.95, 0.22, 1.2},
                                                 {-0.5, 0.95, 0.22, 1.2},
                                                 {0.8, 0.95, 0.22, 1.2},
                                                 {1.4, 0.94, 0.22, 1.14},
                                                 {2.0, 0.90, 0.24, 1.0},
                                                 {2.25, 0.82, 0.3, 0.86},
                                                 {2.38, 0.62, 0.4, 0.7},
                                                 {2.4, 0.02, 0.5, 0.52}}};
  return kinds[body % 3];
}

struct Cabin {
  double rear, front, half_width, belt;                 // at the belt line
  double roof_rear, roof_front, roof_half_width, roof;  // at the roof's edge
};
const Cabin kCabins[3] = {{-1.85, 1.12, 0.80, 0.95, -1.15, 0.22, 0.60, 1.40},
                          {-1.82, 1.15, 0.80, 0.97, -1.45, 0.25, 0.62, 1.46},
                          {-2.36, 1.75, 0.90, 1.17, -2.28, 0.95, 0.80, 2.0}};

void buildLowerBody(SurfaceBuilder& b, const Placement& at, int body) {
  constexpr int kAround = 16;
  std::vector<Vec3> points;
  const std::vector<Station>& stations = bodyStations(body);
  for (const Station& s : stations)
    for (int i = 0; i < kAround; ++i) {
      const double angle = 2 * std::numbers::pi * (i + 0.5) / kAround;
      const auto rounded = [](double c) { return std::copysign(std::pow(std::abs(c), 0.45), c); };
      const double y = s.half_width * rounded(std::cos(angle));
      const double z = 0.5 * (s.low + s.high) + 0.5 * (s.high - s.low) * rounded(std::sin(angle));
      // Flanks lean in above the shoulder, as pressed steel does.
      const double lean = 1 - 0.07 * std::max(0.0, (z - 0.6) / 0.4);
      points.push_back(at(s.x, y * lean, z));
    }
  b.grid(points, static_cast<int>(stations.size()), kAround, true);
}

void buildCabin(SurfaceBuilder& b, const Placement& at, const CarMaterials& m, int body) {
  const Cabin& c = kCabins[body % 3];
  const auto belt = [&](double x, double side) { return at(x, side * c.half_width, c.belt); };
  const auto edge = [&](double x, double side) { return at(x, side * c.roof_half_width, c.roof); };
  const auto pane = [&](const Vec3& p, const Vec3& q, const Vec3& r, const Vec3& s) {
    b.quad({p, 0, 0}, {q, 1, 0}, {r, 1, 1}, {s, 0, 1});
  };
  b.material = m.glass;
  pane(belt(c.front, -1), belt(c.front, 1), edge(c.roof_front, 1), edge(c.roof_front, -1));
  b.material = body == 2 ? m.paint : m.glass;
  pane(belt(c.rear, 1), belt(c.rear, -1), edge(c.roof_rear, -1), edge(c.roof_rear, 1));
  const double split_belt = body == 2 ? 0.55 : 0.5 * (c.rear + c.front) - 0.05;
  const double split_roof = body == 2 ? 0.5 : 0.5 * (c.roof_rear + c.roof_front) - 0.05;
  pane(belt(c.rear, -1), belt(split_belt, -1), edge(split_roof, -1), edge(c.roof_rear, -1));
  pane(belt(split_belt, 1), belt(c.rear, 1), edge(c.roof_rear, 1), edge(split_roof, 1));
  b.material = m.glass;
  pane(belt(split_belt, -1), belt(c.front, -1), edge(c.roof_front, -1), edge(split_roof, -1));
  pane(belt(c.front, 1), belt(split_belt, 1), edge(split_roof, 1), edge(c.roof_front, 1));

  b.material = m.paint;  // a roof that bulges a little
  constexpr int kRows = 5, kColumns = 5;
  std::vector<Vec3> points;
  for (int i = 0; i < kRows; ++i)
    for (int j = 0; j < kColumns; ++j) {
      const double x = c.roof_rear + (c.roof_front - c.roof_rear) * i / (kRows - 1);
      const double y = c.roof_half_width * (2.0 * j / (kColumns - 1) - 1);
      const double bulge = std::sin(std::numbers::pi * i / (kRows - 1)) *
                           std::sin(std::numbers::pi * j / (kColumns - 1));
      points.push_back(at(x, -y, c.roof + 0.07 * std::sqrt(std::max(0.0, bulge))));
    }
  std::reverse(points.begin(), points.end());
  b.grid(points, kRows, kColumns, false);
}

void buildWheel(SurfaceBuilder& b, const Placement& car, double x, double side, double half_width,
                const CarMaterials& m) {
  const double radius = 0.31;
  Placement at;  // z of the wheel points out of the car
  at.origin = car(x, side * (half_width - 0.2), radius);
  at.x = car.x;
  at.z = car.y * side;
  at.y = at.z.cross(at.x);
  const std::array<double, 2> tyre[] = {{radius * 0.8, -0.02},
                                        {radius, 0.02},
                                        {radius, 0.17},
                                        {radius * 0.9, 0.205},
                                        {radius * 0.66, 0.2}};
  const std::array<double, 2> rim[] = {
      {radius * 0.66, 0.2}, {radius * 0.55, 0.17}, {radius * 0.2, 0.19}, {0.001, 0.2}};
  b.material = m.tyre;
  b.lathe(at, tyre, 14);
  b.material = m.rim;
  b.lathe(at, rim, 14);
}

void buildLamps(SurfaceBuilder& b, const Placement& at, const CarMaterials& m, int body) {
  const double front = bodyStations(body).back().x, rear = bodyStations(body).front().x;
  for (const double side : {-1.0, 1.0}) {
    const double y = side * 0.56;
    b.material = m.lamp;
    b.box(at, {front - 0.24, y - 0.14, 0.57}, {front - 0.015, y + 0.14, 0.69});
    b.material = m.tail_lamp;
    b.box(at, {rear + 0.05, y - 0.13, 0.7}, {rear + 0.2, y + 0.13, 0.82});
    b.material = m.trim;
    b.box(at, {0.62, side * 0.97 - 0.09, 0.95}, {0.76, side * 0.97 + 0.09, 1.09});  // mirrors
  }
  b.box(at, {front - 0.2, -0.42, 0.42}, {front + 0.01, 0.42, 0.53});  // grille
  b.material = m.lamp;                                                // number plates
  b.box(at, {front - 0.1, -0.26, 0.33}, {front + 0.015, 0.26, 0.42});
  b.box(at, {rear - 0.015, -0.26, 0.5}, {rear + 0.1, 0.26, 0.61});
}

}  // namespace

CarMaterials addCarMaterials(TownModel& town, const Vec3f& paint) {
  const auto plain = [&](const Vec3f& color, float gloss, float reflectivity) {
    return town.add({.texture = Texture::Plain,
                     .color = color,
                     .second = color,
                     .gloss = gloss,
                     .reflectivity = reflectivity});
  };
  return {.paint = town.add({.texture = Texture::CarPaint,
                             .color = paint,
                             .second = paint,
                             .gloss = 0.05f,
                             .reflectivity = 0.25f + 0.4f * paint.mean()}),
          .glass = town.add({.texture = Texture::CarGlass,
                             .color = Vec3f(0.02f, 0.024f, 0.027f),
                             .second = paint,
                             .gloss = 0.09f,
                             .reflectivity = 0.1f}),
          .tyre = plain({0.025f, 0.025f, 0.026f}, 0, 0.08f),
          .rim = plain({0.42f, 0.43f, 0.44f}, 0.1f, 0.6f),
          .lamp = plain({0.72f, 0.72f, 0.70f}, 0.08f, 0.8f),
          .tail_lamp = plain({0.45f, 0.02f, 0.02f}, 0.05f, 0.8f),
          .trim = plain({0.03f, 0.03f, 0.032f}, 0.02f, 0.2f)};
}

void buildCar(Surface& surface, const Placement& at, const CarMaterials& materials, int body) {
  SurfaceBuilder b(surface);
  b.material = materials.paint;
  buildLowerBody(b, at, body);
  buildCabin(b, at, materials, body);
  const double front = bodyStations(body).back().x, half_width = body == 2 ? 0.97 : 0.9;
  for (const double side : {-1.0, 1.0}) {
    buildWheel(b, at, front - 0.85, side, half_width, materials);
    buildWheel(b, at, -front + 0.8, side, half_width, materials);
  }
  buildLamps(b, at, materials, body);
}

void addParkedCars(TownModel& town, Rng rng) {
  const Vec3f paints[] = {{0.50f, 0.51f, 0.52f}, {0.04f, 0.04f, 0.045f}, {0.42f, 0.03f, 0.03f},
                          {0.03f, 0.08f, 0.28f}, {0.62f, 0.62f, 0.60f},  {0.10f, 0.12f, 0.13f},
                          {0.05f, 0.16f, 0.12f}, {0.45f, 0.36f, 0.20f}};
  std::vector<CarMaterials> materials;
  for (const Vec3f& paint : paints) materials.push_back(addCarMaterials(town, paint));
  for (const double side : {1.0, -1.0})
    for (double s = 6; s < road::length() - 4; s += rng.uniform(5.4, 7.2)) {
      const double u = rng.uniform();
      const auto kind = rng.below(materials.size());
      const int body = u < 0.45 ? 0 : (u < 0.85 ? 1 : 2);
      const bool is_free = rng.uniform() < (side > 0 && s < 70 ? 0.65 : 0.4);
      const double turn = rng.uniform(-0.02, 0.02), offset = side * rng.uniform(4.40, 4.52);
      const Vec2 along = road::directionAt(s);
      // Nobody parks in a bend, before a crossing or at its stop line.
      const bool is_bend = (road::directionAt(s - 3) - road::directionAt(s + 3)).norm() > 1e-6;
      if (is_free || is_bend || std::abs(s - road::kZebraS) < 9) continue;
      const Vec2 heading = Vec2(along.x() - turn * along.y(), along.y() + turn * along.x()) * side;
      Placement at = placeAt(road::onGround(s, offset), heading.normalized());
      const Vec3 ahead = road::onGround(s + 1.4 * side, offset);
      at.x = (ahead - at.origin).normalized();
      at.y = at.z.cross(at.x).normalized();
      at.z = at.x.cross(at.y);
      const size_t first = town.fixed.triangles.size();
      buildCar(town.fixed, at, materials[kind], body);
      for (size_t i = first; i < town.fixed.triangles.size(); ++i)
        town.fixed.triangles[i].thing = Thing::Parked;
      town.parked.push_back({s, side});
    }
}

bool TownModel::isParkedAt(double s, double side, double within) const {
  return std::any_of(parked.begin(), parked.end(), [&](const std::array<double, 2>& car) {
    return car[1] == side && std::abs(car[0] - s) < within;
  });
}

void darkenPaint(TownModel& town) {
  for (Material& material : town.materials)
    if (material.texture == Texture::CarPaint && material.color.mean() < 0.06f)
      material.reflectivity = 0.04f;
}

}  // namespace gs

// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numbers>

#include "gs/synthetic/town/road_loop.hpp"
#include "gs/synthetic/town/surface_builder.hpp"
#include "gs/synthetic/town/town_model.hpp"

namespace gs {
namespace {

struct Style {
  uint16_t wall, base, trim, pane, shop, door, roof, fascia;
  double floor_height, window_width, window_height;
  bool has_shop, has_pitched_roof;
};

struct House {
  Vec3 origin;  // left front corner on the ground, seen from the street
  Vec2 along;   // to the right, seen from the street
  double width, depth;
  bool has_left_windows = false, has_right_windows = false;
};

const Vec3f kWalls[] = {{0.46f, 0.20f, 0.13f}, {0.62f, 0.52f, 0.38f}, {0.58f, 0.56f, 0.52f},
                        {0.52f, 0.33f, 0.20f}, {0.63f, 0.58f, 0.46f}, {0.38f, 0.42f, 0.46f},
                        {0.60f, 0.42f, 0.32f}, {0.34f, 0.17f, 0.12f}, {0.47f, 0.50f, 0.40f}};
const Vec3f kSigns[] = {{0.05f, 0.20f, 0.10f},
                        {0.35f, 0.04f, 0.04f},
                        {0.04f, 0.08f, 0.28f},
                        {0.45f, 0.30f, 0.05f},
                        {0.05f, 0.05f, 0.06f}};

Style makeStyle(TownModel& town, Rng& rng) {
  const Vec3f wall =
      kWalls[rng.below(std::size(kWalls))] * static_cast<float>(rng.uniform(0.85, 1.1));
  const bool is_brick = wall.x() > 1.5f * wall.z() && rng.uniform() < 0.85;
  const Vec3f light(0.66f, 0.63f, 0.57f);
  const Vec3f frame = rng.uniform() < 0.7 ? Vec3f(0.7f, 0.7f, 0.68f) : Vec3f(0.10f, 0.12f, 0.11f);
  Style style{};
  style.wall = town.add({.texture = is_brick ? Texture::Brick : Texture::Plaster,
                         .color = wall,
                         .second = Vec3f(0.45f, 0.43f, 0.40f),
                         .reflectivity = 0.35f});
  style.base = town.add({.texture = Texture::Plaster,
                         .color = rng.uniform() < 0.5 ? Vec3f(wall * 0.6f) : Vec3f(light * 0.6f),
                         .reflectivity = 0.35f});
  style.trim = town.add({.texture = Texture::Plaster, .color = light, .reflectivity = 0.5f});
  style.pane = town.add({.texture = Texture::Pane,
                         .color = Vec3f(0.035f, 0.042f, 0.05f),
                         .second = frame,
                         .gloss = 0.10f,
                         .reflectivity = 0.12f});
  const Vec3f sign = kSigns[rng.below(std::size(kSigns))];
  style.shop = town.add({.texture = Texture::Shop,
                         .color = Vec3f(0.05f, 0.05f, 0.048f),
                         .second = sign * 0.6f,
                         .gloss = 0.08f,
                         .reflectivity = 0.12f});
  style.door = town.add({.texture = Texture::Pane,
                         .color = Vec3f(sign * 0.8f),
                         .second = Vec3f(sign * 1.3f),
                         .gloss = 0.03f,
                         .reflectivity = 0.3f});
  style.fascia = town.add({.texture = Texture::Sign,
                           .color = sign,
                           .second = Vec3f(0.7f, 0.66f, 0.55f),
                           .reflectivity = 0.5f});
  style.roof = town.add(
      {.texture = Texture::Roof,
       .color = rng.uniform() < 0.6 ? Vec3f(0.30f, 0.12f, 0.07f) : Vec3f(0.12f, 0.125f, 0.14f),
       .reflectivity = 0.25f});
  style.floor_height = rng.uniform(2.9, 3.4);
  style.window_width = rng.uniform(1.0, 1.5);
  style.window_height = rng.uniform(1.45, 1.9);
  style.has_shop = rng.uniform() < 0.45;
  style.has_pitched_roof = rng.uniform() < 0.6;
  return style;
}

// A rectangle of wall with one opening: the wall around it, the reveals, and what fills it.
struct Opening {
  double left, right, bottom, top;  // of the hole, along and up the facade
  double recess;
  uint16_t filling;
  bool is_metric;  // uv of the filling in metres instead of 0..1
};

void addWallAround(SurfaceBuilder& b, const Placement& at, double x0, double x1, double z0,
                   double z1, const Opening& o, uint16_t wall) {
  const auto p = [&](double x, double z) { return SurfaceBuilder::Corner{at(x, 0, z), x, z}; };
  b.material = wall;
  b.quad(p(x0, z0), p(o.left, z0), p(o.left, z1), p(x0, z1));
  b.quad(p(o.right, z0), p(x1, z0), p(x1, z1), p(o.right, z1));
  if (o.bottom > z0 + 1e-6)
    b.quad(p(o.left, z0), p(o.right, z0), p(o.right, o.bottom), p(o.left, o.bottom));
  if (o.top < z1 - 1e-6) b.quad(p(o.left, o.top), p(o.right, o.top), p(o.right, z1), p(o.left, z1));
}

void addOpening(SurfaceBuilder& b, const Placement& at, const Opening& o, uint16_t reveal) {
  const double r = o.recess;
  b.material = reveal;
  b.quad(at(o.left, 0, o.bottom), at(o.left, r, o.bottom), at(o.left, r, o.top),
         at(o.left, 0, o.top));
  b.quad(at(o.right, r, o.bottom), at(o.right, 0, o.bottom), at(o.right, 0, o.top),
         at(o.right, r, o.top));
  b.quad(at(o.left, r, o.top), at(o.right, r, o.top), at(o.right, 0, o.top), at(o.left, 0, o.top));
  b.quad(at(o.left, 0, o.bottom), at(o.right, 0, o.bottom), at(o.right, r, o.bottom),
         at(o.left, r, o.bottom));
  b.material = o.filling;
  b.variation = static_cast<uint16_t>(b.variation * 25173 + 13849);
  const double w = o.is_metric ? o.right - o.left : 1, h = o.is_metric ? o.top - o.bottom : 1;
  b.quad({at(o.left, r, o.bottom), 0, 0}, {at(o.right, r, o.bottom), w, 0},
         {at(o.right, r, o.top), w, h}, {at(o.left, r, o.top), 0, h});
}

void addWindowBay(SurfaceBuilder& b, const Placement& at, double x0, double x1, double z0,
                  double z1, const Style& style) {
  const double middle = 0.5 * (x0 + x1), half = std::min(style.window_width, x1 - x0 - 0.5) / 2;
  const double sill = z0 + 0.85;
  const Opening o{
      middle - half, middle + half, sill, std::min(sill + style.window_height, z1 - 0.3),
      0.16,          style.pane,    false};
  addWallAround(b, at, x0, x1, z0, z1, o, style.wall);
  addOpening(b, at, o, style.wall);
  b.material = style.trim;
  b.box(at, {o.left - 0.1, -0.12, sill - 0.09}, {o.right + 0.1, 0.02, sill});
  b.box(at, {o.left - 0.08, -0.035, o.top}, {o.right + 0.08, 0.02, o.top + 0.16});
}

// Ground floor: a shop with its sign, or a door, or a window.
void addStreetBay(SurfaceBuilder& b, const Placement& at, double x0, double x1, double z1, int kind,
                  const Style& style) {
  const double middle = 0.5 * (x0 + x1);
  if (kind == 0) return addWindowBay(b, at, x0, x1, 0.15, z1, style);
  const bool is_door = kind == 1;
  const double half = is_door ? 0.55 : (x1 - x0) / 2 - 0.2;
  const Opening o{middle - half,
                  middle + half,
                  is_door ? 0.15 : 0.5,
                  is_door ? 2.35 : z1 - 0.75,
                  is_door ? 0.3 : 0.1,
                  is_door ? style.door : style.shop,
                  !is_door};
  addWallAround(b, at, x0, x1, 0.15, z1, o, is_door ? style.wall : style.base);
  addOpening(b, at, o, is_door ? style.trim : style.base);
  if (!is_door) return;
  b.material = style.trim;
  b.box(at, {o.left - 0.25, -0.35, -0.3}, {o.right + 0.25, 0.02, 0.15});
  b.box(at, {o.left - 0.2, -0.4, o.top + 0.1}, {o.right + 0.2, 0.02, o.top + 0.22});
}

void addFacade(SurfaceBuilder& b, const Placement& at, double width, int floors, const Style& style,
               bool is_front, Rng& rng) {
  const int bays = std::max(1, static_cast<int>(std::round(width / rng.uniform(2.3, 3.0))));
  const double bay = width / bays, top = floors * style.floor_height;
  b.material = style.base;
  b.box(at, {0, -0.05, -1.2}, {width, 0.02, 0.15});  // the plinth takes up the slope
  const int door = static_cast<int>(rng.below(bays));
  for (int floor = 0; floor < floors; ++floor)
    for (int i = 0; i < bays; ++i) {
      const double x0 = i * bay, x1 = x0 + bay, z0 = floor * style.floor_height;
      b.variation = static_cast<uint16_t>(rng.next());
      if (floor > 0) addWindowBay(b, at, x0, x1, z0, z0 + style.floor_height, style);
      else
        addStreetBay(b, at, x0, x1, style.floor_height,
                     is_front ? (i == door ? 1 : (style.has_shop ? 2 : 0)) : 0, style);
    }
  b.material = style.trim;
  b.box(at, {-0.02, -0.07, style.floor_height - 0.1},
        {width + 0.02, 0.02, style.floor_height + 0.08});
  b.box(at, {-0.05, -0.35, top - 0.02}, {width + 0.05, 0.3, top + 0.16});  // cornice
  b.box(at, {-0.03, -0.2, top - 0.2}, {width + 0.03, 0.02, top - 0.02});
  if (is_front && style.has_shop) {
    b.material = style.fascia;
    b.box(at, {0.15, -0.1, style.floor_height - 0.68},
          {width - 0.15, 0.02, style.floor_height - 0.12});
  }
}

void addRoof(SurfaceBuilder& b, const Placement& at, const House& house, double top,
             const Style& style, Rng& rng) {
  const double w = house.width, d = house.depth, z = top + 0.16;
  b.material = style.roof;
  if (style.has_pitched_roof) {
    const double ridge = z + 0.42 * d, eave = -0.35;
    b.quad(at(0, eave, z), at(w, eave, z), at(w, d / 2, ridge), at(0, d / 2, ridge));
    b.quad(at(w, d - eave, z), at(0, d - eave, z), at(0, d / 2, ridge), at(w, d / 2, ridge));
    b.material = style.wall;
    b.triangle({at(0, d, z), 0, 0}, {at(0, 0, z), d, 0}, {at(0, d / 2, ridge), d / 2, ridge - z});
    b.triangle({at(w, 0, z), 0, 0}, {at(w, d, z), d, 0}, {at(w, d / 2, ridge), d / 2, ridge - z});
    const double x = rng.uniform(0.2, 0.8) * w;
    b.material = style.base;
    b.box(at, {x - 0.4, d / 2 - 0.3, ridge - 1}, {x + 0.4, d / 2 + 0.3, ridge + 0.9});
    return;
  }
  b.quad(at(0, 0, z), at(w, 0, z), at(w, d, z), at(0, d, z));
  b.material = style.wall;  // parapet
  b.box(at, {0, 0, z}, {w, 0.25, z + 0.7});
  b.box(at, {0, d - 0.25, z}, {w, d, z + 0.7});
}

void addHouse(TownModel& town, const House& house, Rng rng) {
  const Style style = makeStyle(town, rng);
  SurfaceBuilder b(town.fixed);
  const int floors = 2 + static_cast<int>(rng.below(4));
  const double top = floors * style.floor_height;
  const Placement front = placeAt(house.origin, house.along);
  addFacade(b, front, house.width, floors, style, true, rng);

  const Vec2 back_along = -house.along, in(-house.along.y(), house.along.x());
  const auto side = [&](const Vec3& origin, const Vec2& along, double width, bool has_windows) {
    if (has_windows) return addFacade(b, placeAt(origin, along), width, floors, style, false, rng);
    const Placement at = placeAt(origin, along);
    b.material = style.wall;
    b.quad(at(0, 0, -1.2), at(width, 0, -1.2), at(width, 0, top + 0.16), at(0, 0, top + 0.16));
  };
  side(front(house.width, 0, 0), in, house.depth, house.has_right_windows);
  side(front(house.width, house.depth, 0), back_along, house.width, false);
  side(front(0, house.depth, 0), -in, house.depth, house.has_left_windows);
  addRoof(b, front, house, top, style, rng);
}

struct Row {
  Vec2 begin, end;  // left to right, seen from the street
  double depth;
  bool has_left_end = false, has_right_end = false;
};

void addRow(TownModel& town, const Row& row, Rng rng) {
  const double total = (row.end - row.begin).norm();
  const Vec2 along = (row.end - row.begin) / total;
  const int count = std::max(1, static_cast<int>(std::round(total / 11.0)));
  std::vector<double> cuts{0};
  for (int i = 1; i < count; ++i) cuts.push_back(total * (i + rng.uniform(-0.22, 0.22)) / count);
  cuts.push_back(total);
  for (int i = 0; i < count; ++i) {
    const Vec2 p = row.begin + along * cuts[i], q = row.begin + along * cuts[i + 1];
    const double ground = std::max(road::groundAt(p.x(), p.y()), road::groundAt(q.x(), q.y()));
    addHouse(town,
             {Vec3(p.x(), p.y(), ground), along, cuts[i + 1] - cuts[i], row.depth,
              row.has_left_end && i == 0, row.has_right_end && i == count - 1},
             rng.fork(i));
  }
}

}  // namespace

void addBuildings(TownModel& town, Rng rng) {
  using namespace road;
  // The block in the middle; its square corners stand back behind the rounded pavement.
  const double x = kHalfX - kWalkEdge - 1.8, y = kHalfY - kWalkEdge - 1.8, depth = 7.5;
  addRow(town, {{-x, -y}, {x, -y}, depth, true, true}, rng.fork(1));
  addRow(town, {{x, y}, {-x, y}, depth, true, true}, rng.fork(2));
  addRow(town, {{x, -y + depth}, {x, y - depth}, depth}, rng.fork(3));
  addRow(town, {{-x, y - depth}, {-x, -y + depth}, depth}, rng.fork(4));
  // Across the street: north, east and west; the south side is the park.
  const double out_x = kHalfX + kWalkEdge + 0.2, out_y = kHalfY + kWalkEdge + 0.2;
  addRow(town, {{-kStraightX, out_y}, {kStraightX, out_y}, 10}, rng.fork(5));
  addRow(town, {{out_x, kStraightY}, {out_x, -kStraightY}, 10, false, true}, rng.fork(6));
  addRow(town, {{-out_x, -kStraightY}, {-out_x, kStraightY}, 10, true, false}, rng.fork(7));
  // Corners: three houses along each northern arc.
  const double radius = kCornerRadius + kWalkEdge + 0.2, half = std::numbers::pi / 12;
  for (const double sign : {1.0, -1.0})
    for (int i = 0; i < 3; ++i) {
      const double angle = sign > 0 ? (2 * i + 1) * half : std::numbers::pi - (2 * i + 1) * half;
      const Vec2 out(std::cos(angle), std::sin(angle)), right(out.y(), -out.x());
      const Vec2 middle = Vec2(sign * kStraightX, kStraightY) + out * radius;
      const double w = radius * std::tan(half);
      addRow(town, {middle - right * w, middle + right * w, 9},
             rng.fork(sign > 0 ? 10 + i : 20 + i));
    }
}

void addFarTown(TownModel& town, Rng rng) {
  SurfaceBuilder b(town.fixed);
  for (int i = 0; i < 46; ++i) {
    const double angle = 2 * std::numbers::pi * (i + rng.uniform(-0.3, 0.3)) / 46;
    const double distance = rng.uniform(125, 230);
    const Vec2 p(std::cos(angle) * distance, std::sin(angle) * distance);
    const Vec3f wall = kWalls[rng.below(std::size(kWalls))];
    b.material = town.add({.texture = Texture::FarFacade, .color = wall, .reflectivity = 0.35f});
    const Placement at = placeAt(Vec3(p.x(), p.y(), road::slopeAt(p.x(), p.y())),
                                 Vec2(-std::sin(angle), std::cos(angle)));
    const double w = rng.uniform(7, 16), h = rng.uniform(7, rng.uniform() < 0.2 ? 34 : 17);
    b.box(at, {-w, -6, -6}, {w, 6, h});
  }
}

}  // namespace gs

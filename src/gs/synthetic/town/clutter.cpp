// SPDX-License-Identifier: Apache-2.0
// Thin things along the street: what rays miss more often than they hit.
#include <cmath>
#include <numbers>

#include "gs/synthetic/town/road_loop.hpp"
#include "gs/synthetic/town/surface_builder.hpp"
#include "gs/synthetic/town/town_model.hpp"

namespace gs {
namespace {

struct ClutterMaterials {
  uint16_t steel, dark, orange, white, plate, rubber;
};

class Clutter {
 public:
  Clutter(TownModel& town, Rng rng) : town_(town), b_(town.fixed), rng_(rng) {
    b_.thing = Thing::Thin;
    const auto plain = [&](const Vec3f& color, float reflectivity) {
      return town.add({.texture = Texture::Plain,
                       .color = color,
                       .gloss = 0.02f,
                       .reflectivity = reflectivity});
    };
    m_ = {.steel = plain({0.38f, 0.39f, 0.40f}, 0.5f),
          .dark = plain({0.06f, 0.06f, 0.07f}, 0.25f),
          .orange = plain({0.80f, 0.16f, 0.02f}, 0.5f),
          .white = plain({0.75f, 0.75f, 0.73f}, 0.7f),
          .plate = town.add({.texture = Texture::Plate,
                             .color = Vec3f(0.72f, 0.70f, 0.10f),
                             .second = Vec3f(0.05f, 0.05f, 0.05f),
                             .gloss = 0.02f,
                             .reflectivity = 0.9f}),
          .rubber = plain({0.03f, 0.03f, 0.03f}, 0.1f)};
  }

  void addAll() {
    for (const double side : {1.0, -1.0})
      for (double s = 3; s < road::length() - 6; s += rng_.uniform(6, 11)) addGroup(s, side);
    for (const double s : {8.0, 70.0, 135.0, 190.0})
      addFence(s + rng_.uniform(0, 12), rng_.uniform() < 0.5 ? 1 : -1, rng_.uniform(16, 26));
  }

 private:
  void addGroup(double s, double side) {
    switch (rng_.below(5)) {
      case 0:
        for (int i = 0; i < 5; ++i) addBollard(s + 1.4 * i, side * 5.86);
        break;
      case 1: addPost(s, side * rng_.uniform(5.85, 6.2), rng_.uniform(0.02, 0.045)); break;
      case 2: addCones(s, side); break;
      case 3: addRack(s, side * 6.55); break;
      default: addThinSign(s, side * rng_.uniform(5.9, 6.4)); break;
    }
  }

  Placement at(double s, double offset) const {
    return placeAt(road::onGround(s, offset), road::directionAt(s));
  }

  // A straight tube between two points of a placement.
  void tube(const Placement& at, const Vec3& from, const Vec3& to, double radius) {
    Placement along;
    along.origin = at(from.x(), from.y(), from.z());
    along.z = at(to.x(), to.y(), to.z()) - along.origin;
    along.x = along.z.unitOrthogonal();
    along.y = along.z.normalized().cross(along.x);
    const std::array<double, 2> rings[] = {{radius, 0}, {radius, 1}};
    b_.lathe(along, rings, 6);
  }

  void addBollard(double s, double offset) {
    const double radius = rng_.uniform(0.045, 0.06), height = rng_.uniform(0.85, 1.0);
    const std::array<double, 2> body[] = {
        {radius, -0.1}, {radius, height}, {0.7 * radius, height + 0.04}, {0.001, height + 0.05}};
    const std::array<double, 2> band[] = {{radius + 0.004, height - 0.2},
                                          {radius + 0.004, height - 0.1}};
    b_.material = m_.dark;
    b_.lathe(at(s, offset), body, 10);
    b_.material = m_.white;
    b_.lathe(at(s, offset), band, 10);
  }

  void addPost(double s, double offset, double radius) {
    b_.material = m_.steel;
    tube(at(s, offset), {0, 0, -0.1}, {0, 0, rng_.uniform(1.1, 2.4)}, radius);
  }

  void addThinSign(double s, double offset) {
    Placement place = at(s, offset);
    if (offset < 0) place.x = -place.x, place.y = -place.y;
    b_.material = m_.steel;
    tube(place, {0, 0, -0.1}, {0, 0, 2.7}, 0.03);
    const double half = rng_.uniform(0.15, 0.3), top = 2.65, bottom = top - rng_.uniform(0.3, 0.8);
    const auto corner = [&](double y, double z) {
      return SurfaceBuilder::Corner{place(-0.04, y, z), std::abs(y) / half, 0};
    };
    b_.material = m_.plate;
    b_.quad(corner(half, bottom), corner(-half, bottom), corner(-half, top), corner(half, top));
    b_.quad(corner(-half, bottom), corner(half, bottom), corner(half, top), corner(-half, top));
  }

  // Where no car is parked: a line of cones along the edge of the lane.
  void addCones(double s, double side) {
    for (int i = 0; i < 4; ++i) {
      const double here = s + 1.5 * i;
      if (town_.isParkedAt(here, side, 3.2)) continue;
      const Placement place = at(here, side * (4.0 + 0.25 * i));
      b_.material = m_.dark;
      b_.box(place, {-0.18, -0.18, 0}, {0.18, 0.18, 0.03});
      const std::array<double, 2> low[] = {{0.14, 0.03}, {0.095, 0.28}};
      const std::array<double, 2> ring[] = {{0.095, 0.28}, {0.07, 0.45}};
      const std::array<double, 2> tip[] = {{0.07, 0.45}, {0.03, 0.7}, {0.001, 0.71}};
      b_.material = m_.orange;
      b_.lathe(place, low, 10);
      b_.lathe(place, tip, 10);
      b_.material = m_.white;
      b_.lathe(place, ring, 10);
    }
  }

  // Hoops across the pavement, bicycles at some of them.
  void addRack(double s, double offset) {
    for (int i = 0; i < 3; ++i) {
      const Placement place = at(s + 0.9 * i, offset);
      b_.material = m_.steel;
      tube(place, {0, -0.35, -0.05}, {0, -0.35, 0.8}, 0.022);
      tube(place, {0, 0.35, -0.05}, {0, 0.35, 0.8}, 0.022);
      tube(place, {0, -0.36, 0.8}, {0, 0.36, 0.8}, 0.022);
      if (rng_.uniform() < 0.6) addBicycle(place);
    }
  }

  void addBicycle(const Placement& rack) {
    Placement bike = rack;  // x along the bicycle, which stands across the pavement
    bike.origin = rack(0.12, 0, 0);
    bike.x = rack.y, bike.y = -rack.x;
    const auto wheel = [&](double x) {
      constexpr int kSpokes = 14;
      const auto rim = [&](int i) {
        const double angle = 2 * std::numbers::pi * i / kSpokes;
        return Vec3(x + 0.33 * std::cos(angle), 0, 0.34 + 0.33 * std::sin(angle));
      };
      b_.material = m_.rubber;
      for (int i = 0; i < kSpokes; ++i) tube(bike, rim(i), rim(i + 1), 0.018);
      b_.material = m_.steel;
      for (int i = 0; i < kSpokes; i += 2) tube(bike, {x, 0, 0.34}, rim(i), 0.004);
    };
    wheel(-0.52);
    wheel(0.52);
    b_.material = rng_.uniform() < 0.5 ? m_.orange : m_.dark;
    const Vec3 rear(-0.52, 0, 0.34), front(0.52, 0, 0.34), crank(-0.08, 0, 0.3),
        seat(-0.22, 0, 0.85), head(0.38, 0, 0.85);
    for (const auto& [a, b] : {std::pair(rear, seat),
                               {rear, crank},
                               {crank, seat},
                               {seat, head},
                               {crank, head},
                               {head, front}})
      tube(bike, a, b, 0.018);
    tube(bike, {0.36, -0.28, 1.0}, {0.36, 0.28, 1.0}, 0.015);
    tube(bike, head, {0.36, 0, 1.0}, 0.016);
    b_.box(bike, {-0.34, -0.07, 0.88}, {-0.1, 0.07, 0.93});
  }

  // Posts, two rails and wires in both diagonals: most rays go through.
  void addFence(double s, double side, double length) {
    constexpr double kHeight = 1.8, kMesh = 0.06, kWire = 0.003, kPanel = 2.5;
    const double offset = side * 8.35;
    for (double along = 0; along + kPanel <= length; along += kPanel) {
      const Vec3 from = road::onGround(s + along, offset);
      const Vec3 to = road::onGround(s + along + kPanel, offset);
      Placement panel{.origin = from, .x = (to - from).normalized()};
      panel.y = Vec3::UnitZ().cross(panel.x).normalized();
      const double width = (to - from).norm();
      b_.material = m_.steel;
      tube(panel, {0, 0, -0.1}, {0, 0, kHeight + 0.05}, 0.025);
      tube(panel, {0, 0, kHeight}, {width, 0, kHeight}, 0.018);
      const auto wire = [&](double foot, double lean) {
        // Cut where the diagonal leaves the panel.
        const double low = std::max(0.0, lean > 0 ? -foot : foot - width);
        const double high = std::min(kHeight, lean > 0 ? width - foot : foot);
        if (high - low < kMesh) return;
        const Vec3 a = panel(foot + lean * low, 0, low), b = panel(foot + lean * high, 0, high);
        const Vec3 across = panel.y.cross(b - a).normalized() * kWire;
        b_.quad(a - across, a + across, b + across, b - across);
        b_.quad(a + across, a - across, b - across, b + across);
      };
      for (double foot = -kHeight; foot < width; foot += kMesh) wire(foot, 1);
      for (double foot = 0; foot < width + kHeight; foot += kMesh) wire(foot, -1);
    }
  }

  TownModel& town_;
  SurfaceBuilder b_;
  Rng rng_;
  ClutterMaterials m_{};
};

}  // namespace

void addThinThings(TownModel& town, Rng rng) { Clutter(town, rng).addAll(); }

}  // namespace gs

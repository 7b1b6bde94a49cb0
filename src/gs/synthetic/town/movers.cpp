// SPDX-License-Identifier: Apache-2.0
#include "gs/synthetic/town/movers.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "gs/synthetic/town/road_loop.hpp"
#include "gs/synthetic/town/surface_builder.hpp"

namespace gs {

void buildPerson(Surface& surface, TownModel& town, const Vec3f& coat, const Vec3f& trousers) {
  const auto plain = [&](const Vec3f& color) {
    return town.add({.texture = Texture::Plain,
                     .color = color,
                     .second = color,
                     .reflectivity = 0.2f + 0.4f * color.mean()});
  };
  SurfaceBuilder b(surface);
  const Placement at;
  const std::array<double, 2> torso[] = {{0.02, 0.80}, {0.15, 0.84}, {0.17, 1.0},  {0.16, 1.15},
                                         {0.20, 1.35}, {0.17, 1.46}, {0.06, 1.52}, {0.05, 1.56}};
  const std::array<double, 2> head[] = {{0.01, 1.52},  {0.075, 1.55}, {0.1, 1.64},
                                        {0.095, 1.70}, {0.06, 1.76},  {0.001, 1.78}};
  Placement wide = at;
  wide.y *= 1.25;
  b.material = plain(coat);
  b.lathe(wide, torso, 10);
  for (const double side : {-1.0, 1.0}) {  // arms and legs swing against each other
    const Vec3 shoulder(0, side * 0.24, 1.42), hand(-side * 0.16, side * 0.28, 0.85);
    Placement limb;
    limb.origin = hand;
    limb.z = shoulder - hand;
    const std::array<double, 2> arm[] = {{0.04, 0}, {0.05, 0.5}, {0.06, 1}};
    b.lathe(limb, arm, 7);
  }
  b.material = plain(Vec3f(0.48f, 0.31f, 0.23f));
  b.lathe(at, head, 10);
  b.material = plain(trousers);
  for (const double side : {-1.0, 1.0}) {
    Placement limb;
    limb.origin = Vec3(side * 0.22, side * 0.1, 0.0);
    limb.z = Vec3(0, side * 0.09, 0.9) - limb.origin;
    const std::array<double, 2> leg[] = {{0.06, 0}, {0.07, 0.45}, {0.095, 1}};
    b.lathe(limb, leg, 8);
    b.box(limb, {-0.07, -0.05, 0}, {0.17, 0.05, 0.08});
  }
}

namespace {

Vec2 alongLane(const Mover& mover, double s) {
  const double at = s / mover.lane_step;
  const double whole = std::floor(at), part = at - whole;
  const auto count = static_cast<int64_t>(mover.lane.size());
  const auto index = (static_cast<int64_t>(whole) % count + count) % count;
  const auto &a = mover.lane[index], &b = mover.lane[(index + 1) % count];
  return {a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part};
}

// Over the zebra, a pause, and back: -8 m to 8 m and to -8 m again.
Rigid3 crossingPose(const Mover& mover, double t) {
  const double half = 6.6, way = 2 * half / mover.speed, pause = 11, period = 2 * (way + pause);
  double phase = std::fmod(t - mover.start, period);
  if (phase < 0) phase += period;
  const bool is_back = phase >= way + pause;
  const double done = std::min(1.0, (is_back ? phase - way - pause : phase) / way);
  const double offset = (is_back ? -1 : 1) * half * (2 * done - 1);
  const Vec2 p = road::pointAt(road::kZebraS + 0.4, offset);
  const Vec2 out = road::outwardAt(road::kZebraS) * (is_back ? -1 : 1);
  return {fromRollPitchYaw(0, 0, std::atan2(out.y(), out.x())),
          Vec3(p.x(), p.y(), road::groundAt(p.x(), p.y()))};
}

std::vector<std::array<double, 2>> reversed(std::vector<std::array<double, 2>> lane) {
  std::reverse(lane.begin(), lane.end());
  return lane;
}

}  // namespace

Rigid3 standingAt(const Vec2& p, const Vec2& behind, const Vec2& ahead) {
  const double rise = road::groundAt(ahead.x(), ahead.y()) - road::groundAt(behind.x(), behind.y());
  const Vec2 way = ahead - behind;
  return {fromRollPitchYaw(0, -std::atan2(rise, way.norm()), std::atan2(way.y(), way.x())),
          Vec3(p.x(), p.y(), road::groundAt(p.x(), p.y()))};
}

Rigid3 Mover::mapFromMover(double t) const {
  if (track) return track(t);
  if (is_crossing) return crossingPose(*this, t);
  const double s = start + speed * t;
  return standingAt(alongLane(*this, s), alongLane(*this, s - 0.9), alongLane(*this, s + 0.9));
}

void addMovers(TownModel& town, Rng rng) {
  const auto add = [&](int shape, double radius, double speed, double start, double offset) {
    Mover mover{.shape = shape, .radius = radius, .speed = speed, .start = start};
    mover.lane = road::smoothLane(offset, 0.5);
    if (rng.uniform() < 0.5 || offset < 0) mover.lane = reversed(std::move(mover.lane));
    mover.lane_step = 0.5;
    mover.lane_length = 0.5 * static_cast<double>(mover.lane.size());
    town.movers.push_back(std::move(mover));
  };
  const Vec3f paints[] = {{0.50f, 0.05f, 0.03f}, {0.60f, 0.60f, 0.61f}, {0.03f, 0.10f, 0.35f}};
  const double speed = 6.5;  // all alike, so that nobody runs into the next
  for (int i = 0; i < 3; ++i) {
    town.shapes.emplace_back();
    buildCar(town.shapes.back(), Placement{}, addCarMaterials(town, paints[i]), i);
    add(i, 2.8, speed, 20 + 85 * i + rng.uniform(0, 15), -0.5 * road::kLaneWidth);
  }
  const Vec3f coats[] = {{0.35f, 0.06f, 0.05f}, {0.06f, 0.10f, 0.20f}, {0.40f, 0.36f, 0.28f},
                         {0.05f, 0.05f, 0.05f}, {0.10f, 0.22f, 0.16f}, {0.45f, 0.30f, 0.05f}};
  for (int i = 0; i < 6; ++i) {
    town.shapes.emplace_back();
    Surface shape;
    buildPerson(shape, town, coats[i],
                i % 2 ? Vec3f(0.05f, 0.06f, 0.1f) : Vec3f(0.12f, 0.1f, 0.09f));
    town.shapes.back() = std::move(shape);
    const int index = static_cast<int>(town.shapes.size()) - 1;
    if (i == 0)
      town.movers.push_back(
          {.shape = index, .radius = 1.9, .speed = 1.35, .start = 7, .is_crossing = true});
    else add(index, 1.9, rng.uniform(1.1, 1.5), rng.uniform(0, 260), i % 2 ? 7.4 : -7.4);
  }
}

}  // namespace gs

// SPDX-License-Identifier: Apache-2.0
// Traffic that depends on where the ego is: who follows it, meets it and waits for it.
#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>

#include "gs/synthetic/drive_motion.hpp"
#include "gs/synthetic/town/movers.hpp"
#include "gs/synthetic/town/road_loop.hpp"
#include "gs/synthetic/town/surface_builder.hpp"
#include "gs/synthetic/town/town_model.hpp"

namespace gs {
namespace {

constexpr double kOncomingLeft = road::kLaneWidth;  // of the ego's path

// Metres driven since t = 0 at a speed that falls to nothing at `stop` and comes back from `go` on.
double stopAndGo(double t, double speed, double stop, double go) {
  constexpr double kRamp = 2;         // s to stop or to get going
  const auto eased = [&](double x) {  // integral of a speed that grows from 0 to 1 over the ramp
    const double inside = std::clamp(x, 0.0, kRamp);
    return inside * inside / (2 * kRamp) + std::max(0.0, x - kRamp);
  };
  const double before = std::min(t, stop - kRamp);
  const double braking = std::clamp(t - (stop - kRamp), 0.0, kRamp);
  return speed * (before + braking - braking * braking / (2 * kRamp) + eased(t - go));
}

void buildTruck(Surface& surface, const CarMaterials& m) {
  SurfaceBuilder b(surface);
  const Placement at;
  b.material = m.lamp;
  b.box(at, {-3.3, -1.15, 0.75}, {1.3, 1.15, 3.1});
  b.material = m.paint;
  b.box(at, {1.4, -1.1, 0.5}, {3.2, 1.1, 1.5});
  b.box(at, {1.4, -1.1, 1.5}, {2.9, 1.1, 2.45});
  b.material = m.glass;
  b.box(at, {2.9, -1.0, 1.5}, {2.95, 1.0, 2.3});
  b.material = m.tyre;
  for (const double x : {-2.6, -1.6, 2.3})
    for (const double side : {-1.0, 1.0}) {
      Placement wheel;
      wheel.origin = Vec3(x, side * 0.95, 0.48);
      wheel.x = Vec3::UnitX(), wheel.y = Vec3::UnitZ() * side, wheel.z = Vec3::UnitY() * -1;
      const std::array<double, 2> rings[] = {
          {0.001, -0.15}, {0.48, -0.15}, {0.48, 0.15}, {0.001, 0.15}};
      b.lathe(wheel, rings, 12);
    }
  b.material = m.trim;
  b.box(at, {-3.3, -0.5, 0.45}, {2.0, 0.5, 0.75});
}

class Traffic {
 public:
  Traffic(TownModel& town, std::shared_ptr<const DriveMotion> ego, Rng rng)
      : town_(town), ego_(std::move(ego)), rng_(rng) {}

  void addFollower() {
    // Between the bumpers; the ego ends a metre behind its rear axle, a car is 4.4 m long.
    const double phase = rng_.uniform(0, 6.28);
    const auto ego = ego_;
    addOnLane(addCar({0.55f, 0.55f, 0.56f}, 1), 2.8, 0, 1, [ego, phase](double t) {
      const double gap = 9 + 2.9 * std::sin(2 * std::numbers::pi * t / 13 + phase);
      return ego->distanceAt(t) - 1.0 - gap - 2.2;
    });
  }

  // Meets the ego after a third of the drive.
  void addTruck() {
    town_.shapes.emplace_back();
    Surface shape;
    buildTruck(shape, addCarMaterials(town_, {0.08f, 0.20f, 0.30f}));
    town_.shapes.back() = std::move(shape);
    const double start = rng_.uniform(66, 76);
    addOnLane(lastShape(), 4.7, kOncomingLeft, -1, [start](double t) { return start - 7 * t; });
  }

  // Stops ahead of the ego and goes on before it comes by, so that its place is seen without it.
  void addStoppingCar() {
    const double start = rng_.uniform(104, 112), speed = 7, stop = 5, go = rng_.uniform(11, 12);
    addOnLane(addCar({0.40f, 0.03f, 0.03f}, 0), 2.8, kOncomingLeft, -1,
              [=](double t) { return start - stopAndGo(t, speed, stop, go); });
    // Another one keeps going, well behind it.
    const double next = rng_.uniform(190, 200);
    addOnLane(addCar({0.03f, 0.05f, 0.06f}, 2), 2.8, kOncomingLeft, -1,
              [next](double t) { return next - 6 * t; });
  }

  void addStandingPeople() {
    const Vec3f coats[] = {{0.30f, 0.05f, 0.06f}, {0.05f, 0.09f, 0.22f}, {0.42f, 0.36f, 0.26f},
                           {0.04f, 0.04f, 0.05f}, {0.12f, 0.25f, 0.15f}, {0.5f, 0.5f, 0.48f}};
    constexpr double kRight = -5.6, kLeft = 9.2;  // on the pavements, left of the ego's path
    for (int i = 0; i < 5; ++i) {
      const double start = 14 + 21 * i + rng_.uniform(-4, 4);
      // As the ego comes by: who stands for as long as anybody looks is no pedestrian to find.
      const double go = std::clamp(whenEgoIsAt(start) + rng_.uniform(-2.5, 1.5), 1.5, 17.0);
      const double left = i % 2 ? kLeft : kRight, way = rng_.uniform() < 0.5 ? 1 : -1;
      const double speed = rng_.uniform(1.1, 1.5);
      addOnLane(addPerson(coats[i]), 1.9, left, way,
                [=](double t) { return start + way * speed * std::max(0.0, t - go); });
    }
    // Waits at the kerb, crosses well before the ego is there, and walks on along the other side.
    const double s = rng_.uniform(78, 86), go = rng_.uniform(1.5, 2.5);
    const auto ego = ego_;
    town_.movers.push_back(
        {.shape = addPerson(coats[5]), .radius = 1.9, .track = [ego, s, go](double t) {
           constexpr double kKerb = -4.4, kOtherSide = kLeft - 0.6;
           const double walked = 1.5 * std::max(0.0, t - go);
           const double across = std::min(walked, kOtherSide - kKerb);
           const auto at = [&](double further) {
             const bool is_across = walked >= kOtherSide - kKerb;
             return ego->pointAt(s + walked - across + (is_across ? further : 0),
                                 kKerb + across + (is_across ? 0 : further));
           };
           return standingAt(at(0), at(-0.2), at(0.2));
         }});
  }

 private:
  int lastShape() const { return static_cast<int>(town_.shapes.size()) - 1; }
  double whenEgoIsAt(double distance) const {
    double t = 0;
    while (ego_->distanceAt(t) < distance) t += 0.1;
    return t;
  }
  int addCar(const Vec3f& paint, int body) {
    Surface shape;
    buildCar(shape, Placement{}, addCarMaterials(town_, paint), body);
    town_.shapes.push_back(std::move(shape));
    return lastShape();
  }
  int addPerson(const Vec3f& coat) {
    Surface shape;
    buildPerson(shape, town_, coat, {0.06f, 0.06f, 0.09f});
    town_.shapes.push_back(std::move(shape));
    return lastShape();
  }
  // Goes along the ego's path, `left` of it, with (way 1) or against (way -1) its direction.
  void addOnLane(int shape, double radius, double left, double way,
                 std::function<double(double t)> distance) {
    const auto ego = ego_;
    town_.movers.push_back({.shape = shape, .radius = radius, .track = [=](double t) {
                              const double s = distance(t);
                              return standingAt(ego->pointAt(s, left),
                                                ego->pointAt(s - 0.9 * way, left),
                                                ego->pointAt(s + 0.9 * way, left));
                            }});
  }

  TownModel& town_;
  std::shared_ptr<const DriveMotion> ego_;
  Rng rng_;
};

}  // namespace

void addTraffic(TownModel& town, const TownTraits& traits, std::shared_ptr<const DriveMotion> ego,
                Rng rng) {
  const auto traffic = [&](uint64_t kind) { return Traffic(town, ego, rng.fork(kind)); };
  if (traits.has_follower) traffic(1).addFollower();
  if (traits.has_truck) traffic(2).addTruck();
  if (traits.has_stopping_car) traffic(3).addStoppingCar();
  if (traits.has_standing_people) traffic(4).addStandingPeople();
}

}  // namespace gs

// SPDX-License-Identifier: Apache-2.0
#include "gs/geometry/testing/street_scans.hpp"

#include <cmath>
#include <numbers>

#include "gs/core/parallel.hpp"
#include "gs/core/rng.hpp"

namespace gs {
namespace {

constexpr double kDegree = std::numbers::pi / 180;
constexpr double kSensorHeight = 1.8, kNearest = 1.6, kFarthest = 70;  // m

// Upright: boxes along the axes, and round things whose radius may shrink with the height.
struct Shape {
  Vec3 low, high;
  double radius = 0;  // of a round one, at its foot
  bool is_pointed = false;
  bool is_wire = false;  // chain-link: most rays pass
  StreetThing thing = StreetThing::Wall;
};

struct Mover {
  std::vector<Shape> shapes;  // around the origin
  double from_x = 0, y = 0, speed = 0;
  double stop = 1e9, go_on = 1e9;  // s; stands between
  double follow_gap = 0;           // m behind the ego, swinging; 0: drives on its own

  Vec3 at(double t, double ego_x) const {
    if (follow_gap > 0) return {ego_x - follow_gap - 2.5 * std::sin(0.5 * t), y, 0};
    const double driven = std::min(t, stop) + std::max(0.0, t - go_on);
    return {from_x + speed * driven, y, 0};
  }
};

Shape box(const Vec3& low, const Vec3& high, StreetThing thing) {
  return {low, high, 0, false, false, thing};
}
Shape roundThing(double x, double y, double radius, double height, StreetThing thing) {
  return {Vec3(x - radius, y - radius, 0),
          Vec3(x + radius, y + radius, height),
          radius,
          false,
          false,
          thing};
}

std::vector<Shape> carAt(double x, double y, double length, double height, StreetThing thing) {
  return {
      box({x - length / 2, y - 0.9, 0.25}, {x + length / 2, y + 0.9, 0.6 * height}, thing),
      box({x - 0.3 * length, y - 0.8, 0.6 * height}, {x + 0.25 * length, y + 0.8, height}, thing)};
}

struct Street {
  std::vector<Shape> still;
  std::vector<Mover> movers;
};

Street makeStreet(const StreetOptions& options) {
  Rng rng(options.seed);
  Street street;
  const auto add = [&](const Shape& shape) { street.still.push_back(shape); };
  for (double x = -40; x < 140; x += rng.uniform(14, 22)) {
    add(box({x, 9, 0}, {x + 12, 20, 7}, StreetThing::Wall));
    add(box({x, -20, 0}, {x + 12, rng.uniform(-10, -9), 7}, StreetThing::Wall));
  }
  for (double x = rng.uniform(-20, -12); x < 110; x += rng.uniform(6, 14))
    for (const Shape& shape : carAt(x, -4, rng.uniform(3.8, 4.8), 1.5, StreetThing::Parked))
      add(shape);
  for (double x = rng.uniform(-10, -5); x < 90; x += rng.uniform(2.5, 4))  // bollards
    add(roundThing(x, 5.4, rng.uniform(0.04, 0.06), 0.9, StreetThing::Thin));
  for (double x = rng.uniform(0, 5); x < 90; x += rng.uniform(9, 14)) {  // signs on posts
    add(roundThing(x, -5.8, 0.03, 2.6, StreetThing::Thin));
    add(box({x - 0.05, -6.1, 2.0}, {x - 0.03, -5.5, 2.6}, StreetThing::Thin));
  }
  for (double x = rng.uniform(2, 8); x < 90; x += rng.uniform(7, 12)) {
    Shape cone = roundThing(x, rng.uniform(1.8, 2.0) * (rng.uniform() < 0.5 ? -1 : 1) * 0.95, 0.17,
                            0.7, StreetThing::Thin);
    cone.is_pointed = true;
    add(cone);
  }
  Shape fence = box({30, 6.6, 0}, {60, 6.61, 1.8}, StreetThing::Fence);
  fence.is_wire = true;
  add(fence);

  street.movers.push_back(
      {.shapes = carAt(0, 0, 4.4, 1.5, StreetThing::Follower), .follow_gap = 9 + 2.2});
  street.movers.push_back({.shapes = carAt(0, 0, 4.4, 1.5, StreetThing::Passing),
                           .from_x = rng.uniform(70, 90),
                           .y = 3.4,
                           .speed = -9});
  street.movers.push_back(
      {.shapes = {box({-4, -1.2, 0.4}, {4, 1.2, 3.4}, StreetThing::Passing)},  // a truck
       .from_x = rng.uniform(150, 170),
       .y = 3.6,
       .speed = -11});
  const double stop = rng.uniform(1.5, 2.5);
  street.movers.push_back({.shapes = carAt(0, 0, 4.4, 1.5, StreetThing::Stopping),
                           .from_x = rng.uniform(50, 55),
                           .y = 3.4,
                           .speed = -6,
                           .stop = stop,
                           .go_on = stop + 4.5});
  for (const double side : {-7.2, 7.6})
    street.movers.push_back({.shapes = {roundThing(0, 0, 0.22, 1.75, StreetThing::Walking)},
                             .from_x = rng.uniform(20, 40),
                             .y = side,
                             .speed = rng.uniform(1.2, 1.5),
                             .stop = 0,
                             .go_on = rng.uniform(2, 5)});
  return street;
}

// Distance along the ray, or 0.
double hitRound(const Shape& shape, const Vec3& from, const Vec3& ray) {
  const Vec3 centre = (shape.low + shape.high) / 2;
  const double height = shape.high.z();
  // For a cone, radius = r (1 - z / height): the same quadratic with more terms.
  const double slope = shape.is_pointed ? shape.radius / height : 0;
  const double ox = from.x() - centre.x(), oy = from.y() - centre.y();
  const double r0 = shape.radius - slope * from.z(), dr = -slope * ray.z();
  const double a = ray.x() * ray.x() + ray.y() * ray.y() - dr * dr;
  const double b = ox * ray.x() + oy * ray.y() - r0 * dr, c = ox * ox + oy * oy - r0 * r0;
  const double root = b * b - a * c;
  if (root < 0 || std::abs(a) < 1e-12) return 0;
  const double s = (-b - std::sqrt(root)) / a, z = from.z() + s * ray.z();
  return s > 0 && z > 0 && z < height && shape.radius - slope * z >= 0 ? s : 0;
}

double hitBox(const Vec3& low, const Vec3& high, const Vec3& from, const Vec3& ray) {
  double enter = 0, leave = 1e9;
  for (int a = 0; a < 3; ++a) {
    double near = (low[a] - from[a]) / ray[a], far = (high[a] - from[a]) / ray[a];
    if (near > far) std::swap(near, far);
    enter = std::max(enter, near);
    leave = std::min(leave, far);
  }
  return enter < leave ? enter : 0;
}

double hitShape(const Shape& shape, const Vec3& from, const Vec3& ray) {
  if (shape.radius > 0) return hitRound(shape, from, ray);
  const double s = hitBox(shape.low, shape.high, from, ray);
  if (s == 0 || !shape.is_wire) return s;
  const Vec3 p = from + s * ray;  // wires slant both ways, 6 cm apart; a beam is a centimetre wide
  const auto onWire = [](double u) { return u - 0.06 * std::floor(u / 0.06) < 0.009; };
  return onWire((p.x() + p.z()) * 0.7071) || onWire((p.x() - p.z()) * 0.7071) ? s : 0;
}

// Cheap: does the ray pass the circle around a shape, seen from above?
bool mayHit(const Shape& shape, const Vec3& from, const Vec3& flat) {
  const double x = (shape.low.x() + shape.high.x()) / 2 - from.x();
  const double y = (shape.low.y() + shape.high.y()) / 2 - from.y();
  const double reach =
      std::hypot(shape.high.x() - shape.low.x(), shape.high.y() - shape.low.y()) / 2;
  return std::abs(x * flat.y() - y * flat.x()) <= reach && x * flat.x() + y * flat.y() > -reach;
}

}  // namespace

std::vector<double> unevenBeams64() {
  std::vector<double> beams;
  for (int k = 0; k < 32; ++k) beams.push_back(2 - k * 0.333 + 0.04 * std::sin(7.0 * k));
  for (int k = 0; k < 32; ++k) beams.push_back(-8.83 - k * 0.5155 + 0.05 * std::sin(5.0 * k));
  return beams;
}

std::vector<double> evenBeams32() {
  std::vector<double> beams;
  for (int k = 0; k < 32; ++k) beams.push_back(10.67 - k * 1.3333);
  return beams;
}

StreetScans makeStreetScans(const StreetOptions& options) {
  const Street street = makeStreet(options);
  const auto count = static_cast<size_t>(options.seconds * options.rate_hz);
  StreetScans out;
  out.scans.resize(count);
  out.things.resize(count);
  parallelFor(count, 1, [&](size_t k, size_t) {
    Rng rng = Rng(options.seed).fork(k);
    const double t = static_cast<double>(k) / options.rate_hz;
    const double ego_x = options.speed * t;
    const Vec3 from(ego_x, 0, kSensorHeight);
    std::vector<Shape> shapes = street.still;
    for (const Mover& mover : street.movers)
      for (Shape shape : mover.shapes) {
        shape.low += mover.at(t, ego_x);
        shape.high += mover.at(t, ego_x);
        shapes.push_back(shape);
      }
    PosedScan& scan = out.scans[k];
    scan.stamp = {static_cast<int64_t>(t * 1e9)};
    const double sigma = options.pose_noise;
    scan.map_from_base = {
        fromRollPitchYaw(sigma / 20 * rng.normal(), sigma / 20 * rng.normal(),
                         sigma / 20 * rng.normal()),
        Vec3(ego_x, 0, 0) + sigma * Vec3(rng.normal(), rng.normal(), 0.5 * rng.normal())};
    scan.sensor_in_base = Vec3(0, 0, kSensorHeight);
    const double phase = rng.uniform();
    std::vector<const Shape*> near;
    for (int column = 0; column < options.columns; ++column) {
      const double azimuth = (column + phase) * 2 * std::numbers::pi / options.columns;
      const Vec3 flat(std::cos(azimuth), std::sin(azimuth), 0);
      near.clear();
      for (const Shape& shape : shapes)
        if (mayHit(shape, from, flat)) near.push_back(&shape);
      for (const double elevation : options.elevations_deg) {
        const Vec3 ray =
            std::cos(elevation * kDegree) * flat + Vec3(0, 0, std::sin(elevation * kDegree));
        double range = ray.z() < 0 ? -kSensorHeight / ray.z() : 1e9;
        StreetThing thing = StreetThing::Ground;
        for (const Shape* shape : near)
          if (const double s = hitShape(*shape, from, ray); s > 0 && s < range)
            range = s, thing = shape->thing;
        if (range < kNearest || range > kFarthest) continue;
        const Vec3 p = from + (range + 0.02 * rng.normal()) * ray - Vec3(ego_x, 0, 0);
        scan.points.push_back(
            {static_cast<float>(p.x()), static_cast<float>(p.y()), static_cast<float>(p.z()), 50});
        out.things[k].push_back(thing);
      }
    }
  });
  return out;
}

}  // namespace gs

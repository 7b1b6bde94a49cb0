// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "gs/synthetic/town/surface.hpp"

namespace gs {

// A place to build at: x along, y to the left of it, z up.
struct Placement {
  Vec3 origin = Vec3::Zero();
  Vec3 x = Vec3::UnitX(), y = Vec3::UnitY(), z = Vec3::UnitZ();

  Vec3 operator()(double a, double b, double c) const { return origin + x * a + y * b + z * c; }
};
Placement placeAt(const Vec3& origin, const Vec2& along);  // upright

// Adds simple shapes to a surface. `material`, `variation` and `thing` hold until changed.
class SurfaceBuilder {
 public:
  explicit SurfaceBuilder(Surface& surface) : surface_(surface) {}

  uint16_t material = 0;
  uint16_t variation = 0;
  Thing thing = Thing::Still;

  struct Corner {
    Vec3 position;
    double u = 0, v = 0;
  };
  // Flat, counter-clockwise seen from its front; uv are the caller's.
  void quad(const Corner& a, const Corner& b, const Corner& c, const Corner& d);
  // uv in metres: u along ab, v along ad, starting at (u0, v0).
  void quad(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d, double u0 = 0,
            double v0 = 0);
  // A small flat quad lit as if it lay in a rounder shape: leaves of a crown.
  void leaf(const Vec3& middle, const Vec3& right, const Vec3& up, const Vec3& normal);
  void triangle(const Corner& a, const Corner& b, const Corner& c);
  // Box between two corners of the placement; the bottom is left out.
  void box(const Placement& at, const Vec3& low, const Vec3& high);
  // Round about the z axis of the placement: rings of (radius, z), smooth normals, no caps.
  void lathe(const Placement& at, std::span<const std::array<double, 2>> rings, int sides);
  // A grid of points, closed or not around its rows, with smooth normals.
  void grid(std::span<const Vec3> points, int rows, int columns, bool is_closed);

 private:
  uint32_t vertex(const Vec3& position, const Vec3& normal, double u, double v);
  void face(uint32_t a, uint32_t b, uint32_t c);

  Surface& surface_;
};

}  // namespace gs

// SPDX-License-Identifier: Apache-2.0
#include "gs/synthetic/town/surface_builder.hpp"

#include <cmath>
#include <numbers>

namespace gs {

Placement placeAt(const Vec3& origin, const Vec2& along) {
  return {origin, Vec3(along.x(), along.y(), 0), Vec3(-along.y(), along.x(), 0), Vec3::UnitZ()};
}

uint32_t SurfaceBuilder::vertex(const Vec3& position, const Vec3& normal, double u, double v) {
  surface_.vertices.push_back({position.cast<float>(),
                               normal.cast<float>(),
                               {static_cast<float>(u), static_cast<float>(v)}});
  return static_cast<uint32_t>(surface_.vertices.size() - 1);
}

void SurfaceBuilder::face(uint32_t a, uint32_t b, uint32_t c) {
  const auto &va = surface_.vertices[a], &vb = surface_.vertices[b], &vc = surface_.vertices[c];
  const Vec3f ab = vb.position - va.position, ac = vc.position - va.position;
  const Vec3f cross = ab.cross(ac);
  if (cross.norm() < 1e-9f) return;  // two corners at one place, as where a strip meets a point
  const Vec3f normal = cross.normalized();
  // dP/du and dP/dv, up to the common factor 1 / area.
  const float u1 = vb.uv[0] - va.uv[0], v1 = vb.uv[1] - va.uv[1];
  const float u2 = vc.uv[0] - va.uv[0], v2 = vc.uv[1] - va.uv[1];
  const float area = u1 * v2 - u2 * v1;
  const Vec3f along_u = ab * v2 - ac * v1, along_v = ac * u1 - ab * u2;
  Surface::Triangle triangle{{a, b, c}, material, variation, ab.normalized(),
                             normal,    {1, 1},   thing};
  if (std::abs(area) > 1e-12f) {
    triangle.tangent = (area > 0 ? along_u : Vec3f(-along_u)).normalized();
    triangle.uv_per_metre = {std::abs(area) / along_u.norm(), std::abs(area) / along_v.norm()};
  }
  surface_.triangles.push_back(triangle);
}

void SurfaceBuilder::quad(const Corner& a, const Corner& b, const Corner& c, const Corner& d) {
  const Vec3 normal = (c.position - a.position).cross(d.position - b.position).normalized();
  const uint32_t ia = vertex(a.position, normal, a.u, a.v),
                 ib = vertex(b.position, normal, b.u, b.v);
  const uint32_t ic = vertex(c.position, normal, c.u, c.v),
                 id = vertex(d.position, normal, d.u, d.v);
  face(ia, ib, ic);
  face(ia, ic, id);
}

void SurfaceBuilder::quad(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d, double u0,
                          double v0) {
  const double u1 = u0 + (b - a).norm(), v1 = v0 + (d - a).norm();
  quad({a, u0, v0}, {b, u1, v0}, {c, u1, v1}, {d, u0, v1});
}

void SurfaceBuilder::leaf(const Vec3& middle, const Vec3& right, const Vec3& up,
                          const Vec3& normal) {
  const uint32_t a = vertex(middle - up, normal, 0, 0), b = vertex(middle + right, normal, 1, 0);
  const uint32_t c = vertex(middle + up, normal, 1, 1), d = vertex(middle - right, normal, 0, 1);
  face(a, b, c);
  face(a, c, d);
}

void SurfaceBuilder::triangle(const Corner& a, const Corner& b, const Corner& c) {
  const Vec3 normal = (b.position - a.position).cross(c.position - a.position).normalized();
  const uint32_t ia = vertex(a.position, normal, a.u, a.v),
                 ib = vertex(b.position, normal, b.u, b.v);
  face(ia, ib, vertex(c.position, normal, c.u, c.v));
}

void SurfaceBuilder::box(const Placement& at, const Vec3& low, const Vec3& high) {
  const auto p = [&](int x, int y, int z) {
    return at(x ? high.x() : low.x(), y ? high.y() : low.y(), z ? high.z() : low.z());
  };
  quad(p(0, 0, 0), p(1, 0, 0), p(1, 0, 1), p(0, 0, 1));
  quad(p(1, 0, 0), p(1, 1, 0), p(1, 1, 1), p(1, 0, 1));
  quad(p(1, 1, 0), p(0, 1, 0), p(0, 1, 1), p(1, 1, 1));
  quad(p(0, 1, 0), p(0, 0, 0), p(0, 0, 1), p(0, 1, 1));
  quad(p(0, 0, 1), p(1, 0, 1), p(1, 1, 1), p(0, 1, 1));
}

void SurfaceBuilder::lathe(const Placement& at, std::span<const std::array<double, 2>> rings,
                           int sides) {
  std::vector<Vec3> points;
  for (const auto& [radius, z] : rings)
    for (int i = 0; i < sides; ++i) {
      const double angle = 2 * std::numbers::pi * i / sides;
      points.push_back(at(radius * std::cos(angle), radius * std::sin(angle), z));
    }
  grid(points, static_cast<int>(rings.size()), sides, true);
}

void SurfaceBuilder::grid(std::span<const Vec3> points, int rows, int columns, bool is_closed) {
  const int around = is_closed ? columns : columns - 1;
  const auto next = [&](int column) { return (column + 1) % columns; };
  std::vector<Vec3> normals(points.size(), Vec3::Zero());
  for (int row = 0; row + 1 < rows; ++row)
    for (int column = 0; column < around; ++column) {
      const int a = row * columns + column, b = row * columns + next(column);
      const int c = b + columns, d = a + columns;
      const Vec3 normal = (points[c] - points[a]).cross(points[d] - points[b]);
      for (const int corner : {a, b, c, d}) normals[corner] += normal;
    }
  const auto first = static_cast<uint32_t>(surface_.vertices.size());
  for (size_t i = 0; i < points.size(); ++i) {
    const double u = static_cast<double>(i % columns) / around;
    vertex(points[i], normals[i].normalized(), u, points[i].z());
  }
  for (int row = 0; row + 1 < rows; ++row)
    for (int column = 0; column < around; ++column) {
      const uint32_t a = first + row * columns + column, b = first + row * columns + next(column);
      face(a, b, b + columns);
      face(a, b + columns, a + columns);
    }
}

}  // namespace gs

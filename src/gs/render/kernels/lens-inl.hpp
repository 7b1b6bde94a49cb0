// SPDX-License-Identifier: Apache-2.0
// Image points and their derivatives for many splats at once; see Lens::project for the rules.
// Compiled once per instruction set, as Highway has it.
#if defined(GS_RENDER_KERNELS_LENS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef GS_RENDER_KERNELS_LENS_INL_HPP
#undef GS_RENDER_KERNELS_LENS_INL_HPP
#else
#define GS_RENDER_KERNELS_LENS_INL_HPP
#endif

#include "gs/render/kernels/lanes-inl.hpp"
#include "gs/render/kernels/project_splats.hpp"

HWY_BEFORE_NAMESPACE();
namespace gs::HWY_NAMESPACE {

template <typename T>
struct Point {
  T x, y, z;
};

template <typename T>
HWY_INLINE T dot(const Point<T>& a, const Point<T>& b) {
  return fma(a.x, b.x, fma(a.y, b.y, a.z * b.z));
}

// Image point and its derivative by the point in the camera frame.
template <typename T>
struct Seen {
  T x, y;
  Point<T> x_by_point, y_by_point;
};

template <typename T>
HWY_INLINE Seen<T> seePinhole(const ProjectionView& view, const Point<T>& p) {
  const T inverse_z = T(1.0f) / p.z, px = p.x * inverse_z, py = p.y * inverse_z;
  const T qx = smaller(larger(px, T(view.clamp_x_min)), T(view.clamp_x_max));
  const T qy = smaller(larger(py, T(view.clamp_y_min)), T(view.clamp_y_max));
  const T fx = T(view.fx) * inverse_z, fy = T(view.fy) * inverse_z, zero(0.0f);
  return {fma(T(view.fx), px, T(view.cx)),
          fma(T(view.fy), py, T(view.cy)),
          {fx, zero, -(fx * qx)},
          {zero, fy, -(fy * qy)}};
}

template <typename T>
HWY_INLINE Seen<T> seeBrown(const ProjectionView& view, const Point<T>& p) {
  const T one(1.0f), two(2.0f), six(6.0f), inverse_z = one / p.z;
  const T px = p.x * inverse_z, py = p.y * inverse_z;
  T x = smaller(larger(px, T(view.clamp_x_min)), T(view.clamp_x_max));
  T y = smaller(larger(py, T(view.clamp_y_min)), T(view.clamp_y_max));
  const T limit2(view.max_radius2), wide2 = fma(x, x, y * y);
  const T shrink = smaller(one, sqrt(limit2 / wide2));
  x = select(isLess(limit2, wide2), x * shrink, x);
  y = select(isLess(limit2, wide2), y * shrink, y);

  const auto horner = [](const T& r2, float c0, float c1, float c2, float c3) HWY_ATTR {
    return fma(r2, fma(r2, fma(r2, T(c3), T(c2)), T(c1)), T(c0));
  };
  const T xy = x * y, xx = x * x, yy = y * y, r2 = xx + yy;
  const T up = horner(r2, 1, view.k1, view.k2, view.k3);
  const T down = horner(r2, 1, view.k4, view.k5, view.k6);
  const T up_by_r2 = horner(r2, view.k1, 2 * view.k2, 3 * view.k3, 0);
  const T down_by_r2 = horner(r2, view.k4, 2 * view.k5, 3 * view.k6, 0);
  const T inverse_down = one / down, radial = up * inverse_down;
  const T slope = two * ((up_by_r2 - radial * down_by_r2) * inverse_down);
  const T p1(view.p1), p2(view.p2);
  const T dx = fma(x, radial, fma(two * p1, xy, p2 * fma(two, xx, r2)));
  const T dy = fma(y, radial, fma(two * p2, xy, p1 * fma(two, yy, r2)));
  const T mixed = fma(xy, slope, two * fma(p1, x, p2 * y));
  const T dxx = fma(xx, slope, radial + fma(two * p1, y, six * p2 * x));
  const T dyy = fma(yy, slope, radial + fma(six * p1, y, two * p2 * x));
  // Beyond the clamp the lens goes on linearly.
  const T ox = px - x, oy = py - y;
  const T ux = dx + fma(dxx, ox, mixed * oy), uy = dy + fma(mixed, ox, dyy * oy);
  const T fx = T(view.fx) * inverse_z, fy = T(view.fy) * inverse_z;
  const T fx_xx = fx * dxx, fx_xy = fx * mixed, fy_xy = fy * mixed, fy_yy = fy * dyy;
  return {fma(T(view.fx), ux, T(view.cx)),
          fma(T(view.fy), uy, T(view.cy)),
          {fx_xx, fx_xy, -fma(fx_xx, x, fx_xy * y)},
          {fy_xy, fy_yy, -fma(fy_xy, x, fy_yy * y)}};
}

// The angle from the axis, for whoever wants to know whether the lens sees there at all.
template <typename T>
HWY_INLINE T flatDistance(const Point<T>& p) {
  const T flat2 = fma(p.x, p.x, p.y * p.y);
  return sqrt(fma(T(1e-12f), fma(p.z, p.z, flat2), flat2));
}
template <typename T>
HWY_INLINE T angleFromAxis(const Point<T>& p) {
  return angleBetween(flatDistance(p), p.z);
}

template <typename T>
HWY_INLINE Seen<T> seeEquidistant(const ProjectionView& view, const Point<T>& p) {
  const T one(1.0f);
  const T range2 = dot(p, p), rho = flatDistance(p), inverse_rho = one / rho;
  const T angle = angleFromAxis(p);
  const T inside = smaller(angle, T(view.max_angle)), a2 = inside * inside;
  const auto horner = [&](float c1, float c2, float c3, float c4) HWY_ATTR {
    return fma(a2, fma(a2, fma(a2, fma(a2, T(c4), T(c3)), T(c2)), T(c1)), one);
  };
  const T slope = horner(3 * view.k1, 5 * view.k2, 7 * view.k3, 9 * view.k4);
  const T bent = fma(slope, angle - inside, inside * horner(view.k1, view.k2, view.k3, view.k4));
  const T nx = p.x * inverse_rho, ny = p.y * inverse_rho;
  const T round = bent * inverse_rho;  // along the circle about the axis
  const T out = slope / range2;        // away from the axis
  const T out_rho = -(out * rho);
  // out * n (z n', -rho) + round * (I - n n')
  const T both_ways = out * p.z - round;
  const T fx(view.fx), fy(view.fy), nxy = nx * ny * both_ways;
  return {fma(fx, bent * nx, T(view.cx)),
          fma(fy, bent * ny, T(view.cy)),
          {fx * fma(nx * nx, both_ways, round), fx * nxy, fx * nx * out_rho},
          {fy * nxy, fy * fma(ny * ny, both_ways, round), fy * ny * out_rho}};
}

template <LensKind Kind, typename T>
HWY_INLINE Seen<T> see(const ProjectionView& view, const Point<T>& p) {
  if constexpr (Kind == LensKind::Pinhole) return seePinhole(view, p);
  else if constexpr (Kind == LensKind::Brown) return seeBrown(view, p);
  else return seeEquidistant(view, p);
}

}  // namespace gs::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

// SPDX-License-Identifier: Apache-2.0
// Numbers that formulas are written for once: a vector of floats, alone or with its derivatives.
// Compiled once per instruction set, as Highway has it.
#if defined(GS_RENDER_KERNELS_LANES_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef GS_RENDER_KERNELS_LANES_INL_HPP
#undef GS_RENDER_KERNELS_LANES_INL_HPP
#else
#define GS_RENDER_KERNELS_LANES_INL_HPP
#endif

#include <cmath>

#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

#include "gs/render/splat_scene.hpp"

HWY_BEFORE_NAMESPACE();
namespace gs::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using LaneTag = hn::CappedTag<float, kShBlock>;
using LaneMask = hn::Mask<LaneTag>;

struct Lanes {
  hn::Vec<LaneTag> v;

  Lanes() : v(hn::Zero(LaneTag())) {}
  HWY_INLINE explicit Lanes(hn::Vec<LaneTag> v) : v(v) {}
  HWY_INLINE explicit Lanes(float all) : v(hn::Set(LaneTag(), all)) {}
  static HWY_INLINE Lanes load(const float* at) { return Lanes(hn::LoadU(LaneTag(), at)); }
  HWY_INLINE void store(float* at) const { hn::StoreU(v, LaneTag(), at); }
};
HWY_INLINE Lanes operator+(Lanes a, Lanes b) { return Lanes(hn::Add(a.v, b.v)); }
HWY_INLINE Lanes operator-(Lanes a, Lanes b) { return Lanes(hn::Sub(a.v, b.v)); }
HWY_INLINE Lanes operator*(Lanes a, Lanes b) { return Lanes(hn::Mul(a.v, b.v)); }
HWY_INLINE Lanes operator/(Lanes a, Lanes b) { return Lanes(hn::Div(a.v, b.v)); }
HWY_INLINE Lanes operator-(Lanes a) { return Lanes(hn::Neg(a.v)); }
HWY_INLINE Lanes fma(Lanes a, Lanes b, Lanes c) { return Lanes(hn::MulAdd(a.v, b.v, c.v)); }
HWY_INLINE Lanes sqrt(Lanes a) { return Lanes(hn::Sqrt(a.v)); }
HWY_INLINE Lanes sigmoid(Lanes a) {
  const LaneTag d;
  const auto one = hn::Set(d, 1);
  // exp() of what is not positive: no overflow
  const auto e = hn::Exp(d, hn::Neg(hn::Abs(a.v)));
  const auto small = hn::Div(e, hn::Add(one, e));
  return Lanes(hn::IfThenElse(hn::Lt(a.v, hn::Zero(d)), small, hn::Sub(one, small)));
}
HWY_INLINE Lanes exp2Of(Lanes a) {
  return Lanes(hn::Exp(LaneTag(), hn::Mul(a.v, hn::Set(LaneTag(), 0.693147181f))));
}
HWY_INLINE LaneMask isLess(Lanes a, Lanes b) { return hn::Lt(a.v, b.v); }
HWY_INLINE Lanes select(LaneMask which, Lanes yes, Lanes no) {
  return Lanes(hn::IfThenElse(which, yes.v, no.v));
}
// atan2(side, along) for side >= 0, with an argument of atan that is never infinite.
HWY_INLINE Lanes angleBetween(Lanes side, Lanes along) {
  const LaneTag d;
  const auto is_narrow = hn::Gt(along.v, side.v);
  const auto ratio = hn::Div(hn::IfThenElse(is_narrow, side.v, along.v),
                             hn::IfThenElse(is_narrow, along.v, side.v));
  const auto atan = hn::Atan(d, ratio);
  return Lanes(hn::IfThenElse(is_narrow, atan, hn::Sub(hn::Set(d, 1.57079633f), atan)));
}

// A number and its derivatives by three others.
template <typename T>
struct Dual {
  T v, d[3];

  Dual() = default;
  HWY_INLINE explicit Dual(float all) : v(all), d{T(0.0f), T(0.0f), T(0.0f)} {}
  HWY_INLINE Dual(T v, T d0, T d1, T d2) : v(v), d{d0, d1, d2} {}
};
// f(a) with its derivative, and f(a, b) likewise.
template <typename T>
HWY_INLINE Dual<T> chain(T value, T by_a, const Dual<T>& a) {
  return {value, by_a * a.d[0], by_a * a.d[1], by_a * a.d[2]};
}
template <typename T>
HWY_INLINE Dual<T> chain(T value, T by_a, const Dual<T>& a, T by_b, const Dual<T>& b) {
  return {value, fma(by_a, a.d[0], by_b * b.d[0]), fma(by_a, a.d[1], by_b * b.d[1]),
          fma(by_a, a.d[2], by_b * b.d[2])};
}
template <typename T>
HWY_INLINE Dual<T> operator+(const Dual<T>& a, const Dual<T>& b) {
  return {a.v + b.v, a.d[0] + b.d[0], a.d[1] + b.d[1], a.d[2] + b.d[2]};
}
template <typename T>
HWY_INLINE Dual<T> operator-(const Dual<T>& a, const Dual<T>& b) {
  return {a.v - b.v, a.d[0] - b.d[0], a.d[1] - b.d[1], a.d[2] - b.d[2]};
}
template <typename T>
HWY_INLINE Dual<T> operator-(const Dual<T>& a) {
  return {-a.v, -a.d[0], -a.d[1], -a.d[2]};
}
template <typename T>
HWY_INLINE Dual<T> operator*(const Dual<T>& a, const Dual<T>& b) {
  return chain(a.v * b.v, b.v, a, a.v, b);
}
template <typename T>
HWY_INLINE Dual<T> operator/(const Dual<T>& a, const Dual<T>& b) {
  const T inverse = T(1.0f) / b.v, value = a.v * inverse;
  return chain(value, inverse, a, -(value * inverse), b);
}
template <typename T>
HWY_INLINE Dual<T> fma(const Dual<T>& a, const Dual<T>& b, const Dual<T>& c) {
  return {fma(a.v, b.v, c.v), fma(b.v, a.d[0], fma(a.v, b.d[0], c.d[0])),
          fma(b.v, a.d[1], fma(a.v, b.d[1], c.d[1])), fma(b.v, a.d[2], fma(a.v, b.d[2], c.d[2]))};
}
template <typename T>
HWY_INLINE Dual<T> sqrt(const Dual<T>& a) {
  const T root = sqrt(a.v);
  return chain(root, T(0.5f) / root, a);
}
template <typename T>
HWY_INLINE auto isLess(const Dual<T>& a, const Dual<T>& b) {
  return isLess(a.v, b.v);
}
template <typename Mask, typename T>
HWY_INLINE Dual<T> select(Mask which, const Dual<T>& yes, const Dual<T>& no) {
  return {select(which, yes.v, no.v), select(which, yes.d[0], no.d[0]),
          select(which, yes.d[1], no.d[1]), select(which, yes.d[2], no.d[2])};
}
template <typename T>
HWY_INLINE Dual<T> angleBetween(const Dual<T>& side, const Dual<T>& along) {
  const T inverse = T(1.0f) / fma(side.v, side.v, along.v * along.v);
  return chain(angleBetween(side.v, along.v), along.v * inverse, side, -(side.v * inverse), along);
}

template <typename T>
HWY_INLINE T smaller(const T& a, const T& b) {
  return select(isLess(b, a), b, a);
}
template <typename T>
HWY_INLINE T larger(const T& a, const T& b) {
  return select(isLess(a, b), b, a);
}

}  // namespace gs::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

// SPDX-License-Identifier: Apache-2.0
#include "gs/train/kernels/project_backward.hpp"

#include "gs/render/spherical_harmonics.hpp"

// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "gs/train/kernels/project_backward.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include "gs/render/kernels/lens-inl.hpp"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace gs::HWY_NAMESPACE {

using L = Lanes;
using P = Point<Lanes>;

HWY_INLINE P operator*(const P& p, L s) { return {p.x * s, p.y * s, p.z * s}; }
HWY_INLINE P operator+(const P& a, const P& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
HWY_INLINE P operator-(const P& a, const P& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
HWY_INLINE P cross(const P& a, const P& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
// m v and m' v for a row-major matrix.
HWY_INLINE P times(const float* m, const P& v) {
  return {fma(L(m[0]), v.x, fma(L(m[1]), v.y, L(m[2]) * v.z)),
          fma(L(m[3]), v.x, fma(L(m[4]), v.y, L(m[5]) * v.z)),
          fma(L(m[6]), v.x, fma(L(m[7]), v.y, L(m[8]) * v.z))};
}
HWY_INLINE P timesTransposed(const float* m, const P& v) {
  return {fma(L(m[0]), v.x, fma(L(m[3]), v.y, L(m[6]) * v.z)),
          fma(L(m[1]), v.x, fma(L(m[4]), v.y, L(m[7]) * v.z)),
          fma(L(m[2]), v.x, fma(L(m[5]), v.y, L(m[8]) * v.z))};
}

struct Columns {
  P x, y, z;
};
HWY_INLINE Columns columnsOf(L qx, L qy, L qz, L qw) {
  const L one(1.0f), two(2.0f);
  const L xx = qx * qx, yy = qy * qy, zz = qz * qz, xy = qx * qy, xz = qx * qz, yz = qy * qz;
  const L wx = qw * qx, wy = qw * qy, wz = qw * qz;
  return {{one - two * (yy + zz), two * (xy + wz), two * (xz - wy)},
          {two * (xy - wz), one - two * (xx + zz), two * (yz + wx)},
          {two * (xz + wy), two * (yz - wx), one - two * (xx + yy)}};
}

// Back through the colour: writes the derivative by the coefficients and returns that by from_eye.
HWY_INLINE P backThroughColor(const SplatScene& scene, size_t first, int learned_degree,
                              const P& from_eye, const std::array<L, 3>& by_rgb, size_t place,
                              SplatGradients& out) {
  using N = Dual<L>;
  const LaneTag d;
  const hn::Rebind<hwy::float16_t, LaneTag> half;
  const size_t stride = kShBlock * 3;
  const auto* at = reinterpret_cast<const hwy::float16_t*>(
      scene.sh.data() + first / kShBlock * kShBlock * scene.coefficients() * 3 + first % kShBlock);
  const auto coefficient = [&](size_t k, size_t c) HWY_ATTR {
    return L(hn::PromoteTo(d, hn::LoadU(half, at + k * stride + c * kShBlock)));
  };
  const auto n = [](double constant) HWY_ATTR { return N(static_cast<float>(constant)); };
  const L zero(0.0f), one(1.0f);
  const N ex(from_eye.x, one, zero, zero), ey(from_eye.y, zero, one, zero),
      ez(from_eye.z, zero, zero, one);
  const N inverse = n(1) / sqrt(fma(ex, ex, fma(ey, ey, fma(ez, ez, n(1e-30)))));
  const N x = ex * inverse, y = ey * inverse, z = ez * inverse;
  const N xx = x * x, yy = y * y, zz = z * z, xy = x * y;
  const N four_zz = n(4) * zz - (xx + yy);
  N basis[16];
  basis[0] = n(kSh0);
  basis[1] = n(-kSh1) * y;
  basis[2] = n(kSh1) * z;
  basis[3] = n(-kSh1) * x;
  basis[4] = n(kSh2[0]) * xy;
  basis[5] = n(kSh2[1]) * y * z;
  basis[6] = n(kSh2[2]) * (zz + zz - (xx + yy));
  basis[7] = n(kSh2[3]) * x * z;
  basis[8] = n(kSh2[4]) * (xx - yy);
  basis[9] = n(kSh3[0]) * y * (n(3) * xx - yy);
  basis[10] = n(kSh3[1]) * xy * z;
  basis[11] = n(kSh3[2]) * y * four_zz;
  basis[12] = n(kSh3[3]) * z * (zz + zz - n(3) * (xx + yy));
  basis[13] = n(kSh3[4]) * x * four_zz;
  basis[14] = n(kSh3[5]) * z * (xx - yy);
  basis[15] = n(kSh3[6]) * x * (xx - n(3) * yy);
  const size_t coefficients = scene.coefficients();
  const size_t learned =
      std::min(coefficients, static_cast<size_t>((learned_degree + 1) * (learned_degree + 1)));
  P by_eye{zero, zero, zero};
  for (size_t c = 0; c < 3; ++c) {
    N color = n(0.5);
    for (size_t k = 0; k < coefficients; ++k) {
      const L value = coefficient(k, c);
      color.v = fma(basis[k].v, value, color.v);
      for (int i = 0; i < 3; ++i) color.d[i] = fma(basis[k].d[i], value, color.d[i]);
    }
    const L g = select(isLess(zero, color.v), by_rgb[c], zero);  // black does not get blacker
    for (size_t k = 0; k < learned; ++k) (g * basis[k].v).store(&out.sh[k * 3 + c][place]);
    by_eye = by_eye + P{color.d[0], color.d[1], color.d[2]} * g;
  }
  return by_eye;
}

template <LensKind Kind>
void backThroughCluster(const SplatScene& scene, size_t cluster, int learned_degree,
                        const ProjectionView& view, const ImageGradients& image,
                        SplatGradients& out, PoseGradient* pose) {
  const LaneTag d;
  const size_t lanes = hn::Lanes(d);
  const float* w = view.opencv_from_map;
  const L zero(0.0f), one(1.0f), two(2.0f);
  for (size_t place = 0; place < kClusterSize; place += lanes) {
    bool is_any_seen = false;
    for (size_t k = 0; k < lanes; ++k) is_any_seen |= image.is_seen[place + k] != 0;
    if (!is_any_seen) continue;
    alignas(64) float seen_flags[kShBlock];
    for (size_t k = 0; k < lanes; ++k) seen_flags[k] = image.is_seen[place + k] ? 1.0f : 0.0f;
    const LaneMask is_seen = isLess(zero, L::load(seen_flags));
    const size_t i = cluster * kClusterSize + place;
    const auto param = [&](const SplatScene::Floats& values)
                           HWY_ATTR { return L::load(&values[i]); };
    const auto gradient = [&](const ClusterFloats& values) HWY_ATTR {
      return select(is_seen, L::load(&values[place]), L(0.0f));
    };
    // Forward again, as projectCluster has it, with the derivatives of the lens.
    const P from_eye{param(scene.position[0]) - L(view.eye[0]),
                     param(scene.position[1]) - L(view.eye[1]),
                     param(scene.position[2]) - L(view.eye[2])};
    P p = times(w, from_eye);
    // Lanes that are not seen may be anywhere; they must not divide by zero.
    p = {select(is_seen, p.x, zero), select(is_seen, p.y, zero), select(is_seen, p.z, one)};
    using N = Dual<L>;
    const Point<N> point{N(p.x, one, zero, zero), N(p.y, zero, one, zero), N(p.z, zero, zero, one)};
    const Seen<N> seen = see<Kind>(view, point);
    const P x_row{seen.x_by_point.x.v, seen.x_by_point.y.v, seen.x_by_point.z.v};
    const P y_row{seen.y_by_point.x.v, seen.y_by_point.y.v, seen.y_by_point.z.v};
    const L qx = param(scene.rotation[0]), qy = param(scene.rotation[1]),
            qz = param(scene.rotation[2]), qw = param(scene.rotation[3]);
    const Columns r = columnsOf(qx, qy, qz, qw);
    const P scale{param(scene.scale[0]), param(scene.scale[1]), param(scene.scale[2])};
    const P a_row = timesTransposed(w, x_row), b_row = timesTransposed(w, y_row);
    const P u{dot(a_row, r.x) * scale.x, dot(a_row, r.y) * scale.y, dot(a_row, r.z) * scale.z};
    const P v{dot(b_row, r.x) * scale.x, dot(b_row, r.y) * scale.y, dot(b_row, r.z) * scale.z};
    const L dilation(static_cast<float>(kDilation)), uu = dot(u, u), uv = dot(u, v), vv = dot(v, v);
    const P normal = cross(u, v);
    const L inverse_det = one / fma(dilation, uu + vv + dilation, dot(normal, normal));
    const L xx = uu + dilation, yy = vv + dilation, inverse_yy = one / yy;

    // a = -k yy / det, shear = -uv / yy, e = -k / yy
    const L k(0.721347520444482f);
    const L by_a = gradient(image.a), by_shear = gradient(image.shear), by_e = gradient(image.e);
    const L by_det = by_a * k * yy * inverse_det * inverse_det;
    const L inverse_yy2 = inverse_yy * inverse_yy;
    const L by_yy = by_det * xx - by_a * k * inverse_det + (by_shear * uv + by_e * k) * inverse_yy2;
    const L by_xy = -(by_shear * inverse_yy) - two * by_det * uv;
    const L by_xx = by_det * yy;
    const P by_u = u * (two * by_xx) + v * by_xy, by_v = v * (two * by_yy) + u * by_xy;
    const auto store = [&](L value, ClusterFloats& to) HWY_ATTR { value.store(&to[place]); };
    store(fma(by_u.x, u.x, by_v.x * v.x), out.log_scale[0]);
    store(fma(by_u.y, u.y, by_v.y * v.y), out.log_scale[1]);
    store(fma(by_u.z, u.z, by_v.z * v.z), out.log_scale[2]);

    const P su{by_u.x * scale.x, by_u.y * scale.y, by_u.z * scale.z};
    const P sv{by_v.x * scale.x, by_v.y * scale.y, by_v.z * scale.z};
    const Columns g{a_row * su.x + b_row * sv.x, a_row * su.y + b_row * sv.y,
                    a_row * su.z + b_row * sv.z};
    L gx = two * (qy * (g.x.y + g.y.x) + qz * (g.x.z + g.z.x) - two * qx * (g.y.y + g.z.z) +
                  qw * (g.y.z - g.z.y));
    L gy = two * (qx * (g.x.y + g.y.x) + qz * (g.y.z + g.z.y) - two * qy * (g.x.x + g.z.z) +
                  qw * (g.z.x - g.x.z));
    L gz = two * (qx * (g.x.z + g.z.x) + qy * (g.y.z + g.z.y) - two * qz * (g.x.x + g.y.y) +
                  qw * (g.x.y - g.y.x));
    L gw = two * (qz * (g.x.y - g.y.x) + qy * (g.z.x - g.x.z) + qx * (g.y.z - g.z.y));
    const L radial = gx * qx + gy * qy + gz * qz + gw * qw;
    store(gx - radial * qx, out.rotation[0]);
    store(gy - radial * qy, out.rotation[1]);
    store(gz - radial * qz, out.rotation[2]);
    store(gw - radial * qw, out.rotation[3]);

    // By the rows of the lens' derivative, then by the point in the camera frame.
    const P by_x_row = times(w, r.x * su.x + r.y * su.y + r.z * su.z);
    const P by_y_row = times(w, r.x * sv.x + r.y * sv.y + r.z * sv.z);
    const L by_x = gradient(image.x), by_y = gradient(image.y), by_depth = gradient(image.depth);
    L by_point[3];
    for (int axis = 0; axis < 3; ++axis) {
      const auto through = [&](const N& value, L g) HWY_ATTR { return value.d[axis] * g; };
      by_point[axis] =
          through(seen.x, by_x) + through(seen.y, by_y) + through(seen.x_by_point.x, by_x_row.x) +
          through(seen.x_by_point.y, by_x_row.y) + through(seen.x_by_point.z, by_x_row.z) +
          through(seen.y_by_point.x, by_y_row.x) + through(seen.y_by_point.y, by_y_row.y) +
          through(seen.y_by_point.z, by_y_row.z);
    }
    L depth = p.z;
    if constexpr (Kind == LensKind::Equidistant) {
      depth = sqrt(dot(p, p));
      const L g_per_m = by_depth / depth;
      by_point[0] = fma(p.x, g_per_m, by_point[0]);
      by_point[1] = fma(p.y, g_per_m, by_point[1]);
      by_point[2] = fma(p.z, g_per_m, by_point[2]);
    } else {
      by_point[2] = by_point[2] + by_depth;
    }
    store(depth, out.depth);
    const P by_p{by_point[0], by_point[1], by_point[2]};

    const L opacity = exp2Of(param(scene.log2_opacity));
    store(gradient(image.log2_opacity) * L(1.44269504f) * (one - opacity), out.logit_opacity);

    const std::array<L, 3> by_rgb{gradient(image.rgb[0]), gradient(image.rgb[1]),
                                  gradient(image.rgb[2])};
    const P by_position = timesTransposed(w, by_p) +
                          backThroughColor(scene, i, learned_degree, from_eye, by_rgb, place, out);
    store(by_position.x, out.position[0]);
    store(by_position.y, out.position[1]);
    store(by_position.z, out.position[2]);

    if (pose != nullptr) {
      // p turns with the camera, and so do the rows of the lens' derivative in the map.
      const P turn = cross(by_p, p) + cross(x_row, by_x_row) + cross(y_row, by_y_row);
      const auto sum = [&](L value) HWY_ATTR {
        return static_cast<double>(
            hn::GetLane(hn::SumOfLanes(d, select(is_seen, value, L(0.0f)).v)));
      };
      pose->shift[0] -= sum(by_position.x);
      pose->shift[1] -= sum(by_position.y);
      pose->shift[2] -= sum(by_position.z);
      pose->turn[0] += sum(turn.x);
      pose->turn[1] += sum(turn.y);
      pose->turn[2] += sum(turn.z);
    }
  }
}

void backThroughPinhole(const SplatScene& scene, size_t cluster, int learned_degree,
                        const ProjectionView& view, const ImageGradients& image,
                        SplatGradients& out, PoseGradient* pose) {
  backThroughCluster<LensKind::Pinhole>(scene, cluster, learned_degree, view, image, out, pose);
}
void backThroughBrown(const SplatScene& scene, size_t cluster, int learned_degree,
                      const ProjectionView& view, const ImageGradients& image, SplatGradients& out,
                      PoseGradient* pose) {
  backThroughCluster<LensKind::Brown>(scene, cluster, learned_degree, view, image, out, pose);
}
void backThroughEquidistant(const SplatScene& scene, size_t cluster, int learned_degree,
                            const ProjectionView& view, const ImageGradients& image,
                            SplatGradients& out, PoseGradient* pose) {
  backThroughCluster<LensKind::Equidistant>(scene, cluster, learned_degree, view, image, out, pose);
}

}  // namespace gs::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gs {

HWY_EXPORT(backThroughPinhole);
HWY_EXPORT(backThroughBrown);
HWY_EXPORT(backThroughEquidistant);

void projectBackward(const SplatScene& scene, size_t cluster, int learned_degree,
                     const ProjectionView& view, const ImageGradients& image,
                     SplatGradients& gradients, PoseGradient* pose) {
  switch (view.kind) {
    case LensKind::Pinhole:
      return HWY_DYNAMIC_DISPATCH(backThroughPinhole)(scene, cluster, learned_degree, view, image,
                                                      gradients, pose);
    case LensKind::Brown:
      return HWY_DYNAMIC_DISPATCH(backThroughBrown)(scene, cluster, learned_degree, view, image,
                                                    gradients, pose);
    default:
      return HWY_DYNAMIC_DISPATCH(backThroughEquidistant)(scene, cluster, learned_degree, view,
                                                          image, gradients, pose);
  }
}

}  // namespace gs
#endif

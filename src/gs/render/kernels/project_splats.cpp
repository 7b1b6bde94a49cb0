// SPDX-License-Identifier: Apache-2.0
#include "gs/render/kernels/project_splats.hpp"

#include <bit>

#include "gs/render/spherical_harmonics.hpp"

// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "gs/render/kernels/project_splats.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include <hwy/contrib/math/math-inl.h>
#include "gs/render/kernels/lens-inl.hpp"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace gs::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<float, kShBlock>;
using V = hn::Vec<D>;
using M = hn::Mask<D>;

HWY_INLINE V set(float value) { return hn::Set(D(), value); }

struct V3 {
  V x, y, z;
};
HWY_INLINE V dot(const V3& a, const V3& b) {
  return hn::MulAdd(a.x, b.x, hn::MulAdd(a.y, b.y, hn::Mul(a.z, b.z)));
}
HWY_INLINE V3 plain(const Point<Lanes>& p) { return {p.x.v, p.y.v, p.z.v}; }
// Row vector times a row-major matrix of constants.
HWY_INLINE V3 times(const V3& v, const float* m) {
  return {hn::MulAdd(v.x, set(m[0]), hn::MulAdd(v.y, set(m[3]), hn::Mul(v.z, set(m[6])))),
          hn::MulAdd(v.x, set(m[1]), hn::MulAdd(v.y, set(m[4]), hn::Mul(v.z, set(m[7])))),
          hn::MulAdd(v.x, set(m[2]), hn::MulAdd(v.y, set(m[5]), hn::Mul(v.z, set(m[8]))))};
}

// Colours of the lanes that begin at splat `first`; see shBasis for the terms.
struct Rgb {
  V r, g, b;
};
HWY_INLINE Rgb colorsOf(const SplatScene& scene, size_t first, const V3& from_eye) {
  const hn::Rebind<hwy::float16_t, D> half;
  const auto* at = reinterpret_cast<const hwy::float16_t*>(
      scene.sh.data() + first / kShBlock * kShBlock * scene.coefficients() * 3 + first % kShBlock);
  Rgb rgb{set(0.5f), set(0.5f), set(0.5f)};
  const auto add = [&](const V& basis) {
    rgb.r = hn::MulAdd(basis, hn::PromoteTo(D(), hn::LoadU(half, at)), rgb.r);
    rgb.g = hn::MulAdd(basis, hn::PromoteTo(D(), hn::LoadU(half, at + kShBlock)), rgb.g);
    rgb.b = hn::MulAdd(basis, hn::PromoteTo(D(), hn::LoadU(half, at + 2 * kShBlock)), rgb.b);
    at += 3 * kShBlock;
  };
  const auto c = [](double constant) { return set(static_cast<float>(constant)); };
  add(c(kSh0));
  if (scene.sh_degree > 0) {
    const V inverse = hn::Div(set(1), hn::Sqrt(hn::Max(dot(from_eye, from_eye), set(1e-30f))));
    const V x = hn::Mul(from_eye.x, inverse), y = hn::Mul(from_eye.y, inverse),
            z = hn::Mul(from_eye.z, inverse);
    add(hn::Mul(c(-kSh1), y));
    add(hn::Mul(c(kSh1), z));
    add(hn::Mul(c(-kSh1), x));
    if (scene.sh_degree > 1) {
      const V xx = hn::Mul(x, x), yy = hn::Mul(y, y), zz = hn::Mul(z, z), xy = hn::Mul(x, y);
      add(hn::Mul(c(kSh2[0]), xy));
      add(hn::Mul(c(kSh2[1]), hn::Mul(y, z)));
      add(hn::Mul(c(kSh2[2]), hn::Sub(hn::Add(zz, zz), hn::Add(xx, yy))));
      add(hn::Mul(c(kSh2[3]), hn::Mul(x, z)));
      add(hn::Mul(c(kSh2[4]), hn::Sub(xx, yy)));
      if (scene.sh_degree > 2) {
        const V four_zz = hn::Sub(hn::Mul(set(4), zz), hn::Add(xx, yy));
        const V three = set(3);
        add(hn::Mul(hn::Mul(c(kSh3[0]), y), hn::MulSub(three, xx, yy)));
        add(hn::Mul(hn::Mul(c(kSh3[1]), xy), z));
        add(hn::Mul(hn::Mul(c(kSh3[2]), y), four_zz));
        add(hn::Mul(hn::Mul(c(kSh3[3]), z),
                    hn::NegMulAdd(three, hn::Add(xx, yy), hn::Add(zz, zz))));
        add(hn::Mul(hn::Mul(c(kSh3[4]), x), four_zz));
        add(hn::Mul(hn::Mul(c(kSh3[5]), z), hn::Sub(xx, yy)));
        add(hn::Mul(hn::Mul(c(kSh3[6]), x), hn::NegMulAdd(three, yy, xx)));
      }
    }
  }
  const V zero = hn::Zero(D());
  return {hn::Max(rgb.r, zero), hn::Max(rgb.g, zero), hn::Max(rgb.b, zero)};
}

// Rows of (J W R diag(scale)): their dot products are the covariance in the image, and their cross
// product is the root of its determinant, without the cancellation of a direct determinant.
HWY_INLINE V3 spread(const V3& row, const V3& column_x, const V3& column_y, const V3& column_z,
                     const V3& scale) {
  const V3 wide{hn::Mul(dot(row, column_x), scale.x), hn::Mul(dot(row, column_y), scale.y),
                hn::Mul(dot(row, column_z), scale.z)};
  // 10^8 px is flat in any image, and its fourth power still fits into a float.
  const V limit = hn::Min(set(1), hn::Div(set(1e8f), hn::Sqrt(hn::Max(dot(wide, wide), set(1)))));
  return {hn::Mul(wide.x, limit), hn::Mul(wide.y, limit), hn::Mul(wide.z, limit)};
}

template <LensKind Kind>
size_t projectSplats(const SplatScene& scene, size_t cluster, const ProjectionView& view,
                     const ProjectedArrays& out) {
  const D d;
  const size_t lanes = hn::Lanes(d);
  size_t count = 0;
  for (size_t i = cluster * kClusterSize; i < (cluster + 1) * kClusterSize; i += lanes) {
    const auto load = [&](const SplatScene::Floats& values) { return hn::Load(d, &values[i]); };
    const V3 from_eye{hn::Sub(load(scene.position[0]), set(view.eye[0])),
                      hn::Sub(load(scene.position[1]), set(view.eye[1])),
                      hn::Sub(load(scene.position[2]), set(view.eye[2]))};
    const float* w = view.opencv_from_map;
    const auto row = [&](int r) {
      return hn::MulAdd(set(w[r]), from_eye.x,
                        hn::MulAdd(set(w[r + 1]), from_eye.y, hn::Mul(set(w[r + 2]), from_eye.z)));
    };
    const V3 p{row(0), row(3), row(6)};
    const V depth = Kind == LensKind::Equidistant ? hn::Sqrt(dot(p, p)) : p.z;
    M shown = hn::And(hn::Ge(depth, set(view.near_plane)), hn::Le(depth, set(view.far_plane)));
    if (hn::AllFalse(d, shown)) continue;
    const Point<Lanes> point{Lanes(p.x), Lanes(p.y), Lanes(p.z)};
    const Seen<Lanes> seen = see<Kind>(view, point);
    const V x_px = seen.x.v, y_px = seen.y.v;
    if constexpr (Kind == LensKind::Equidistant)
      shown = hn::And(shown, hn::Le(angleFromAxis(point).v, set(view.cull_angle)));
    else shown = hn::And(shown, hn::Gt(p.z, hn::Zero(d)));

    const V qx = load(scene.rotation[0]), qy = load(scene.rotation[1]),
            qz = load(scene.rotation[2]), qw = load(scene.rotation[3]);
    const V one = set(1), two = set(2);
    const V xx = hn::Mul(qx, qx), yy = hn::Mul(qy, qy), zz = hn::Mul(qz, qz);
    const V xy = hn::Mul(qx, qy), xz = hn::Mul(qx, qz), yz = hn::Mul(qy, qz);
    const V wx = hn::Mul(qw, qx), wy = hn::Mul(qw, qy), wz = hn::Mul(qw, qz);
    const V3 column_x{hn::NegMulAdd(two, hn::Add(yy, zz), one), hn::Mul(two, hn::Add(xy, wz)),
                      hn::Mul(two, hn::Sub(xz, wy))};
    const V3 column_y{hn::Mul(two, hn::Sub(xy, wz)), hn::NegMulAdd(two, hn::Add(xx, zz), one),
                      hn::Mul(two, hn::Add(yz, wx))};
    const V3 column_z{hn::Mul(two, hn::Add(xz, wy)), hn::Mul(two, hn::Sub(yz, wx)),
                      hn::NegMulAdd(two, hn::Add(xx, yy), one)};
    const V3 scale{load(scene.scale[0]), load(scene.scale[1]), load(scene.scale[2])};
    const V3 u = spread(times(plain(seen.x_by_point), w), column_x, column_y, column_z, scale);
    const V3 v = spread(times(plain(seen.y_by_point), w), column_x, column_y, column_z, scale);

    const V dilation = set(static_cast<float>(kDilation));
    const V uu = dot(u, u), uv = dot(u, v), vv = dot(v, v);
    const V3 cross{hn::MulSub(u.y, v.z, hn::Mul(u.z, v.y)), hn::MulSub(u.z, v.x, hn::Mul(u.x, v.z)),
                   hn::MulSub(u.x, v.y, hn::Mul(u.y, v.x))};
    const V sharp_det = dot(cross, cross);
    const V det = hn::MulAdd(dilation, hn::Add(hn::Add(uu, vv), dilation), sharp_det);
    const V cov_xx = hn::Add(uu, dilation), cov_yy = hn::Add(vv, dilation);

    V log2_opacity = load(scene.log2_opacity);
    if (view.is_antialiased)
      log2_opacity = hn::MulAdd(
          set(0.5f), hn::Log2(d, hn::Max(hn::Div(sharp_det, det), set(1e-37f))), log2_opacity);
    // alpha >= 1/255 within reach standard deviations
    const V levels = hn::Add(log2_opacity, set(kLog2Of255));
    const V reach2 = hn::Mul(set(1.38629436f), levels);
    const V reach_x = hn::Sqrt(hn::Mul(reach2, cov_xx)),
            reach_y = hn::Sqrt(hn::Mul(reach2, cov_yy));
    shown = hn::And(shown, hn::Ge(levels, hn::Zero(d)));
    // Pixel centres within the reach: from the first whole number to the last, in tiles. A hair
    // more, because rounding must not cost a tile its splat.
    const V hair = set(0.01f), per_tile = set(1.0f / kTileSize), zero = hn::Zero(d);
    const auto firstOf = [&](const V& center, const V& reach) HWY_ATTR {
      return hn::Max(hn::Ceil(hn::Sub(hn::Sub(center, reach), hair)), zero);
    };
    const auto lastOf = [&](const V& center, const V& reach, float end) HWY_ATTR {
      return hn::Min(hn::Floor(hn::Add(hn::Add(center, reach), hair)), set(end));
    };
    const V left = firstOf(x_px, reach_x), right = lastOf(x_px, reach_x, view.right);
    const V top = firstOf(y_px, reach_y), bottom = lastOf(y_px, reach_y, view.bottom);
    shown = hn::And(shown, hn::And(hn::Le(left, right), hn::Le(top, bottom)));
    if (hn::AllFalse(d, shown)) continue;

    const V inverse_yy = hn::Div(one, cov_yy);
    constexpr float kHalfLog2E = 0.721347520444482f;
    const Rgb rgb = colorsOf(scene, i, from_eye);
    alignas(64) float xs[kShBlock], ys[kShBlock], as[kShBlock], shears[kShBlock], es[kShBlock],
        opacities[kShBlock], zs[kShBlock], reds[kShBlock], greens[kShBlock], blues[kShBlock];
    hn::Store(x_px, d, xs);
    hn::Store(y_px, d, ys);
    hn::Store(hn::Mul(set(-kHalfLog2E), hn::Div(cov_yy, det)), d, as);
    hn::Store(hn::Neg(hn::Mul(uv, inverse_yy)), d, shears);
    hn::Store(hn::Mul(set(-kHalfLog2E), inverse_yy), d, es);
    hn::Store(log2_opacity, d, opacities);
    hn::Store(depth, d, zs);
    const V most = set(65504);
    hn::Store(hn::Min(rgb.r, most), d, reds);
    hn::Store(hn::Min(rgb.g, most), d, greens);
    hn::Store(hn::Min(rgb.b, most), d, blues);
    const hn::RebindToSigned<D> di;
    const hn::Rebind<uint16_t, D> d16;
    alignas(16) uint16_t columns0[kShBlock], columns1[kShBlock], rows0[kShBlock], rows1[kShBlock];
    const auto storeTile = [&](const V& px, uint16_t* tiles) HWY_ATTR {
      const V inside = hn::Min(hn::Max(px, zero), set(1 << 20));  // lanes not shown are anywhere
      hn::StoreU(hn::DemoteTo(d16, hn::ConvertTo(di, hn::Mul(inside, per_tile))), d16, tiles);
    };
    storeTile(left, columns0);
    storeTile(right, columns1);
    storeTile(top, rows0);
    storeTile(bottom, rows1);
    uint8_t bits[8] = {};
    hn::StoreMaskBits(d, shown, bits);
    for (unsigned rest = bits[0]; rest != 0; rest &= rest - 1) {
      const int k = std::countr_zero(rest);
      const auto place = static_cast<unsigned>(i % kClusterSize) + static_cast<unsigned>(k);
      out.splats[count] = {xs[k],
                           ys[k],
                           as[k],
                           shears[k],
                           es[k],
                           opacities[k],
                           PackedRgb::from(reds[k], greens[k], blues[k], place)};
      out.ranges[count] = {columns0[k], columns1[k], rows0[k], rows1[k]};
      out.depths[count] = zs[k];
      ++count;
    }
  }
  return count;
}

size_t projectPinhole(const SplatScene& scene, size_t cluster, const ProjectionView& view,
                      const ProjectedArrays& out) {
  return projectSplats<LensKind::Pinhole>(scene, cluster, view, out);
}
size_t projectBrown(const SplatScene& scene, size_t cluster, const ProjectionView& view,
                    const ProjectedArrays& out) {
  return projectSplats<LensKind::Brown>(scene, cluster, view, out);
}
size_t projectEquidistant(const SplatScene& scene, size_t cluster, const ProjectionView& view,
                          const ProjectedArrays& out) {
  return projectSplats<LensKind::Equidistant>(scene, cluster, view, out);
}

}  // namespace gs::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gs {

HWY_EXPORT(projectPinhole);
HWY_EXPORT(projectBrown);
HWY_EXPORT(projectEquidistant);

ProjectionView::ProjectionView(const Lens& lens, const Camera& camera,
                               const Rigid3& map_from_opencv, const RenderSettings& settings)
    : kind(lens.isFisheye()   ? LensKind::Equidistant
           : lens.isPinhole() ? LensKind::Pinhole
                              : LensKind::Brown),
      is_antialiased(settings.is_antialiased) {
  const Mat3 rotation = map_from_opencv.rotation.inverse().toRotationMatrix();
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) opencv_from_map[3 * r + c] = static_cast<float>(rotation(r, c));
  for (int axis = 0; axis < 3; ++axis)
    eye[axis] = static_cast<float>(map_from_opencv.translation[axis]);
  const auto narrow = [](double value) { return static_cast<float>(value); };
  const CameraIntrinsics& k = lens.intrinsics();
  fx = narrow(k.fx), fy = narrow(k.fy), cx = narrow(k.cx), cy = narrow(k.cy);
  k1 = narrow(k.k1), k2 = narrow(k.k2), p1 = narrow(k.p1), p2 = narrow(k.p2);
  k3 = narrow(k.k3.value_or(0)), k4 = narrow(k.k4.value_or(0));
  k5 = narrow(k.k5.value_or(0)), k6 = narrow(k.k6.value_or(0));
  const LensLimits& limits = lens.limits();
  clamp_x_min = narrow(limits.clamp_x_min), clamp_x_max = narrow(limits.clamp_x_max);
  clamp_y_min = narrow(limits.clamp_y_min), clamp_y_max = narrow(limits.clamp_y_max);
  max_radius2 = narrow(limits.max_radius2);
  max_angle = narrow(limits.max_angle), cull_angle = narrow(limits.cull_angle);
  near_plane = narrow(settings.near_plane), far_plane = narrow(settings.far_plane);
  right = static_cast<float>(camera.width - 1), bottom = static_cast<float>(camera.height - 1);
}

size_t projectCluster(const SplatScene& scene, size_t cluster, const ProjectionView& view,
                      const ProjectedArrays& out) {
  switch (view.kind) {
    case LensKind::Pinhole: return HWY_DYNAMIC_DISPATCH(projectPinhole)(scene, cluster, view, out);
    case LensKind::Brown: return HWY_DYNAMIC_DISPATCH(projectBrown)(scene, cluster, view, out);
    default: return HWY_DYNAMIC_DISPATCH(projectEquidistant)(scene, cluster, view, out);
  }
}

}  // namespace gs
#endif

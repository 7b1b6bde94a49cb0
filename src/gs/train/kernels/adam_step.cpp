// SPDX-License-Identifier: Apache-2.0
#include "gs/train/trained_splats.hpp"

// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "gs/train/kernels/adam_step.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include "gs/render/kernels/lanes-inl.hpp"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace gs::HWY_NAMESPACE {

using L = Lanes;

// By how much a parameter moves; what Adam remembers is updated. A gradient that is not a number
// is none.
HWY_INLINE L adam(L gradient, LaneMask moves, const AdamStep& step, float* mean, float* variance) {
  const L big(1e30f), zero(0.0f);
  const L g = select(isLess(L(hn::Abs(gradient.v)), big), gradient, zero);
  const L old_mean = L::load(mean), old_variance = L::load(variance);
  const L m = fma(L(kBeta1), old_mean, L(1 - kBeta1) * g);
  const L v = fma(L(kBeta2), old_variance, L(1 - kBeta2) * g * g);
  select(moves, m, old_mean).store(mean);
  select(moves, v, old_variance).store(variance);
  const L change = (m * L(1 / step.bias1)) / (sqrt(v * L(1 / step.bias2)) + L(kEpsilon));
  return select(moves, change, zero);
}

void stepCluster(TrainedSplats& splats, size_t cluster, const SplatGradients& gradients,
                 const std::array<uint8_t, kClusterSize>& is_seen, const AdamStep& step) {
  const LaneTag d;
  const size_t lanes = hn::Lanes(d);
  const hn::Rebind<hwy::float16_t, LaneTag> half;
  SplatScene& scene = splats.scene;
  const size_t coefficients = scene.coefficients();
  const size_t learned = std::min(
      coefficients, static_cast<size_t>((step.learned_degree + 1) * (step.learned_degree + 1)));
  const L zero(0.0f), one(1.0f);
  for (size_t place = 0; place < kClusterSize; place += lanes) {
    alignas(64) float flags[kShBlock];
    bool is_any = false;
    for (size_t k = 0; k < lanes; ++k) {
      flags[k] = is_seen[place + k] ? 1.0f : 0.0f;
      is_any |= is_seen[place + k] != 0;
    }
    if (!is_any) continue;
    const LaneMask moves = isLess(zero, L::load(flags));
    const size_t i = cluster * kClusterSize + place;
    const auto change = [&](size_t parameter, L gradient) HWY_ATTR {
      return adam(gradient, moves, step, &splats.mean[parameter][i],
                  &splats.variance[parameter][i]);
    };
    const auto gradient = [&](const ClusterFloats& values)
                              HWY_ATTR { return L::load(&values[place]); };

    const L reach = L(step.position) * gradient(gradients.depth);
    for (size_t axis = 0; axis < 3; ++axis) {
      float* at = &scene.position[axis][i];
      const L moved = change(axis, gradient(gradients.position[axis]));
      select(moves, L::load(at) - reach * moved, L::load(at)).store(at);
    }

    L logs[3];
    for (size_t axis = 0; axis < 3; ++axis) {
      const L pull = L(step.scale_pull) * L::load(&scene.scale[axis][i]);
      const L moved = change(3 + axis, gradient(gradients.log_scale[axis]) + pull);
      logs[axis] = L::load(&splats.log_scale[axis][i]) - L(step.scaling) * moved;
    }
    const L longest = larger(larger(logs[0], logs[1]), logs[2]);
    const L shortest = smaller(smaller(logs[0], logs[1]), logs[2]);
    const L middle = logs[0] + logs[1] + logs[2] - longest - shortest;
    const L limit = smaller(middle + L(step.max_stretch), L(step.max_log_scale));
    for (size_t axis = 0; axis < 3; ++axis) {
      const L log = larger(smaller(logs[axis], limit), L(step.min_log_scale));
      float *log_at = &splats.log_scale[axis][i], *scale_at = &scene.scale[axis][i];
      select(moves, log, L::load(log_at)).store(log_at);
      select(moves, L(hn::Exp(d, log.v)), L::load(scale_at)).store(scale_at);
    }

    L q[4];
    L norm2 = zero;
    for (size_t k = 0; k < 4; ++k) {
      q[k] = L::load(&scene.rotation[k][i]) -
             L(step.rotation) * change(6 + k, gradient(gradients.rotation[k]));
      norm2 = fma(q[k], q[k], norm2);
    }
    const L inverse = one / sqrt(norm2);
    for (size_t k = 0; k < 4; ++k) {
      float* at = &scene.rotation[k][i];
      select(moves, q[k] * inverse, L::load(at)).store(at);
    }

    float* logit_at = &splats.logit_opacity[i];
    const L old_logit = L::load(logit_at);
    const L opacity = sigmoid(old_logit);
    const L pull = L(step.opacity_pull) * opacity * (one - opacity);
    const L moved = change(10, gradient(gradients.logit_opacity) + pull);
    const L logit = larger(smaller(old_logit - L(step.opacity) * moved, L(12.0f)), L(-12.0f));
    select(moves, logit, old_logit).store(logit_at);
    float* log2_at = &scene.log2_opacity[i];
    // log2(sigmoid(x)) = -log2(1 + exp(-x))
    const L log2_opacity(hn::Neg(hn::Log2(d, hn::Add(one.v, hn::Exp(d, hn::Neg(logit.v))))));
    select(moves, log2_opacity, L::load(log2_at)).store(log2_at);

    const size_t block = i / kShBlock * kShBlock * coefficients * 3 + i % kShBlock;
    for (size_t k = 0; k < learned; ++k) {
      const L rate(k == 0 ? step.feature : step.feature / 20);
      for (size_t c = 0; c < 3; ++c) {
        const size_t at = block + (k * 3 + c) * kShBlock;
        const L moved_by = adam(gradient(gradients.sh[k * 3 + c]), moves, step, &splats.sh_mean[at],
                                &splats.sh_variance[at]);
        const L value =
            select(moves, L::load(&splats.sh[at]) - rate * moved_by, L::load(&splats.sh[at]));
        value.store(&splats.sh[at]);
        hn::StoreU(hn::DemoteTo(half, value.v), half,
                   reinterpret_cast<hwy::float16_t*>(&scene.sh[at]));
      }
    }
  }
}

}  // namespace gs::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gs {

HWY_EXPORT(stepCluster);

void adamStep(TrainedSplats& splats, size_t cluster, const SplatGradients& gradients,
              const std::array<uint8_t, kClusterSize>& is_seen, const AdamStep& step) {
  HWY_DYNAMIC_DISPATCH(stepCluster)(splats, cluster, gradients, is_seen, step);
  const size_t first = cluster * kClusterSize;
  splats.scene.clusters[cluster] =
      boxOf(splats.scene, first, std::min(splats.scene.count, first + kClusterSize));
}

}  // namespace gs
#endif

// SPDX-License-Identifier: Apache-2.0
#include "gs/train/trained_splats.hpp"

#include "gs/core/check.hpp"
#include "gs/core/parallel.hpp"

namespace gs {
namespace {

// Where coefficient k, channel c of splat i stands in sh arrays.
size_t shPlace(const SplatScene& scene, size_t i, size_t k, size_t c) {
  return i / kShBlock * kShBlock * scene.coefficients() * 3 + (k * 3 + c) * kShBlock + i % kShBlock;
}

constexpr size_t kGrain = 4096;

}  // namespace

TrainedSplats continuedFrom(const TrainedSplats& old, const GaussianCloud& cloud,
                            const std::vector<uint32_t>& parents) {
  GS_CHECK(parents.size() == cloud.size());
  TrainedSplats out;
  std::vector<uint32_t> order;
  out.scene = makeSplatScene(cloud, &order);
  const size_t padded = out.scene.log2_opacity.size();
  const size_t coefficients = out.scene.coefficients(), rest = coefficients - 1;
  for (auto& axis : out.log_scale) axis.assign(padded, 0.0f);
  out.logit_opacity.assign(padded, -12.0f);
  out.sh.assign(out.scene.sh.size(), 0.0f);
  for (auto& values : out.mean) values.assign(padded, 0.0f);
  for (auto& values : out.variance) values.assign(padded, 0.0f);
  out.sh_mean.assign(out.sh.size(), 0.0f);
  out.sh_variance.assign(out.sh.size(), 0.0f);
  out.views.assign(padded, 0.0f);
  out.error.assign(padded, 0.0f);
  out.gradient.assign(padded, 0.0f);
  parallelFor(out.size(), kGrain, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      const size_t from = order[i];
      for (size_t axis = 0; axis < 3; ++axis) out.log_scale[axis][i] = cloud.log_scale[axis][from];
      out.logit_opacity[i] = cloud.logit_opacity[from];
      for (size_t c = 0; c < 3; ++c) {
        out.sh[shPlace(out.scene, i, 0, c)] = cloud.sh_dc[c][from];
        for (size_t k = 0; k < rest; ++k)
          out.sh[shPlace(out.scene, i, k + 1, c)] = cloud.sh_rest[(from * 3 + c) * rest + k];
      }
      const uint32_t parent = parents[from];
      if (parent == kNoParent) continue;
      for (size_t p = 0; p < TrainedSplats::kGeometry; ++p) {
        out.mean[p][i] = old.mean[p][parent];
        out.variance[p][i] = old.variance[p][parent];
      }
      for (size_t k = 0; k < coefficients; ++k)
        for (size_t c = 0; c < 3; ++c) {
          const size_t to = shPlace(out.scene, i, k, c), at = shPlace(old.scene, parent, k, c);
          out.sh_mean[to] = old.sh_mean[at];
          out.sh_variance[to] = old.sh_variance[at];
        }
    }
  });
  return out;
}

TrainedSplats trainedFrom(const GaussianCloud& cloud) {
  return continuedFrom({}, cloud, std::vector<uint32_t>(cloud.size(), kNoParent));
}

GaussianCloud cloudOf(const TrainedSplats& splats) {
  const SplatScene& scene = splats.scene;
  const size_t rest = scene.coefficients() - 1;
  GaussianCloud cloud;
  cloud.sh_degree = scene.sh_degree;
  cloud.resize(splats.size());
  parallelFor(splats.size(), kGrain, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      for (size_t axis = 0; axis < 3; ++axis) {
        cloud.position[axis][i] = scene.position[axis][i];
        cloud.log_scale[axis][i] = splats.log_scale[axis][i];
      }
      for (size_t k = 0; k < 4; ++k) cloud.rotation[k][i] = scene.rotation[k][i];
      cloud.logit_opacity[i] = splats.logit_opacity[i];
      for (size_t c = 0; c < 3; ++c) {
        cloud.sh_dc[c][i] = splats.sh[shPlace(scene, i, 0, c)];
        for (size_t k = 0; k < rest; ++k)
          cloud.sh_rest[(i * 3 + c) * rest + k] = splats.sh[shPlace(scene, i, k + 1, c)];
      }
    }
  });
  return cloud;
}

}  // namespace gs

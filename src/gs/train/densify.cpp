// SPDX-License-Identifier: Apache-2.0
#include "gs/train/densify.hpp"

#include <algorithm>
#include <cmath>

#include "gs/bundle/gaussian_encoding.hpp"
#include "gs/core/linear.hpp"

namespace gs {
namespace {

constexpr float kFaint = 0.005f;
constexpr size_t kMostPieces = 4;

float sigmoid(float x) { return 1 / (1 + std::exp(-x)); }

void copySplat(const GaussianCloud& from, size_t i, GaussianCloud& to, size_t n) {
  const size_t rest = restCount(from.sh_degree);
  for (size_t k = 0; k < 3; ++k) {
    to.position[k][n] = from.position[k][i];
    to.log_scale[k][n] = from.log_scale[k][i];
    to.sh_dc[k][n] = from.sh_dc[k][i];
  }
  for (size_t k = 0; k < 4; ++k) to.rotation[k][n] = from.rotation[k][i];
  to.logit_opacity[n] = from.logit_opacity[i];
  std::copy_n(from.sh_rest.begin() + static_cast<ptrdiff_t>(i * rest), rest,
              to.sh_rest.begin() + static_cast<ptrdiff_t>(n * rest));
}

Vec3f sampleWithin(const GaussianCloud& cloud, size_t i, Rng& rng) {
  const Eigen::Quaternionf q(cloud.rotation[3][i], cloud.rotation[0][i], cloud.rotation[1][i],
                             cloud.rotation[2][i]);
  Vec3f local;
  for (int k = 0; k < 3; ++k)
    local[k] = std::exp(cloud.log_scale[k][i]) * static_cast<float>(rng.normal());
  return q.normalized() * local;
}

// How many pieces each splat becomes: 0 removes it, 1 keeps it.
std::vector<uint8_t> piecesByError(const TrainedSplats& splats, const std::vector<float>& opacity,
                                   size_t budget, Rng& rng) {
  const size_t count = splats.size();
  std::vector<uint8_t> pieces(count, 1);
  size_t kept = count;
  for (size_t i = 0; i < count; ++i)
    if (opacity[i] < kFaint) pieces[i] = 0, --kept;
  // Drawn by the blame per view: a splat that was looked at often is not worse for it.
  std::vector<double> until(count);
  double sum = 0;
  for (size_t i = 0; i < count; ++i) {
    if (pieces[i] > 0 && splats.views[i] > 0)
      sum += static_cast<double>(splats.error[i] / splats.views[i]);
    until[i] = sum;
  }
  if (!(sum > 0)) return pieces;
  for (size_t n = kept; n < budget; ++n) {
    const auto at = std::upper_bound(until.begin(), until.end(), rng.uniform() * sum);
    const auto i = static_cast<size_t>(
        std::min<ptrdiff_t>(at - until.begin(), static_cast<ptrdiff_t>(count) - 1));
    if (pieces[i] > 0 && pieces[i] < kMostPieces) ++pieces[i];
  }
  return pieces;
}

std::vector<uint8_t> piecesByGradient(const TrainedSplats& splats,
                                      const std::vector<float>& opacity, double threshold,
                                      size_t budget) {
  const size_t count = splats.size();
  std::vector<uint8_t> pieces(count, 1);
  size_t total = count;
  for (size_t i = 0; i < count; ++i)
    if (opacity[i] < kFaint) pieces[i] = 0, --total;
  for (size_t i = 0; i < count && total < budget; ++i)
    if (pieces[i] == 1 && splats.views[i] > 0 && splats.gradient[i] / splats.views[i] > threshold)
      pieces[i] = 2, ++total;
  return pieces;
}

}  // namespace

DensifyCounts densify(TrainedSplats& splats, const TrainerOptions& options, Rng& rng) {
  const GaussianCloud old = cloudOf(splats);
  const size_t count = old.size();
  std::vector<float> opacity(count);
  for (size_t i = 0; i < count; ++i) opacity[i] = sigmoid(old.logit_opacity[i]);
  const bool is_classic = options.densify == DensifyMethod::Classic;
  const size_t budget =
      std::min(options.max_gaussians,
               std::max<size_t>(count + count / 20, std::min<size_t>(count + 200, 1000)));
  const std::vector<uint8_t> pieces =
      is_classic ? piecesByGradient(splats, opacity, options.grad_threshold, options.max_gaussians)
                 : piecesByError(splats, opacity, budget, rng);
  size_t total = 0;
  DensifyCounts counts;
  for (const uint8_t n : pieces) {
    total += n;
    counts.removed += n == 0;
    counts.added += n > 1 ? n - 1u : 0u;
  }
  if (total == 0) return {};  // nothing would be left: better a poor world than none
  GaussianCloud cloud;
  cloud.sh_degree = old.sh_degree;
  cloud.resize(total);
  std::vector<uint32_t> parents;
  parents.reserve(total);
  for (size_t i = 0; i < count; ++i) {
    for (uint8_t piece = 0; piece < pieces[i]; ++piece) {
      const size_t n = parents.size();
      copySplat(old, i, cloud, n);
      parents.push_back(pieces[i] == 1 ? static_cast<uint32_t>(i) : kNoParent);
      if (pieces[i] == 1) continue;
      const float part = 1 - std::pow(1 - opacity[i], 1.0f / static_cast<float>(pieces[i]));
      cloud.logit_opacity[n] =
          logitFromOpacity(std::clamp(is_classic ? opacity[i] : part, 2 * kFaint, 0.99f));
      const Vec3f shift = sampleWithin(old, i, rng);
      for (size_t k = 0; k < 3; ++k) {
        cloud.position[k][n] += shift[static_cast<int>(k)];
        cloud.log_scale[k][n] -= std::log(1.0f + 0.3f * static_cast<float>(pieces[i] - 1));
      }
    }
  }
  splats = continuedFrom(splats, cloud, parents);
  return counts;
}

}  // namespace gs

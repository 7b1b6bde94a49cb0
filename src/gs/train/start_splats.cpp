// SPDX-License-Identifier: Apache-2.0
#include "gs/train/start_splats.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gs/core/parallel.hpp"

namespace gs {
namespace {

constexpr size_t kGrain = 16384;

// Places at least `spacing` apart: enough to know how far something is.
std::vector<Vec3f> apart(std::span<const Vec3> eyes, float spacing) {
  std::vector<Vec3f> kept;
  for (const Vec3& eye : eyes) {
    const Vec3f at = eye.cast<float>();
    if (std::none_of(kept.begin(), kept.end(),
                     [&](const Vec3f& k) { return (k - at).squaredNorm() < spacing * spacing; }))
      kept.push_back(at);
  }
  return kept;
}

struct Placed {
  uint64_t key;
  uint32_t index;
  bool operator<(const Placed& other) const {
    return key != other.key ? key < other.key : index < other.index;
  }
};

// Cells are 2^level m wide; 19 bits for each axis and 6 for the level.
uint64_t keyOf(const Vec3f& p, int level) {
  const auto cell = [&](float x) {
    const double at = std::floor(static_cast<double>(x) * std::exp2(-level));
    return static_cast<uint64_t>(std::clamp(at + (1 << 18), 0.0, (1 << 19) - 1.0));
  };
  return static_cast<uint64_t>(level + 32) << 57 | cell(p.x()) << 38 | cell(p.y()) << 19 |
         cell(p.z());
}

int levelOf(float distance, double size) {
  return std::clamp(static_cast<int>(std::lround(std::log2(distance * size))), -7, 10);
}

std::vector<Placed> placeAll(const GaussianCloud& cloud, const std::vector<float>& distance,
                             double size) {
  std::vector<Placed> placed(cloud.size());
  parallelFor(cloud.size(), kGrain, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i)
      placed[i] = {keyOf({cloud.position[0][i], cloud.position[1][i], cloud.position[2][i]},
                         levelOf(distance[i], size)),
                   static_cast<uint32_t>(i)};
  });
  std::sort(placed.begin(), placed.end());
  return placed;
}

size_t cellsOf(const std::vector<Placed>& placed) {
  size_t cells = 0;
  for (size_t i = 0; i < placed.size(); ++i) cells += i == 0 || placed[i].key != placed[i - 1].key;
  return cells;
}

}  // namespace

GaussianCloud thinOut(const GaussianCloud& cloud, std::span<const Vec3> eyes, size_t max_count) {
  if (cloud.size() <= max_count || max_count == 0) return cloud;
  const std::vector<Vec3f> places = apart(eyes, 2);
  std::vector<float> distance(cloud.size());
  parallelFor(cloud.size(), kGrain, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      const Vec3f p(cloud.position[0][i], cloud.position[1][i], cloud.position[2][i]);
      float nearest = places.empty() ? 1.0f : std::numeric_limits<float>::infinity();
      for (const Vec3f& place : places) nearest = std::min(nearest, (place - p).squaredNorm());
      distance[i] = std::clamp(std::sqrt(nearest), 2.0f, 1e4f);
    }
  });
  // The smallest cells that few enough splats have: levels are whole, so the search is short.
  double low = 1e-4, high = 1;
  std::vector<Placed> placed = placeAll(cloud, distance, high);
  for (int round = 0; round < 7; ++round) {
    const double middle = std::sqrt(low * high);
    std::vector<Placed> tried = placeAll(cloud, distance, middle);
    if (cellsOf(tried) <= max_count) high = middle, placed = std::move(tried);
    else low = middle;
  }

  std::vector<size_t> firsts;
  for (size_t i = 0; i < placed.size(); ++i)
    if (i == 0 || placed[i].key != placed[i - 1].key) firsts.push_back(i);
  firsts.resize(std::min(firsts.size(), max_count));  // beyond one size for all, the rest is lost

  GaussianCloud out;
  out.sh_degree = cloud.sh_degree;
  const size_t rest = restCount(cloud.sh_degree), count = firsts.size();
  out.resize(count);
  parallelFor(count, 1024, [&](size_t begin, size_t end) {
    for (size_t n = begin; n < end; ++n) {
      const size_t first = firsts[n];
      size_t last = first + 1;
      while (last < placed.size() && placed[last].key == placed[first].key) ++last;
      const size_t i = placed[first].index;
      const auto mean = [&](const GaussianCloud::Floats& values) {
        double sum = 0;
        for (size_t k = first; k < last; ++k) sum += static_cast<double>(values[placed[k].index]);
        return static_cast<float>(sum / static_cast<double>(last - first));
      };
      const double cell = std::exp2(levelOf(distance[i], high));
      const float size = std::log(static_cast<float>(0.45 * cell));
      for (size_t k = 0; k < 3; ++k) {
        out.position[k][n] = mean(cloud.position[k]);
        out.sh_dc[k][n] = mean(cloud.sh_dc[k]);
      }
      const float thin =
          std::min({cloud.log_scale[0][i], cloud.log_scale[1][i], cloud.log_scale[2][i]});
      for (size_t k = 0; k < 3; ++k) {
        const bool is_across = cloud.log_scale[k][i] <= thin + 0.5f && k == 2;
        out.log_scale[k][n] = is_across ? std::min(size, size - 1.6f) : size;
      }
      for (size_t k = 0; k < 4; ++k) out.rotation[k][n] = cloud.rotation[k][i];
      out.logit_opacity[n] = cloud.logit_opacity[i];
      std::copy_n(cloud.sh_rest.begin() + static_cast<ptrdiff_t>(i * rest), rest,
                  out.sh_rest.begin() + static_cast<ptrdiff_t>(n * rest));
    }
  });
  return out;
}

}  // namespace gs

// SPDX-License-Identifier: Apache-2.0
#include "gs/render/splat_scene.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gs/core/parallel.hpp"
#include "gs/render/half_float.hpp"
#include "gs/render/projected_splat.hpp"
#include "gs/render/usable_splat.hpp"

namespace gs {
namespace {

constexpr size_t kGrain = 16384;

// Out to where alpha falls to 1/255 along an axis: sqrt(2 ln(255 o)) standard deviations.
float reachOf(float longest_scale, float log2_opacity) {
  constexpr float kTwoLn2 = 1.38629436f;
  return longest_scale * std::sqrt(kTwoLn2 * std::max(0.0f, log2_opacity + kLog2Of255));
}

// Every third bit, for a Morton code of 3 x 20 bits.
uint64_t spread(uint64_t v) {
  v = (v | v << 32) & 0x1f00000000ffffULL;
  v = (v | v << 16) & 0x1f0000ff0000ffULL;
  v = (v | v << 8) & 0x100f00f00f00f00fULL;
  v = (v | v << 4) & 0x10c30c30c30c30c3ULL;
  return (v | v << 2) & 0x1249249249249249ULL;
}

struct Bounds {
  std::array<float, 3> low{}, high{};
};

struct Placed {
  uint64_t key;
  uint32_t index;
};

// A few huge splats would make every cluster they are in huge, so they are kept apart: the size
// class is the top of the key, the place on the curve the rest.
uint64_t keyOf(const GaussianCloud& cloud, size_t i, const Bounds& bounds) {
  const float longest =
      std::max({cloud.log_scale[0][i], cloud.log_scale[1][i], cloud.log_scale[2][i]});
  const float reach = reachOf(std::exp(longest), std::log2(opacityOf(cloud, i)));
  const uint64_t size_class = reach < 1.5f ? 0 : reach < 12 ? 1 : 2;
  uint64_t code = 0;
  for (size_t axis = 0; axis < 3; ++axis) {
    const double extent = static_cast<double>(bounds.high[axis]) - bounds.low[axis];
    const double at = extent > 0 ? (cloud.position[axis][i] - bounds.low[axis]) / extent : 0;
    code |= spread(static_cast<uint64_t>(std::clamp(at, 0.0, 1.0) * 0xfffff)) << axis;
  }
  return size_class << 60 | code;
}

// The bulk of the splats decides the grid of the curve: a splat a thousand kilometres away must
// not squeeze the town into one cell. So the box between the 1st and 99th percentile of a sample.
Bounds boundsOf(const GaussianCloud& cloud, const std::vector<uint32_t>& usable) {
  Bounds bounds;
  const size_t step = usable.size() / 20000 + 1;
  for (size_t axis = 0; axis < 3; ++axis) {
    std::vector<float> sample;
    for (size_t n = 0; n < usable.size(); n += step)
      sample.push_back(cloud.position[axis][usable[n]]);
    if (sample.empty()) continue;
    std::sort(sample.begin(), sample.end());
    bounds.low[axis] = sample[sample.size() / 100];
    bounds.high[axis] = sample[sample.size() - 1 - sample.size() / 100];
  }
  return bounds;
}

std::vector<uint32_t> findUsable(const GaussianCloud& cloud) {
  using Part = std::vector<uint32_t>;
  return parallelReduce(
      cloud.size(), kGrain, Part{},
      [&](size_t begin, size_t end) {
        Part part;
        for (size_t i = begin; i < end; ++i)
          if (isUsable(cloud, i)) part.push_back(static_cast<uint32_t>(i));
        return part;
      },
      [](Part all, const Part& part) {
        all.insert(all.end(), part.begin(), part.end());
        return all;
      });
}

std::vector<uint32_t> orderBySpace(const GaussianCloud& cloud,
                                   const std::vector<uint32_t>& usable) {
  const Bounds bounds = boundsOf(cloud, usable);
  std::vector<Placed> placed(usable.size());
  parallelFor(usable.size(), kGrain, [&](size_t begin, size_t end) {
    for (size_t n = begin; n < end; ++n) placed[n] = {keyOf(cloud, usable[n], bounds), usable[n]};
  });
  std::sort(placed.begin(), placed.end(), [](const Placed& a, const Placed& b) {
    return a.key != b.key ? a.key < b.key : a.index < b.index;
  });
  std::vector<uint32_t> order(placed.size());
  for (size_t n = 0; n < placed.size(); ++n) order[n] = placed[n].index;
  return order;
}

void copySplat(const GaussianCloud& cloud, size_t from, size_t to, SplatScene& scene) {
  for (size_t axis = 0; axis < 3; ++axis) {
    scene.position[axis][to] = cloud.position[axis][from];
    scene.scale[axis][to] = std::exp(cloud.log_scale[axis][from]);
  }
  double norm2 = 0;
  for (const auto& part : cloud.rotation) norm2 += static_cast<double>(part[from]) * part[from];
  for (size_t k = 0; k < 4; ++k)
    scene.rotation[k][to] = static_cast<float>(cloud.rotation[k][from] / std::sqrt(norm2));
  scene.log2_opacity[to] = std::log2(opacityOf(cloud, from));

  const size_t coefficients = scene.coefficients(), rest = coefficients - 1;
  uint16_t* block = scene.sh.data() + to / kShBlock * kShBlock * coefficients * 3 + to % kShBlock;
  for (size_t c = 0; c < 3; ++c) {
    block[c * kShBlock] = halfFromFloat(cloud.sh_dc[c][from]);
    for (size_t k = 0; k < rest; ++k)
      block[((k + 1) * 3 + c) * kShBlock] = halfFromFloat(cloud.sh_rest[(from * 3 + c) * rest + k]);
  }
}

SplatBox joined(const SplatBox& a, const SplatBox& b) {
  SplatBox box = a;
  for (size_t axis = 0; axis < 3; ++axis) {
    box.low[axis] = std::min(a.low[axis], b.low[axis]);
    box.high[axis] = std::max(a.high[axis], b.high[axis]);
  }
  box.reach = std::max(a.reach, b.reach);
  return box;
}

void resize(SplatScene& scene, size_t padded) {
  for (auto& axis : scene.position) axis.resize(padded);
  for (auto& axis : scene.scale) axis.resize(padded);
  for (auto& part : scene.rotation) part.resize(padded);
  scene.log2_opacity.resize(padded);
  scene.sh.resize(padded * scene.coefficients() * 3);
}

}  // namespace

SplatBox boxOf(const SplatScene& scene, size_t begin, size_t end) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  SplatBox box{{kInfinity, kInfinity, kInfinity}, {-kInfinity, -kInfinity, -kInfinity}, 0};
  for (size_t i = begin; i < end; ++i) {
    for (size_t axis = 0; axis < 3; ++axis) {
      box.low[axis] = std::min(box.low[axis], scene.position[axis][i]);
      box.high[axis] = std::max(box.high[axis], scene.position[axis][i]);
    }
    const float longest = std::max({scene.scale[0][i], scene.scale[1][i], scene.scale[2][i]});
    box.reach = std::max(box.reach, reachOf(longest, scene.log2_opacity[i]));
  }
  return box;
}

void updateGroups(SplatScene& scene) {
  const size_t clusters = scene.clusters.size();
  scene.groups.clear();
  for (size_t first = 0; first < clusters; first += kGroupSize) {
    SplatBox group = scene.clusters[first];
    for (size_t i = first; i < std::min(clusters, first + kGroupSize); ++i)
      group = joined(group, scene.clusters[i]);
    scene.groups.push_back(group);
  }
}

SplatScene makeSplatScene(const GaussianCloud& cloud, std::vector<uint32_t>* order_out) {
  SplatScene scene;
  scene.sh_degree = cloud.sh_degree;
  const std::vector<uint32_t> order = orderBySpace(cloud, findUsable(cloud));
  scene.count = order.size();
  scene.dropped = cloud.size() - scene.count;
  const size_t clusters = (scene.count + kClusterSize - 1) / kClusterSize;
  resize(scene, clusters * kClusterSize);
  scene.clusters.resize(clusters);
  parallelFor(clusters, 16, [&](size_t begin, size_t end) {
    for (size_t cluster = begin; cluster < end; ++cluster) {
      const size_t first = cluster * kClusterSize;
      const size_t last = std::min(scene.count, first + kClusterSize);
      for (size_t i = first; i < last; ++i) copySplat(cloud, order[i], i, scene);
      for (size_t i = last; i < first + kClusterSize; ++i) {
        copySplat(cloud, order[last - 1], i, scene);
        scene.log2_opacity[i] = -1000;
      }
      scene.clusters[cluster] = boxOf(scene, first, last);
    }
  });
  updateGroups(scene);
  if (order_out != nullptr) *order_out = order;
  return scene;
}

}  // namespace gs

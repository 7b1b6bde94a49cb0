// SPDX-License-Identifier: Apache-2.0
#include "gs/geometry/poisson_field.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "gs/core/parallel.hpp"

namespace gs {
namespace {

constexpr int kCubeBricks = 32;
constexpr float kScreening = 0.08f;
constexpr int kIterations = 25;
constexpr double kTolerance = 1e-5;  // of the first residual's square
constexpr size_t kGrain = 16384;

struct Sample {
  float distance, weight;
  Vec3f normal;
};

// The equations of one cube: unknowns are the known samples in its bricks and those around.
class PoissonSystem {
 public:
  PoissonSystem(const OrientedPoints& points, const std::vector<uint64_t>& bricks)
      : points_(points) {
    std::vector<OrientedPoints::Samples> samples(bricks.size());
    parallelFor(bricks.size(), 16, [&](size_t begin, size_t end) {
      for (size_t b = begin; b < end; ++b) points.sample(bricks[b], samples[b]);
    });
    for (size_t b = 0; b < bricks.size(); ++b) {
      VoxelSet::Mask mask{};
      for (uint32_t v = 0; v < kBrickVoxels; ++v)
        if (samples[b].weight[v] > 0) mask[v >> 6] |= uint64_t{1} << (v & 63);
      set_.addBrick(bricks[b], mask);
    }
    samples_.resize(set_.size());
    neighbors_.resize(set_.size());
    parallelFor(bricks.size(), 16, [&](size_t begin, size_t end) {
      for (size_t b = begin; b < end; ++b) {
        const BrickNeighborhood around(set_, bricks[b]);
        forEachVoxel(set_.bricks()[b], [&](uint32_t local, uint32_t number) {
          samples_[number] = {samples[b].distance[local], samples[b].weight[local],
                              samples[b].normal[local].normalized()};
          const VoxelCoord v = voxelIn(bricks[b], local);
          neighbors_[number] = {around.find({v.x - 1, v.y, v.z}), around.find({v.x + 1, v.y, v.z}),
                                around.find({v.x, v.y - 1, v.z}), around.find({v.x, v.y + 1, v.z}),
                                around.find({v.x, v.y, v.z - 1}), around.find({v.x, v.y, v.z + 1})};
        });
      }
    });
  }

  // Conjugate gradients from the fused distances.
  void solve() {
    const size_t n = samples_.size();
    x_.resize(n);
    std::vector<float> residual(n), direction(n), product(n);
    parallelFor(n, kGrain, [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) x_[i] = samples_[i].distance;
    });
    apply(x_, product);
    parallelFor(n, kGrain, [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) direction[i] = residual[i] = rightSide(i) - product[i];
    });
    double square = dot(residual, residual);
    const double enough = kTolerance * square;
    for (int k = 0; k < kIterations && square > enough; ++k) {
      apply(direction, product);
      const double curvature = dot(direction, product);
      if (!(curvature > 0)) break;
      const auto step = static_cast<float>(square / curvature);
      parallelFor(n, kGrain, [&](size_t begin, size_t end) {
        for (size_t i = begin; i < end; ++i) {
          x_[i] += step * direction[i];
          residual[i] -= step * product[i];
        }
      });
      const double next = dot(residual, residual);
      const auto keep = static_cast<float>(next / square);
      square = next;
      parallelFor(n, kGrain, [&](size_t begin, size_t end) {
        for (size_t i = begin; i < end; ++i) direction[i] = residual[i] + keep * direction[i];
      });
    }
  }

  FieldBrick result(uint64_t key) const {
    const VoxelSet::Brick& brick = *set_.findBrick(key);
    FieldBrick field{.distance = {}, .known = brick.mask};
    forEachVoxel(brick,
                 [&](uint32_t local, uint32_t number) { field.distance[local] = x_[number]; });
    return field;
  }

 private:
  float screening(size_t i) const { return kScreening * std::min(1.0f, samples_[i].weight); }

  // Laplacian over the neighbours that exist (none beyond: the gradient is free there).
  void apply(const std::vector<float>& x, std::vector<float>& out) const {
    parallelFor(x.size(), kGrain, [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) {
        float sum = screening(i) * x[i];
        for (const uint32_t j : neighbors_[i])
          if (j != VoxelSet::kNone) sum += x[i] - x[j];
        out[i] = sum;
      }
    });
  }
  float rightSide(size_t i) const {
    const float half = 0.5f * points_.voxelSize();
    float sum = screening(i) * samples_[i].distance;
    for (int k = 0; k < 6; ++k) {
      const uint32_t j = neighbors_[i][k];
      if (j == VoxelSet::kNone) continue;
      const float slope = half * (samples_[i].normal[k / 2] + samples_[j].normal[k / 2]);
      sum += k % 2 == 0 ? slope : -slope;
    }
    return sum;
  }
  static double dot(const std::vector<float>& a, const std::vector<float>& b) {
    return parallelReduce(
        a.size(), kGrain, 0.0,
        [&](size_t begin, size_t end) {
          double sum = 0;
          for (size_t i = begin; i < end; ++i)
            sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
          return sum;
        },
        [](double left, double right) { return left + right; });
  }

  const OrientedPoints& points_;
  VoxelSet set_;
  std::vector<Sample> samples_;
  std::vector<std::array<uint32_t, 6>> neighbors_;
  std::vector<float> x_;
};

}  // namespace

std::vector<PoissonCube> divideIntoCubes(const std::vector<uint64_t>& bricks) {
  std::map<std::array<int32_t, 3>, PoissonCube> cubes;
  const auto cubeOf = [](int32_t brick) {
    return (brick >= 0 ? brick : brick - kCubeBricks + 1) / kCubeBricks;
  };
  for (const uint64_t key : bricks) {
    const VoxelCoord corner = brickCorner(key);
    const std::array<int32_t, 3> at = {corner.x / kBrickSide, corner.y / kBrickSide,
                                       corner.z / kBrickSide};
    const std::array<int32_t, 3> own = {cubeOf(at[0]), cubeOf(at[1]), cubeOf(at[2])};
    cubes[own].bricks.push_back(key);
    for (int k = 0; k < 27; ++k) {
      const std::array<int32_t, 3> cube = {cubeOf(at[0] + k % 3 - 1), cubeOf(at[1] + k / 3 % 3 - 1),
                                           cubeOf(at[2] + k / 9 - 1)};
      if (cube == own) continue;
      std::vector<uint64_t>& margin = cubes[cube].margin;
      if (margin.empty() || margin.back() != key) margin.push_back(key);
    }
  }
  std::vector<PoissonCube> list;
  for (auto& [place, cube] : cubes)
    if (!cube.bricks.empty()) list.push_back(std::move(cube));
  return list;
}

void solvePoissonField(const OrientedPoints& points, const PoissonCube& cube,
                       std::span<FieldBrick> out) {
  std::vector<uint64_t> all = cube.bricks;
  all.insert(all.end(), cube.margin.begin(), cube.margin.end());
  PoissonSystem system(points, all);
  system.solve();
  for (size_t b = 0; b < cube.bricks.size(); ++b) out[b] = system.result(cube.bricks[b]);
}

}  // namespace gs

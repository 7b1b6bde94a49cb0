// SPDX-License-Identifier: Apache-2.0
#include "gs/geometry/voxel_normals.hpp"

#include <algorithm>

#include <Eigen/Eigenvalues>

#include "gs/core/parallel.hpp"

namespace gs {
namespace {

// Moments of points around one voxel's centre. A voxel counts like at most so many points, or the
// one just in front of the car would outvote its neighbours.
struct Moments {
  static constexpr float kMaxWeight = 16;
  float weight = 0;
  Vec3f sum = Vec3f::Zero();
  Eigen::Matrix3f square = Eigen::Matrix3f::Zero();

  void add(const VoxelSums& s, const Vec3f& shift) {
    const auto n = static_cast<float>(s.count);
    const float w = std::min(1.0f, kMaxWeight / n);
    const Vec3f p = s.position;
    Eigen::Matrix3f m;
    m << s.square[0], s.square[1], s.square[2], s.square[1], s.square[3], s.square[4], s.square[2],
        s.square[4], s.square[5];
    const Eigen::Matrix3f cross = p * shift.transpose();
    square += w * (m + cross + cross.transpose() + n * shift * shift.transpose());
    sum += w * (p + n * shift);
    weight += w * n;
  }
  Eigen::Matrix3f covariance() const {
    const Vec3f mean = sum / weight;
    return square / weight - mean * mean.transpose();
  }
};

VoxelShape shapeAt(const VoxelMap& map, const BrickNeighborhood& around, VoxelCoord v,
                   uint32_t number) {
  const auto size = static_cast<float>(map.voxel_size);
  const VoxelSums& own = map.sums[number];
  const Vec3f own_mean = own.mean();
  VoxelShape shape;
  Moments moments;
  moments.add(own, Vec3f::Zero());
  float nearest[3] = {1.7f * size, 1.7f * size, 1.7f * size};  // nothing near: as if just outside
  for (int i = 0; i < 27; ++i) {
    const VoxelCoord d{i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1};
    if (i == 13) continue;
    const uint32_t other = around.find({v.x + d.x, v.y + d.y, v.z + d.z});
    if (other == VoxelSet::kNone) continue;
    ++shape.neighbors;
    const Vec3f shift =
        size * Vec3f(static_cast<float>(d.x), static_cast<float>(d.y), static_cast<float>(d.z));
    moments.add(map.sums[other], shift);
    float distance = (map.sums[other].mean() + shift - own_mean).norm();
    for (float& entry : nearest)
      if (distance < entry) std::swap(distance, entry);
  }
  shape.spacing = (nearest[0] + nearest[1] + nearest[2]) / 3;
  if (shape.neighbors < 3 || moments.weight < 5) return shape;
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3f> solver =
      Eigen::SelfAdjointEigenSolver<Eigen::Matrix3f>().computeDirect(moments.covariance());
  const Vec3f values = solver.eigenvalues().cwiseMax(0.0f);
  if (values[1] < 1e-3f * size * size) return shape;  // all on a line
  shape.flatness = 1 - values[0] / values[1];
  Vec3f normal = solver.eigenvectors().col(0);
  if (!normal.allFinite()) return shape;
  normal.normalize();
  shape.normal = normal.dot(own.to_sensor) < 0 ? Vec3f(-normal) : normal;
  return shape;
}

}  // namespace

std::vector<VoxelShape> computeVoxelShapes(const VoxelMap& map) {
  std::vector<VoxelShape> shapes(map.set.size());
  parallelFor(map.set.bricks().size(), 64, [&](size_t begin, size_t end) {
    for (size_t b = begin; b < end; ++b) {
      const VoxelSet::Brick& brick = map.set.bricks()[b];
      const BrickNeighborhood around(map.set, brick.key);
      forEachVoxel(brick, [&](uint32_t local, uint32_t number) {
        shapes[number] = shapeAt(map, around, voxelIn(brick.key, local), number);
      });
    }
  });
  return shapes;
}

}  // namespace gs

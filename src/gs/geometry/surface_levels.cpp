// SPDX-License-Identifier: Apache-2.0
#include "gs/geometry/surface_levels.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Eigenvalues>

#include "gs/core/parallel.hpp"
#include "gs/geometry/voxel_bricks.hpp"

namespace gs {
namespace {

constexpr uint32_t kMinPoints = 5;     // around a place, to tell which way it faces
constexpr float kMinSpread = 0.1f;     // of the second axis, in square voxels: two rings, not one
constexpr float kMaxThickness = 0.6f;  // third axis over the second: more is a cloud of leaves
constexpr float kFlat = 0.1f;          // as above: more is too rough for the finest voxels
constexpr float kUpright = 0.8f;       // z of the long axis of a post

uint64_t keyOf(VoxelCoord v) {  // 21 bits per axis; maps span less than 100 km
  const auto part = [](int32_t c) { return static_cast<uint64_t>(c + (1 << 20)) & 0x1fffff; };
  return part(v.x) | part(v.y) << 21 | part(v.z) << 42;
}

// Which viewpoint is nearest, the same for a whole block of a few metres.
class NearestViewpoint {
 public:
  NearestViewpoint(const std::vector<Vec3>& viewpoints, const Vec3& origin) {
    for (const Vec3& p : viewpoints)
      if (p.allFinite()) points_.push_back((p - origin).cast<float>());
  }
  // Straight up where there is none.
  Vec3f directionFrom(const Vec3f& p) {
    if (points_.empty()) return Vec3f::UnitZ();
    const VoxelCoord block = voxelAt(p.cast<double>(), 1 / kBlock);
    const uint32_t number = blocks_.findOrAdd(keyOf(block));
    if (number == nearest_.size()) {
      const Vec3f middle = static_cast<float>(kBlock) * Vec3f(static_cast<float>(block.x) + 0.5f,
                                                              static_cast<float>(block.y) + 0.5f,
                                                              static_cast<float>(block.z) + 0.5f);
      nearest_.push_back(static_cast<uint32_t>(
          std::min_element(points_.begin(), points_.end(),
                           [&](const Vec3f& a, const Vec3f& b) {
                             return (a - middle).squaredNorm() < (b - middle).squaredNorm();
                           }) -
          points_.begin()));
    }
    return points_[nearest_[number]] - p;
  }

 private:
  static constexpr double kBlock = 4;  // m
  std::vector<Vec3f> points_;
  KeyIndex blocks_;
  std::vector<uint32_t> nearest_;
};

// Points of one voxel around its centre.
struct Moments {
  float count = 0;
  Vec3f sum = Vec3f::Zero();
  Eigen::Matrix3f square = Eigen::Matrix3f::Zero();

  void add(const Moments& other, const Vec3f& shift) {
    const Eigen::Matrix3f cross = other.sum * shift.transpose();
    square += other.square + cross + cross.transpose() + other.count * shift * shift.transpose();
    sum += other.sum + other.count * shift;
    count += other.count;
  }
};

enum class Kind : uint8_t { Unknown, Surface, Thin };  // Unknown: perhaps in larger voxels
struct Shape {
  Kind kind = Kind::Unknown;
  Vec3f normal = Vec3f::Zero();
};

Shape shapeOf(const Moments& m, float size, bool is_finest) {
  Shape shape;
  if (m.count < static_cast<float>(kMinPoints)) return shape;
  const Vec3f mean = m.sum / m.count;
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3f> solver =
      Eigen::SelfAdjointEigenSolver<Eigen::Matrix3f>().computeDirect(m.square / m.count -
                                                                     mean * mean.transpose());
  const Vec3f values = solver.eigenvalues().cwiseMax(0.0f);
  const Vec3f normal = solver.eigenvectors().col(0), along = solver.eigenvectors().col(2);
  if (!normal.allFinite() || !along.allFinite()) return shape;
  if (values[1] < kMinSpread * size * size) {
    if (std::abs(along.z()) > kUpright && values[2] > 0.5f * size * size) shape.kind = Kind::Thin;
    return shape;
  }
  if (is_finest && values[0] > kFlat * values[1]) return shape;
  shape.kind = values[0] < kMaxThickness * values[1] ? Kind::Surface : Kind::Thin;
  shape.normal = normal.normalized();
  return shape;
}

// The points in voxels of one size, and the shape of what is around each voxel.
class Level {
 public:
  Level(const MapCloud& cloud, double size) : size_(static_cast<float>(size)) {
    voxel_of_.resize(cloud.size());
    for (size_t i = 0; i < cloud.size(); ++i) {
      const VoxelCoord v = voxelAt(cloud.positions[i].cast<double>(), 1 / size);
      voxel_of_[i] = index_.findOrAdd(keyOf(v));
      if (voxel_of_[i] == moments_.size()) {
        moments_.emplace_back();
        coords_.push_back(v);
      }
      Moments& m = moments_[voxel_of_[i]];
      const Vec3f d = cloud.positions[i] - centreOf(v);
      m.count += 1;
      m.sum += d;
      m.square += d * d.transpose();
    }
  }

  // Of the voxels that hold a point which is still `wanted`.
  std::vector<Shape> shapes(const std::vector<uint8_t>& wanted, bool is_finest) const {
    std::vector<uint8_t> is_wanted(moments_.size(), 0);
    for (size_t i = 0; i < voxel_of_.size(); ++i)
      if (wanted[i] != 0) is_wanted[voxel_of_[i]] = 1;
    std::vector<Shape> shapes(moments_.size());
    parallelFor(moments_.size(), 1024, [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i)
        if (is_wanted[i] != 0) shapes[i] = shapeOf(around(coords_[i]), size_, is_finest);
    });
    return shapes;
  }
  uint32_t voxelOf(size_t point) const { return voxel_of_[point]; }

 private:
  Vec3f centreOf(VoxelCoord v) const {
    return size_ * Vec3f(static_cast<float>(v.x) + 0.5f, static_cast<float>(v.y) + 0.5f,
                         static_cast<float>(v.z) + 0.5f);
  }
  Moments around(VoxelCoord v) const {
    Moments sum;
    for (int k = 0; k < 27; ++k) {
      const int dx = k % 3 - 1, dy = k / 3 % 3 - 1, dz = k / 9 - 1;
      const uint32_t other = index_.find(keyOf({v.x + dx, v.y + dy, v.z + dz}));
      if (other != KeyIndex::kNone)
        sum.add(moments_[other], size_ * Vec3f(static_cast<float>(dx), static_cast<float>(dy),
                                               static_cast<float>(dz)));
    }
    return sum;
  }

  float size_;
  KeyIndex index_;
  std::vector<uint32_t> voxel_of_;
  std::vector<Moments> moments_;
  std::vector<VoxelCoord> coords_;
};

}  // namespace

std::vector<MapCloud> splitIntoLevels(const MapCloud& cloud, const std::vector<Vec3>& viewpoints,
                                      int levels) {
  NearestViewpoint nearest(viewpoints, cloud.origin);
  std::vector<MapCloud> result;
  std::vector<uint8_t> is_open(cloud.size(), 0);
  for (size_t i = 0; i < cloud.size(); ++i) is_open[i] = cloud.positions[i].allFinite();
  double size = cloud.voxel_size;
  for (int k = 0; k < levels; ++k, size *= 2) {
    MapCloud part{.origin = cloud.origin, .voxel_size = size};
    const Level level(cloud, size);
    const std::vector<Shape> shapes = level.shapes(is_open, k == 0 && levels > 1);
    for (size_t i = 0; i < cloud.size(); ++i) {
      if (is_open[i] == 0) continue;
      const Shape& shape = shapes[level.voxelOf(i)];
      if (shape.kind == Kind::Unknown) continue;
      is_open[i] = 0;
      if (shape.kind == Kind::Thin) continue;
      const bool faces = shape.normal.dot(nearest.directionFrom(cloud.positions[i])) >= 0;
      part.positions.push_back(cloud.positions[i]);
      part.normals.push_back(faces ? shape.normal : Vec3f(-shape.normal));
      part.spacing.push_back(static_cast<float>(size));
    }
    result.push_back(std::move(part));
  }
  return result;
}

}  // namespace gs

// SPDX-License-Identifier: Apache-2.0
#include "gs/geometry/extract_surface.hpp"

#include <algorithm>

#include <openvdb/openvdb.h>
#include <openvdb/tools/VolumeToMesh.h>

#include "gs/core/parallel.hpp"

namespace gs {
namespace {

constexpr size_t kBricksPerRun = 4096;

// Bits of the cells (named by their lowest corner) whose eight corners are all known.
class KnownCells {
 public:
  explicit KnownCells(const std::vector<uint64_t>& bricks) : masks_(bricks.size()) {
    for (const uint64_t key : bricks) index_.findOrAdd(key);
  }
  void set(size_t brick, const VoxelSet::Mask& mask) { masks_[brick] = mask; }
  bool isKnown(VoxelCoord v) const {
    const uint32_t brick = index_.find(brickKeyOf(v));
    if (brick == KeyIndex::kNone) return false;
    const uint32_t local = localOf(v);
    return masks_[brick][local >> 6] >> (local & 63) & 1;
  }
  bool isCellKnown(VoxelCoord v) const {
    for (int k = 0; k < 8; ++k)
      if (!isKnown({v.x + (k & 1), v.y + (k >> 1 & 1), v.z + (k >> 2)})) return false;
    return true;
  }

 private:
  KeyIndex index_;
  std::vector<VoxelSet::Mask> masks_;
};

TriangleMesh meshOf(openvdb::tools::VolumeToMesh& mesher, float voxel_size) {
  TriangleMesh mesh;
  mesh.positions.reserve(mesher.pointListSize());
  for (size_t i = 0; i < mesher.pointListSize(); ++i) {
    const openvdb::Vec3s& p = mesher.pointList()[i];
    mesh.positions.push_back({p.x() * voxel_size, p.y() * voxel_size, p.z() * voxel_size});
  }
  for (size_t pool = 0; pool < mesher.polygonPoolListSize(); ++pool) {
    const openvdb::tools::PolygonPool& polygons = mesher.polygonPoolList()[pool];
    // OpenVDB winds clockwise seen from outside.
    for (size_t i = 0; i < polygons.numTriangles(); ++i) {
      const openvdb::Vec3I& t = polygons.triangle(i);
      mesh.triangles.push_back({t[0], t[2], t[1]});
    }
    for (size_t i = 0; i < polygons.numQuads(); ++i) {
      const openvdb::Vec4I& q = polygons.quad(i);
      mesh.triangles.push_back({q[0], q[2], q[1]});
      mesh.triangles.push_back({q[0], q[3], q[2]});
    }
  }
  return mesh;
}

}  // namespace

TriangleMesh extractSurface(
    const std::vector<uint64_t>& bricks, float voxel_size, double adaptivity,
    const std::function<void(std::span<const uint64_t>, std::span<FieldBrick>)>& fill) {
  using Leaf = openvdb::FloatTree::LeafNodeType;
  static_assert(Leaf::DIM == kBrickSide);
  // In voxels, so that positions keep their precision; the transform stays the identity.
  const auto grid = openvdb::FloatGrid::create(1e3f);
  const auto mask = openvdb::BoolGrid::create(false);
  KnownCells known(bricks);
  std::vector<FieldBrick> run;
  for (size_t first = 0; first < bricks.size(); first += kBricksPerRun) {
    const size_t count = std::min(kBricksPerRun, bricks.size() - first);
    run.resize(count);
    fill(std::span(bricks).subspan(first, count), run);
    std::vector<Leaf*> leaves(count);
    for (size_t i = 0; i < count; ++i) {
      known.set(first + i, run[i].known);
      const VoxelCoord corner = brickCorner(bricks[first + i]);
      leaves[i] = grid->tree().touchLeaf(openvdb::Coord(corner.x, corner.y, corner.z));
    }
    parallelFor(count, 64, [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i)
        for (uint32_t local = 0; local < kBrickVoxels; ++local) {
          if ((run[i].known[local >> 6] >> (local & 63) & 1) == 0) continue;
          const auto offset = (local & 7) << 6 | (local >> 3 & 7) << 3 | local >> 6;
          leaves[i]->setValueOn(offset, run[i].distance[local] / voxel_size);
        }
    });
  }
  for (const uint64_t key : bricks) {
    const VoxelCoord corner = brickCorner(key);
    openvdb::BoolTree::LeafNodeType* leaf = nullptr;
    for (uint32_t local = 0; local < kBrickVoxels; ++local) {
      const VoxelCoord v = voxelIn(key, local);
      if (!known.isCellKnown(v)) continue;
      if (leaf == nullptr)
        leaf = mask->tree().touchLeaf(openvdb::Coord(corner.x, corner.y, corner.z));
      leaf->setValueOn(openvdb::Coord(v.x, v.y, v.z), true);
    }
  }
  openvdb::tools::VolumeToMesh mesher(0, adaptivity);
  mesher.setSurfaceMask(mask);
  mesher(*grid);
  return meshOf(mesher, voxel_size);
}

}  // namespace gs

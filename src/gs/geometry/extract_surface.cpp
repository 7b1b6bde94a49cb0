// SPDX-License-Identifier: Apache-2.0
#include "gs/geometry/extract_surface.hpp"

#include <openvdb/openvdb.h>
#include <openvdb/tools/VolumeToMesh.h>

#include "gs/core/parallel.hpp"

namespace gs {
namespace {

// Bits of the cells (named by their lowest corner) whose eight corners are all known.
class KnownCells {
 public:
  void add(uint64_t brick, const VoxelSet::Mask& mask) {
    index_.findOrAdd(brick);
    masks_.push_back(mask);
  }
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

void addKnownCells(const std::vector<std::vector<uint64_t>>& runs, const KnownCells& known,
                   openvdb::BoolTree& mask) {
  for (const std::vector<uint64_t>& bricks : runs)
    for (const uint64_t key : bricks) {
      openvdb::BoolTree::LeafNodeType* leaf = nullptr;
      for (uint32_t local = 0; local < kBrickVoxels; ++local) {
        const VoxelCoord v = voxelIn(key, local);
        if (!known.isCellKnown(v)) continue;
        const openvdb::Coord at(v.x, v.y, v.z);
        if (leaf == nullptr) leaf = mask.touchLeaf(at);
        leaf->setValueOn(at, true);
      }
    }
}

TriangleMesh meshOf(openvdb::tools::VolumeToMesh& mesher, float voxel_size) {
  TriangleMesh mesh;
  mesh.positions.reserve(mesher.pointListSize());
  for (size_t i = 0; i < mesher.pointListSize(); ++i) {
    const openvdb::Vec3s& p = mesher.pointList()[i];
    mesh.positions.push_back({p.x() * voxel_size, p.y() * voxel_size, p.z() * voxel_size});
  }
  for (size_t pool = 0; pool < mesher.polygonPoolListSize(); ++pool) {
    const openvdb::tools::PolygonPool& polygons = mesher.polygonPoolList()[pool];
    for (size_t i = 0; i < polygons.numTriangles(); ++i) {
      const openvdb::Vec3I& t = polygons.triangle(i);
      mesh.triangles.push_back({t[0], t[1], t[2]});
    }
    for (size_t i = 0; i < polygons.numQuads(); ++i) {
      const openvdb::Vec4I& q = polygons.quad(i);
      mesh.triangles.push_back({q[0], q[1], q[2]});
      mesh.triangles.push_back({q[0], q[2], q[3]});
    }
  }
  return mesh;
}

}  // namespace

TriangleMesh extractSurface(const std::vector<std::vector<uint64_t>>& runs, float voxel_size,
                            double adaptivity,
                            const std::function<void(size_t, std::span<FieldBrick>)>& fill) {
  using Leaf = openvdb::FloatTree::LeafNodeType;
  static_assert(Leaf::DIM == kBrickSide);
  // In voxels, so that positions keep their precision; the transform stays the identity.
  const auto grid = openvdb::FloatGrid::create(1e3f);
  const auto mask = openvdb::BoolGrid::create(false);
  KnownCells known;
  std::vector<FieldBrick> fields;
  for (size_t run = 0; run < runs.size(); ++run) {
    const size_t count = runs[run].size();
    fields.resize(count);
    fill(run, fields);
    std::vector<Leaf*> leaves(count);
    for (size_t i = 0; i < count; ++i) {
      known.add(runs[run][i], fields[i].known);
      const VoxelCoord corner = brickCorner(runs[run][i]);
      leaves[i] = grid->tree().touchLeaf(openvdb::Coord(corner.x, corner.y, corner.z));
    }
    parallelFor(count, 64, [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i)
        for (uint32_t local = 0; local < kBrickVoxels; ++local) {
          if ((fields[i].known[local >> 6] >> (local & 63) & 1) == 0) continue;
          const auto offset = (local & 7) << 6 | (local >> 3 & 7) << 3 | local >> 6;
          leaves[i]->setValueOn(offset, fields[i].distance[local] / voxel_size);
        }
    });
  }
  addKnownCells(runs, known, mask->tree());
  openvdb::tools::VolumeToMesh mesher(0, adaptivity);
  mesher.setSurfaceMask(mask);
  mesher(*grid);
  return meshOf(mesher, voxel_size);
}

}  // namespace gs

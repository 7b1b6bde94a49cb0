// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "gs/core/bytes.hpp"
#include "gs/core/triangle_mesh.hpp"

namespace gs {

// Binary glTF 2.0 and our meshes, which are in the map frame (z up).
//
// Which way is up: glTF says y. So the vertices are written as they are, in the map frame, below a
// root node whose matrix turns z up into y up: (x, y, z) becomes (x, z, -y). Every viewer shows the
// mesh upright. Reading takes any file as glTF defines it (y up) and turns it back. Both matrices
// hold only 0, 1 and -1, so for our own files their product is exactly the identity, which is
// recognised, and the positions come back bit for bit.
//
// Read: all triangles of the default scene, transforms of nodes applied, mirrored nodes with their
// winding restored; triangle lists, strips and fans, indexed or not; any component type, stride,
// sparse accessors, quantised positions. Normals (colours) are kept when every primitive has them.
// Images, materials, skins and animations are not looked at, and no other file is ever opened.
//
// Throws gs::Error (INPUT_INVALID, component "glb") with details.problem
//   "header"       not a GLB of version 2
//   "truncated"    shorter than it says
//   "json"         its JSON is broken or lacks what glTF requires
//   "nodes"        nodes that form no tree, or are nested beyond kMaxGlbDepth
//   "accessor"     an accessor or buffer view that points outside, overlaps the end or has a
//                  type that does not fit its use
//   "index_range"  a triangle with a vertex that is not there
//   "non_finite"   a NaN or an infinity in a position, a normal or a matrix
//   "unsupported"  points or lines, data in other files, a required extension we do not know, or
//                  more than kMaxGlbVertices or kMaxGlbTriangles
TriangleMesh decodeGlb(Bytes bytes, const std::string& name);

// The same mesh gives the same bytes. Throws as above when a position is not finite, an index is
// out of range or a list has the wrong length; that normals have unit length is for the caller to
// see to. A mesh without triangles is written as an empty scene.
std::string encodeGlb(const TriangleMesh& mesh);

// The same in five eighths of the bytes: positions are off by up to kCompactGlbError (by more where
// a triangle is longer than 60 m), normals and unused vertices are left out, triangles are sorted
// by place. Every reader that knows KHR_mesh_quantization takes it. Refuses positions beyond
// kMaxCompactGlb.
std::string encodeCompactGlb(const TriangleMesh& mesh);
constexpr double kCompactGlbError = 0.001;  // m
constexpr float kMaxCompactGlb = 1e7f;      // m from the map's origin

constexpr size_t kMaxGlbVertices = size_t{1} << 26;
constexpr size_t kMaxGlbTriangles = size_t{1} << 26;
constexpr int kMaxGlbDepth = 64;

}  // namespace gs

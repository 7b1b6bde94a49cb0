// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gs/core/triangle_mesh.hpp"

namespace gs {

// The same surface with fewer triangles: edges are collapsed, the cheapest first (quadric error,
// Garland and Heckbert 1997), as long as no place strays farther than `tolerance` metres from where
// it was. Outlines of open surfaces are held, too. Looks at positions and triangles only: normals
// and colours are dropped. Deterministic.
void simplifyMesh(TriangleMesh& mesh, double tolerance);

// Vertices that no triangle names, and triangles without an area, go.
void dropUnused(TriangleMesh& mesh);

}  // namespace gs

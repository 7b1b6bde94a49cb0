// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "gs/bundle/heightmap.hpp"
#include "gs/core/linear.hpp"
#include "gs/core/triangle_mesh.hpp"

namespace gs {

enum class HitSurface : uint8_t { Nothing, Ground, Mesh };

// Eight rays that go roughly the same way, side by side; lanes with valid = 0 are left alone.
// Coordinates count from MapRaycaster::origin().
struct alignas(32) RayOctet {
  static constexpr int kLanes = 8;
  int32_t valid[kLanes];  // -1 or 0
  float ox[kLanes], oy[kLanes], oz[kLanes];
  float dx[kLanes], dy[kLanes], dz[kLanes];  // unit length
  float range[kLanes];                       // in: how far to look; out: where it hit
  HitSurface surface[kLanes];                // out, as all below; the rest only of hits
  float cos_incidence[kLanes];               // 1: head-on; never negative, never NaN
  uint32_t triangle[kLanes];                 // of the mesh
  float u[kLanes], v[kLanes];                // in it: a + u (b - a) + v (c - a)

  void set(int lane, const Vec3f& from, const Vec3f& way, float reach) {
    valid[lane] = -1;
    ox[lane] = from.x(), oy[lane] = from.y(), oz[lane] = from.z();
    dx[lane] = way.x(), dy[lane] = way.y(), dz[lane] = way.z();
    range[lane] = reach;
  }
};

// The surfaces of a world, for rays: the ground (a heightmap with its holes) and a mesh, the nearer
// of both. Safe to ask from several threads; the same ray always gives the same answer, whatever
// runs beside it. The only file that names Embree here is map_raycaster.cpp.
class MapRaycaster {
 public:
  // Either may be null or empty. Triangles of a mesh that name no vertex, or one that is not
  // finite, are left out. Throws gs::Error (INPUT_INVALID) when memory does not suffice.
  MapRaycaster(const Heightmap* ground, const TriangleMesh* mesh);
  ~MapRaycaster();
  MapRaycaster(MapRaycaster&&) noexcept;
  MapRaycaster& operator=(MapRaycaster&&) noexcept;

  // Where the coordinates of rays begin, map frame.
  const Vec3& origin() const;
  Vec3f toLocal(const Vec3& p_in_map) const { return (p_in_map - origin()).cast<float>(); }

  void cast(RayOctet& rays) const;
  // One lane at a time, the plain way: what cast() is measured and tested against.
  void castSingly(RayOctet& rays) const;

 private:
  struct Scene;
  std::unique_ptr<Scene> scene_;
};

}  // namespace gs

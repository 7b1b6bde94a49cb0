// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "gs/bundle/heightmap.hpp"
#include "gs/bundle/scene_state.hpp"
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
  uint32_t instance[kLanes];                 // of the scene; 0: the background
  uint32_t triangle[kLanes];                 // of the mesh of its asset
  float u[kLanes], v[kLanes];                // in it: a + u (b - a) + v (c - a)

  void set(int lane, const Vec3f& from, const Vec3f& way, float reach) {
    valid[lane] = -1;
    ox[lane] = from.x(), oy[lane] = from.y(), oz[lane] = from.z();
    dx[lane] = way.x(), dy[lane] = way.y(), dz[lane] = way.z();
    range[lane] = reach;
  }
};

class PosedMap;

// The surfaces of a world, for rays: the ground (a heightmap with its holes) and a mesh, the nearer
// of both, and the meshes of what moves. Safe to ask from several threads; the same ray always
// gives the same answer, whatever runs beside it. The only file that names Embree here is
// map_raycaster.cpp.
class MapRaycaster {
 public:
  // `meshes` by number of asset: 0 is the background's. All may be null or empty. Triangles of a
  // mesh that name no vertex, or one that is not finite, are left out. Throws gs::Error
  // (INPUT_INVALID) when memory does not suffice.
  MapRaycaster(const Heightmap* ground, const std::vector<const TriangleMesh*>& meshes);
  MapRaycaster(const Heightmap* ground, const TriangleMesh* mesh)
      : MapRaycaster(ground, std::vector{mesh}) {}
  ~MapRaycaster();
  MapRaycaster(MapRaycaster&&) noexcept;
  MapRaycaster& operator=(MapRaycaster&&) noexcept;

  // Where the coordinates of rays begin, map frame.
  const Vec3& origin() const;
  Vec3f toLocal(const Vec3& p_in_map) const { return (p_in_map - origin()).cast<float>(); }

  // What rays meet at one instant: every instance where it is when the exposure begins. For the
  // background alone this costs nothing, else a tree over the instances; their meshes stay as they
  // are. Throws gs::Error (INPUT_INVALID) for a scene that is not sound.
  PosedMap posed(const SceneState& scene) const;

  // Against the background alone.
  void cast(RayOctet& rays) const;
  // One lane at a time, the plain way: what cast() is measured and tested against.
  void castSingly(RayOctet& rays) const;

 private:
  friend class PosedMap;
  struct Scene;
  struct Casting;
  std::unique_ptr<Scene> scene_;
};

// A scene at one instant; the MapRaycaster it is of must outlive it, in its place. For any number
// of LiDARs and threads at the same time, like MapRaycaster.
class PosedMap {
 public:
  ~PosedMap();
  PosedMap(PosedMap&&) noexcept;
  PosedMap& operator=(PosedMap&&) noexcept;

  const Vec3& origin() const { return map_->origin(); }
  Vec3f toLocal(const Vec3& p_in_map) const { return map_->toLocal(p_in_map); }

  void cast(RayOctet& rays) const;
  void castSingly(RayOctet& rays) const;

 private:
  friend class MapRaycaster;
  struct Instances;
  PosedMap(const MapRaycaster& map, std::unique_ptr<Instances> instances);

  const MapRaycaster* map_;
  std::unique_ptr<Instances> instances_;  // null: the background alone
};

}  // namespace gs

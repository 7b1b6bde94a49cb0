// SPDX-License-Identifier: Apache-2.0
#include "gs/geometry/map_raycaster.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include <embree3/rtcore.h>

#include "gs/core/check.hpp"
#include "gs/core/error.hpp"
#include "gs/geometry/triangulate_heightmap.hpp"

namespace gs {

namespace {

void requireMemory(RTCDevice device) {
  if (rtcGetDeviceError(device) == RTC_ERROR_NONE) return;
  throw Error({.code = ErrorCode::InputInvalid,
               .component = "lidar_generator",
               .message = "the ground and the meshes do not fit into memory",
               .suggestion = "Simplify the static mesh, or switch use_static_mesh off."});
}

// A tree over geometries.
class Tree {
 public:
  explicit Tree(RTCDevice device) : device_(device), scene_(rtcNewScene(device)) {
    rtcSetSceneBuildQuality(scene_, RTC_BUILD_QUALITY_MEDIUM);
    rtcSetSceneFlags(scene_, RTC_SCENE_FLAG_ROBUST);  // no ray slips between two triangles
  }
  ~Tree() { rtcReleaseScene(scene_); }
  Tree(const Tree&) = delete;
  Tree& operator=(const Tree&) = delete;

  RTCScene get() const { return scene_; }

  uint32_t add(const std::vector<std::array<float, 3>>& positions,
               const std::vector<std::array<uint32_t, 3>>& triangles) {
    const RTCGeometry geometry = rtcNewGeometry(device_, RTC_GEOMETRY_TYPE_TRIANGLE);
    void* vertices = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3,
                                             sizeof positions[0], positions.size());
    void* corners = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
                                            sizeof triangles[0], triangles.size());
    requireMemory(device_);
    std::memcpy(vertices, positions.data(), positions.size() * sizeof positions[0]);
    std::memcpy(corners, triangles.data(), triangles.size() * sizeof triangles[0]);
    return attach(geometry);
  }

  // Row-major 3 x 4, of local coordinates.
  uint32_t add(const Tree& asset, const Eigen::Matrix<float, 3, 4, Eigen::RowMajor>& from_asset) {
    const RTCGeometry geometry = rtcNewGeometry(device_, RTC_GEOMETRY_TYPE_INSTANCE);
    rtcSetGeometryInstancedScene(geometry, asset.get());
    rtcSetGeometryTransform(geometry, 0, RTC_FORMAT_FLOAT3X4_ROW_MAJOR, from_asset.data());
    return attach(geometry);
  }

  void build() {
    rtcCommitScene(scene_);
    requireMemory(device_);
  }

 private:
  uint32_t attach(RTCGeometry geometry) {
    rtcCommitGeometry(geometry);
    const uint32_t id = rtcAttachGeometry(scene_, geometry);
    rtcReleaseGeometry(geometry);
    return id;
  }

  RTCDevice device_;
  RTCScene scene_;
};

// The triangles of a mesh that can be met, and which of the mesh they are.
struct SoundTriangles {
  std::vector<std::array<float, 3>> positions;
  std::vector<std::array<uint32_t, 3>> triangles;
  std::vector<uint32_t> triangle_of;  // empty: the same

  SoundTriangles(const TriangleMesh& mesh, const Vec3& origin) : positions(mesh.positions.size()) {
    std::vector<uint8_t> is_sound(mesh.positions.size());
    for (size_t i = 0; i < positions.size(); ++i) {
      const auto& p = mesh.positions[i];
      for (size_t axis = 0; axis < 3; ++axis)
        positions[i][axis] = static_cast<float>(p[axis] - origin[static_cast<int>(axis)]);
      is_sound[i] = std::isfinite(p[0]) && std::isfinite(p[1]) && std::isfinite(p[2]);
    }
    triangles.reserve(mesh.triangles.size());
    for (size_t i = 0; i < mesh.triangles.size(); ++i) {
      const auto& t = mesh.triangles[i];
      if (!std::all_of(t.begin(), t.end(),
                       [&](uint32_t v) { return v < positions.size() && is_sound[v]; }))
        continue;
      if (triangles.size() != i && triangle_of.empty())
        for (uint32_t k = 0; k < triangles.size(); ++k) triangle_of.push_back(k);
      if (triangles.size() != i) triangle_of.push_back(static_cast<uint32_t>(i));
      triangles.push_back(t);
    }
  }
};

// A mesh in its own frame; no tree where there is nothing to meet.
struct AssetMesh {
  std::unique_ptr<Tree> tree;
  std::vector<uint32_t> triangle_of;
};

uint32_t triangleOf(const std::vector<uint32_t>& triangle_of, uint32_t primitive) {
  return triangle_of.empty() ? primitive : triangle_of[primitive];
}

RTCIntersectContext makeContext(RTCIntersectContextFlags flags) {
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  context.flags = flags;
  return context;
}

constexpr float kLimit = 1e9f;  // m; nothing is looked for beyond

// Embree ends the program at a ray that is not finite; here such a ray meets nothing.
bool isSound(const RayOctet& rays, int lane) {
  const float extent = std::abs(rays.ox[lane]) + std::abs(rays.oy[lane]) + std::abs(rays.oz[lane]) +
                       std::abs(rays.dx[lane]) + std::abs(rays.dy[lane]) + std::abs(rays.dz[lane]);
  return extent < kLimit && rays.range[lane] >= 0;
}

float cosineOf(const Vec3f& normal, const Vec3f& way) {
  const float length2 = normal.x() * normal.x() + normal.y() * normal.y() + normal.z() * normal.z();
  if (!(length2 > 0)) return 0;  // a triangle without area
  const float along = normal.x() * way.x() + normal.y() * way.y() + normal.z() * way.z();
  return std::min(1.0f, std::abs(along) / std::sqrt(length2));
}

// What Embree says of one ray.
struct Hit {
  uint32_t geometry, primitive, instance;
  float range, u, v;
  Vec3f normal;  // in the frame of what was met
};

}  // namespace

struct MapRaycaster::Scene {
  // Not "threads=1": Embree would set that limit on TBB for the whole program.
  struct Device {
    RTCDevice device = rtcNewDevice("set_affinity=0");
    Device() { GS_CHECK(device != nullptr); }
    ~Device() { rtcReleaseDevice(device); }
    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;
  };
  Device device;
  Tree background{device.device};
  Vec3 origin = Vec3::Zero();
  uint32_t ground_id = RTC_INVALID_GEOMETRY_ID;
  std::vector<AssetMesh> assets;  // 0: the background's, whose triangles are in `background`

  Scene(const Heightmap* ground, const std::vector<const TriangleMesh*>& meshes) {
    if (ground) {
      const HeightmapTriangles surface = triangulate(*ground);
      origin = surface.origin;
      if (!surface.triangles.empty())
        ground_id = background.add(surface.positions, surface.triangles);
    }
    for (const TriangleMesh* mesh : meshes) {
      AssetMesh& asset = assets.emplace_back();
      if (!mesh) continue;
      const bool is_background = assets.size() == 1;
      SoundTriangles sound(*mesh, is_background ? origin : Vec3::Zero());
      asset.triangle_of = std::move(sound.triangle_of);
      if (sound.triangles.empty()) continue;
      if (!is_background) asset.tree = std::make_unique<Tree>(device.device);
      (is_background ? background : *asset.tree).add(sound.positions, sound.triangles);
      if (asset.tree) asset.tree->build();
    }
    background.build();
  }
};

struct PosedMap::Instances {
  struct Instance {
    uint32_t index, asset;  // in the scene
    Eigen::Matrix3f asset_from_map;
  };
  Tree tree;
  std::vector<Instance> of_geometry;

  Instances(const MapRaycaster::Scene& map, const SceneState& scene) : tree(map.device.device) {
    for (uint32_t i = 1; i < scene.instances.size(); ++i) {
      const auto& [asset, pose] = scene.instances[i];
      const Tree* mesh = map.assets[asset].tree.get();
      const Vec3 place = pose.begin.translation - map.origin;
      if (!mesh || !(place.cwiseAbs().maxCoeff() < kLimit)) continue;
      const Eigen::Matrix3f rotation = pose.begin.rotation.toRotationMatrix().cast<float>();
      Eigen::Matrix<float, 3, 4, Eigen::RowMajor> local_from_asset;
      local_from_asset << rotation, place.cast<float>();
      tree.add(*mesh, local_from_asset);
      of_geometry.push_back({i, asset, rotation.transpose()});
    }
    tree.build();
  }
};

namespace {

RTCRayHit8 packetOf(const RayOctet& rays) {
  RTCRayHit8 r;
  std::memcpy(r.ray.org_x, rays.ox, sizeof rays.ox);
  std::memcpy(r.ray.org_y, rays.oy, sizeof rays.oy);
  std::memcpy(r.ray.org_z, rays.oz, sizeof rays.oz);
  std::memcpy(r.ray.dir_x, rays.dx, sizeof rays.dx);
  std::memcpy(r.ray.dir_y, rays.dy, sizeof rays.dy);
  std::memcpy(r.ray.dir_z, rays.dz, sizeof rays.dz);
  std::memcpy(r.ray.tfar, rays.range, sizeof rays.range);
  for (int i = 0; i < RayOctet::kLanes; ++i) {
    r.ray.tnear[i] = 0;
    r.ray.time[i] = 0;
    r.ray.mask[i] = 0xffffffff;
    r.ray.id[i] = 0;
    r.ray.flags[i] = 0;
    r.hit.geomID[i] = RTC_INVALID_GEOMETRY_ID;
    r.hit.instID[0][i] = RTC_INVALID_GEOMETRY_ID;
  }
  return r;
}

RTCRayHit rayOf(const RayOctet& rays, int lane) {
  RTCRayHit r{};
  r.ray.org_x = rays.ox[lane], r.ray.org_y = rays.oy[lane], r.ray.org_z = rays.oz[lane];
  r.ray.dir_x = rays.dx[lane], r.ray.dir_y = rays.dy[lane], r.ray.dir_z = rays.dz[lane];
  r.ray.tfar = rays.range[lane];
  r.ray.mask = 0xffffffff;
  r.hit.geomID = RTC_INVALID_GEOMETRY_ID;
  r.hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
  return r;
}

Hit hitOf(const RTCRayHit8& r, int i) {
  return {r.hit.geomID[i],
          r.hit.primID[i],
          r.hit.instID[0][i],
          r.ray.tfar[i],
          r.hit.u[i],
          r.hit.v[i],
          {r.hit.Ng_x[i], r.hit.Ng_y[i], r.hit.Ng_z[i]}};
}

Hit hitOf(const RTCRayHit& r) {
  return {r.hit.geomID,
          r.hit.primID,
          r.hit.instID[0],
          r.ray.tfar,
          r.hit.u,
          r.hit.v,
          {r.hit.Ng_x, r.hit.Ng_y, r.hit.Ng_z}};
}

}  // namespace

// Casts against the instances and then, no farther than what was met there, against the background:
// what they hide of it need not be looked for. One tree of all would have to be built anew.
struct MapRaycaster::Casting {
  const Scene& map;
  const PosedMap::Instances* instances;  // null: none

  void octet(RayOctet& rays) const {
    alignas(32) int32_t valid[RayOctet::kLanes];
    for (int i = 0; i < RayOctet::kLanes; ++i) valid[i] = isSound(rays, i) ? rays.valid[i] : 0;
    RTCRayHit8 r = packetOf(rays);
    RTCIntersectContext context = makeContext(RTC_INTERSECT_CONTEXT_FLAG_COHERENT);
    if (instances) rtcIntersect8(valid, instances->tree.get(), &context, &r);
    rtcIntersect8(valid, map.background.get(), &context, &r);
    for (int i = 0; i < RayOctet::kLanes; ++i) {
      rays.surface[i] = HitSurface::Nothing;
      if (valid[i] != 0) store(hitOf(r, i), rays, i);
    }
  }

  void singly(RayOctet& rays) const {
    for (int i = 0; i < RayOctet::kLanes; ++i) {
      rays.surface[i] = HitSurface::Nothing;
      if (rays.valid[i] == 0 || !isSound(rays, i)) continue;
      RTCRayHit r = rayOf(rays, i);
      RTCIntersectContext context = makeContext(RTC_INTERSECT_CONTEXT_FLAG_INCOHERENT);
      if (instances) rtcIntersect1(instances->tree.get(), &context, &r);
      rtcIntersect1(map.background.get(), &context, &r);
      store(hitOf(r), rays, i);
    }
  }

  void store(const Hit& hit, RayOctet& rays, int lane) const {
    if (hit.geometry == RTC_INVALID_GEOMETRY_ID) return;
    Vec3f way(rays.dx[lane], rays.dy[lane], rays.dz[lane]);
    const bool is_instance = hit.instance != RTC_INVALID_GEOMETRY_ID;
    const bool is_ground = !is_instance && hit.geometry == map.ground_id;
    uint32_t asset = 0;
    rays.instance[lane] = 0;
    if (is_instance) {
      const PosedMap::Instances::Instance& met = instances->of_geometry[hit.instance];
      asset = met.asset;
      rays.instance[lane] = met.index;
      way = met.asset_from_map * way;
    }
    rays.surface[lane] = is_ground ? HitSurface::Ground : HitSurface::Mesh;
    rays.range[lane] = hit.range;
    rays.cos_incidence[lane] = cosineOf(hit.normal, way);
    rays.u[lane] = hit.u;
    rays.v[lane] = hit.v;
    rays.triangle[lane] =
        is_ground ? hit.primitive : triangleOf(map.assets[asset].triangle_of, hit.primitive);
  }
};

MapRaycaster::MapRaycaster(const Heightmap* ground, const std::vector<const TriangleMesh*>& meshes)
    : scene_(std::make_unique<Scene>(ground, meshes)) {}
MapRaycaster::~MapRaycaster() = default;
MapRaycaster::MapRaycaster(MapRaycaster&&) noexcept = default;
MapRaycaster& MapRaycaster::operator=(MapRaycaster&&) noexcept = default;

const Vec3& MapRaycaster::origin() const { return scene_->origin; }

void MapRaycaster::cast(RayOctet& rays) const { Casting{*scene_, nullptr}.octet(rays); }
void MapRaycaster::castSingly(RayOctet& rays) const { Casting{*scene_, nullptr}.singly(rays); }

PosedMap MapRaycaster::posed(const SceneState& scene) const {
  requireScene(scene, scene_->assets.size(), "lidar_generator");
  std::unique_ptr<PosedMap::Instances> instances;
  if (!scene.isBackgroundOnly()) instances = std::make_unique<PosedMap::Instances>(*scene_, scene);
  return PosedMap(*this, std::move(instances));
}

PosedMap::PosedMap(const MapRaycaster& map, std::unique_ptr<Instances> instances)
    : map_(&map), instances_(std::move(instances)) {}
PosedMap::~PosedMap() = default;
PosedMap::PosedMap(PosedMap&&) noexcept = default;
PosedMap& PosedMap::operator=(PosedMap&&) noexcept = default;

void PosedMap::cast(RayOctet& rays) const {
  MapRaycaster::Casting{*map_->scene_, instances_.get()}.octet(rays);
}
void PosedMap::castSingly(RayOctet& rays) const {
  MapRaycaster::Casting{*map_->scene_, instances_.get()}.singly(rays);
}

}  // namespace gs

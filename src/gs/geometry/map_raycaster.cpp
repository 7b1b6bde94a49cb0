// SPDX-License-Identifier: Apache-2.0
#include "gs/geometry/map_raycaster.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include <embree3/rtcore.h>

#include "gs/core/check.hpp"
#include "gs/core/error.hpp"
#include "gs/geometry/triangulate_heightmap.hpp"

namespace gs {

struct MapRaycaster::Scene {
  // Not "threads=1": Embree would set that limit on TBB for the whole program.
  RTCDevice device = rtcNewDevice("set_affinity=0");
  RTCScene scene = nullptr;
  Vec3 origin = Vec3::Zero();
  uint32_t ground_id = RTC_INVALID_GEOMETRY_ID;
  std::vector<uint32_t> triangle_of;  // mesh triangle of each primitive; empty: the same

  Scene() {
    GS_CHECK(device != nullptr);
    scene = rtcNewScene(device);
    rtcSetSceneBuildQuality(scene, RTC_BUILD_QUALITY_MEDIUM);
    rtcSetSceneFlags(scene, RTC_SCENE_FLAG_ROBUST);  // no ray slips between two triangles
  }
  ~Scene() {
    rtcReleaseScene(scene);
    rtcReleaseDevice(device);
  }
  Scene(const Scene&) = delete;
  Scene& operator=(const Scene&) = delete;

  void requireMemory() const {
    if (rtcGetDeviceError(device) == RTC_ERROR_NONE) return;
    throw Error({.code = ErrorCode::InputInvalid,
                 .component = "lidar_generator",
                 .message = "the ground and the mesh do not fit into memory",
                 .suggestion = "Simplify the static mesh, or switch use_static_mesh off."});
  }

  uint32_t add(const std::vector<std::array<float, 3>>& positions,
               const std::vector<std::array<uint32_t, 3>>& triangles) {
    const RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
    void* vertices = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3,
                                             sizeof positions[0], positions.size());
    void* corners = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
                                            sizeof triangles[0], triangles.size());
    requireMemory();
    std::memcpy(vertices, positions.data(), positions.size() * sizeof positions[0]);
    std::memcpy(corners, triangles.data(), triangles.size() * sizeof triangles[0]);
    rtcCommitGeometry(geometry);
    const uint32_t id = rtcAttachGeometry(scene, geometry);
    rtcReleaseGeometry(geometry);
    return id;
  }

  void addMesh(const TriangleMesh& mesh) {
    std::vector<std::array<float, 3>> positions(mesh.positions.size());
    std::vector<uint8_t> is_sound(mesh.positions.size());
    for (size_t i = 0; i < positions.size(); ++i) {
      const auto& p = mesh.positions[i];
      for (size_t axis = 0; axis < 3; ++axis)
        positions[i][axis] = static_cast<float>(p[axis] - origin[static_cast<int>(axis)]);
      is_sound[i] = std::isfinite(p[0]) && std::isfinite(p[1]) && std::isfinite(p[2]);
    }
    std::vector<std::array<uint32_t, 3>> triangles;
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
    if (!triangles.empty()) add(positions, triangles);
  }
};

namespace {

RTCIntersectContext makeContext(RTCIntersectContextFlags flags) {
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  context.flags = flags;
  return context;
}

// Embree ends the program at a ray that is not finite; here such a ray meets nothing.
bool isSound(const RayOctet& rays, int lane) {
  constexpr float kLimit = 1e9f;
  const float extent = std::abs(rays.ox[lane]) + std::abs(rays.oy[lane]) + std::abs(rays.oz[lane]) +
                       std::abs(rays.dx[lane]) + std::abs(rays.dy[lane]) + std::abs(rays.dz[lane]);
  return extent < kLimit && rays.range[lane] >= 0;
}

float cosineOf(float nx, float ny, float nz, float dx, float dy, float dz) {
  const float length2 = nx * nx + ny * ny + nz * nz;
  if (!(length2 > 0)) return 0;  // a triangle without area
  return std::min(1.0f, std::abs(nx * dx + ny * dy + nz * dz) / std::sqrt(length2));
}

}  // namespace

MapRaycaster::MapRaycaster(const Heightmap* ground, const TriangleMesh* mesh)
    : scene_(std::make_unique<Scene>()) {
  if (ground) {
    const HeightmapTriangles surface = triangulate(*ground);
    scene_->origin = surface.origin;
    if (!surface.triangles.empty())
      scene_->ground_id = scene_->add(surface.positions, surface.triangles);
  }
  if (mesh) scene_->addMesh(*mesh);
  rtcCommitScene(scene_->scene);
  scene_->requireMemory();
}
MapRaycaster::~MapRaycaster() = default;
MapRaycaster::MapRaycaster(MapRaycaster&&) noexcept = default;
MapRaycaster& MapRaycaster::operator=(MapRaycaster&&) noexcept = default;

const Vec3& MapRaycaster::origin() const { return scene_->origin; }

void MapRaycaster::cast(RayOctet& rays) const {
  constexpr int kLanes = RayOctet::kLanes;
  RTCRayHit8 r;
  alignas(32) int32_t valid[kLanes];
  std::memcpy(r.ray.org_x, rays.ox, sizeof rays.ox);
  std::memcpy(r.ray.org_y, rays.oy, sizeof rays.oy);
  std::memcpy(r.ray.org_z, rays.oz, sizeof rays.oz);
  std::memcpy(r.ray.dir_x, rays.dx, sizeof rays.dx);
  std::memcpy(r.ray.dir_y, rays.dy, sizeof rays.dy);
  std::memcpy(r.ray.dir_z, rays.dz, sizeof rays.dz);
  std::memcpy(r.ray.tfar, rays.range, sizeof rays.range);
  for (int i = 0; i < kLanes; ++i) {
    valid[i] = isSound(rays, i) ? rays.valid[i] : 0;
    r.ray.tnear[i] = 0;
    r.ray.time[i] = 0;
    r.ray.mask[i] = 0xffffffff;
    r.ray.id[i] = 0;
    r.ray.flags[i] = 0;
    r.hit.geomID[i] = RTC_INVALID_GEOMETRY_ID;
  }
  RTCIntersectContext context = makeContext(RTC_INTERSECT_CONTEXT_FLAG_COHERENT);
  rtcIntersect8(valid, scene_->scene, &context, &r);
  for (int i = 0; i < kLanes; ++i) {
    rays.surface[i] = HitSurface::Nothing;
    if (valid[i] == 0 || r.hit.geomID[i] == RTC_INVALID_GEOMETRY_ID) continue;
    const bool is_ground = r.hit.geomID[i] == scene_->ground_id;
    rays.surface[i] = is_ground ? HitSurface::Ground : HitSurface::Mesh;
    rays.range[i] = r.ray.tfar[i];
    rays.cos_incidence[i] =
        cosineOf(r.hit.Ng_x[i], r.hit.Ng_y[i], r.hit.Ng_z[i], rays.dx[i], rays.dy[i], rays.dz[i]);
    rays.u[i] = r.hit.u[i];
    rays.v[i] = r.hit.v[i];
    rays.triangle[i] = is_ground || scene_->triangle_of.empty()
                           ? r.hit.primID[i]
                           : scene_->triangle_of[r.hit.primID[i]];
  }
}

void MapRaycaster::castSingly(RayOctet& rays) const {
  for (int i = 0; i < RayOctet::kLanes; ++i) {
    rays.surface[i] = HitSurface::Nothing;
    if (rays.valid[i] == 0 || !isSound(rays, i)) continue;
    RTCRayHit r{};
    r.ray.org_x = rays.ox[i], r.ray.org_y = rays.oy[i], r.ray.org_z = rays.oz[i];
    r.ray.dir_x = rays.dx[i], r.ray.dir_y = rays.dy[i], r.ray.dir_z = rays.dz[i];
    r.ray.tfar = rays.range[i];
    r.ray.mask = 0xffffffff;
    r.hit.geomID = RTC_INVALID_GEOMETRY_ID;
    RTCIntersectContext context = makeContext(RTC_INTERSECT_CONTEXT_FLAG_INCOHERENT);
    rtcIntersect1(scene_->scene, &context, &r);
    if (r.hit.geomID == RTC_INVALID_GEOMETRY_ID) continue;
    const bool is_ground = r.hit.geomID == scene_->ground_id;
    rays.surface[i] = is_ground ? HitSurface::Ground : HitSurface::Mesh;
    rays.range[i] = r.ray.tfar;
    rays.cos_incidence[i] =
        cosineOf(r.hit.Ng_x, r.hit.Ng_y, r.hit.Ng_z, rays.dx[i], rays.dy[i], rays.dz[i]);
    rays.u[i] = r.hit.u;
    rays.v[i] = r.hit.v;
    rays.triangle[i] =
        is_ground || scene_->triangle_of.empty() ? r.hit.primID : scene_->triangle_of[r.hit.primID];
  }
}

}  // namespace gs

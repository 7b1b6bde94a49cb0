// SPDX-License-Identifier: Apache-2.0
#include "gs/synthetic/town/ray_scene.hpp"

#include <cstring>

#include <embree3/rtcore.h>

#include "gs/core/check.hpp"

namespace gs {

struct RayScene::Impl {
  RTCDevice device = nullptr;
  RTCScene scene = nullptr;

  ~Impl() {
    rtcReleaseScene(scene);
    rtcReleaseDevice(device);
  }
};

RayScene::RayScene(const Surface& surface) : impl_(std::make_unique<Impl>()) {
  // Not "threads=1": Embree would set that limit on TBB for the whole program.
  impl_->device = rtcNewDevice("set_affinity=0");
  GS_CHECK(impl_->device != nullptr);
  impl_->scene = rtcNewScene(impl_->device);
  rtcSetSceneBuildQuality(impl_->scene, RTC_BUILD_QUALITY_HIGH);
  rtcSetSceneFlags(impl_->scene, RTC_SCENE_FLAG_ROBUST);
  const RTCGeometry geometry = rtcNewGeometry(impl_->device, RTC_GEOMETRY_TYPE_TRIANGLE);
  auto* positions = static_cast<float*>(
      rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3,
                              3 * sizeof(float), surface.vertices.size()));
  for (const Surface::Vertex& vertex : surface.vertices)
    for (int axis = 0; axis < 3; ++axis) *positions++ = vertex.position[axis];
  auto* corners = static_cast<uint32_t*>(
      rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
                              3 * sizeof(uint32_t), surface.triangles.size()));
  for (const Surface::Triangle& triangle : surface.triangles)
    for (const uint32_t corner : triangle.corners) *corners++ = corner;
  rtcCommitGeometry(geometry);
  rtcAttachGeometry(impl_->scene, geometry);
  rtcReleaseGeometry(geometry);
  rtcCommitScene(impl_->scene);
}

RayScene::~RayScene() = default;
RayScene::RayScene(RayScene&&) noexcept = default;

namespace {

void load(RTCRay8& ray, const RayPacket& rays) {
  std::memcpy(ray.org_x, rays.ox, sizeof rays.ox);
  std::memcpy(ray.org_y, rays.oy, sizeof rays.oy);
  std::memcpy(ray.org_z, rays.oz, sizeof rays.oz);
  std::memcpy(ray.dir_x, rays.dx, sizeof rays.dx);
  std::memcpy(ray.dir_y, rays.dy, sizeof rays.dy);
  std::memcpy(ray.dir_z, rays.dz, sizeof rays.dz);
  std::memcpy(ray.tfar, rays.far, sizeof rays.far);
  for (int i = 0; i < kPacket; ++i) {
    ray.tnear[i] = 0;
    ray.time[i] = 0;
    ray.mask[i] = 0xffffffff;
    ray.id[i] = 0;
    ray.flags[i] = 0;
  }
}

RTCIntersectContext makeContext(bool is_coherent) {
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  context.flags =
      is_coherent ? RTC_INTERSECT_CONTEXT_FLAG_COHERENT : RTC_INTERSECT_CONTEXT_FLAG_INCOHERENT;
  return context;
}

}  // namespace

void RayScene::intersect(RayPacket& rays, bool is_coherent) const {
  RTCRayHit8 hits;
  load(hits.ray, rays);
  for (int i = 0; i < kPacket; ++i) hits.hit.geomID[i] = RTC_INVALID_GEOMETRY_ID;
  RTCIntersectContext context = makeContext(is_coherent);
  rtcIntersect8(rays.valid, impl_->scene, &context, &hits);
  for (int i = 0; i < kPacket; ++i) {
    if (rays.valid[i] == 0 || hits.hit.geomID[i] == RTC_INVALID_GEOMETRY_ID) continue;
    rays.far[i] = hits.ray.tfar[i];
    rays.u[i] = hits.hit.u[i];
    rays.v[i] = hits.hit.v[i];
    rays.triangle[i] = hits.hit.primID[i];
  }
}

void RayScene::findOccluded(RayPacket& rays, bool is_coherent) const {
  RTCRay8 ray;
  load(ray, rays);
  RTCIntersectContext context = makeContext(is_coherent);
  rtcOccluded8(rays.valid, impl_->scene, &context, &ray);
  for (int i = 0; i < kPacket; ++i)
    if (rays.valid[i] != 0 && ray.tfar[i] < 0) rays.far[i] = -1;
}

}  // namespace gs

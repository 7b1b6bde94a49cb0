// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "gs/synthetic/town/surface.hpp"

namespace gs {

constexpr int kPacket = 8;
constexpr uint32_t kNoTriangle = 0xffffffff;

// Eight rays side by side; lanes with valid = 0 are left alone.
struct alignas(32) RayPacket {
  float ox[kPacket], oy[kPacket], oz[kPacket];
  float dx[kPacket], dy[kPacket], dz[kPacket];
  float far[kPacket];  // in: how far to look; out: where it hit
  float u[kPacket], v[kPacket];
  uint32_t triangle[kPacket];
  int32_t valid[kPacket];  // -1 or 0

  void set(int lane, const Vec3f& origin, const Vec3f& direction, float reach) {
    ox[lane] = origin.x(), oy[lane] = origin.y(), oz[lane] = origin.z();
    dx[lane] = direction.x(), dy[lane] = direction.y(), dz[lane] = direction.z();
    far[lane] = reach;
    triangle[lane] = kNoTriangle;
    valid[lane] = -1;
  }
};

// One surface, ready for rays; the only file that names Embree is ray_scene.cpp.
class RayScene {
 public:
  explicit RayScene(const Surface& surface);
  ~RayScene();
  RayScene(RayScene&&) noexcept;

  // Nearest hits: far, u, v, triangle of each valid lane that hit something.
  void intersect(RayPacket& rays, bool is_coherent) const;
  // far = -1 in each valid lane that is blocked before `far`.
  void findOccluded(RayPacket& rays, bool is_coherent) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace gs

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "gs/render/camera.hpp"
#include "gs/render/splat_scene.hpp"

namespace gs {

// What a camera may see of boxes full of splats. Never says no to a splat that would have been
// drawn; may say yes to one that would not.
class ViewFrustum {
 public:
  ViewFrustum(const Lens& lens, const Rigid3& map_from_opencv, double near_plane, double far_plane);
  bool maySee(const SplatBox& box) const;

 private:
  // Outside when normal . (p - eye) + per_reach * reach + offset < 0 for all p of the box.
  struct Plane {
    Vec3f normal;  // map frame
    float per_reach, offset;
  };
  Vec3f eye_;
  std::vector<Plane> planes_;
  // Fisheye: a cone and a shell instead of planes.
  bool is_fisheye_;
  Vec3f axis_;
  float cull_angle_, near_, far_;
};

// Indices of the clusters that the camera may see, ascending.
std::vector<uint32_t> findVisibleClusters(const SplatScene& scene, const ViewFrustum& frustum);

}  // namespace gs

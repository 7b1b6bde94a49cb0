// SPDX-License-Identifier: Apache-2.0
#include "gs/bundle/static_transforms.hpp"

namespace gs {
namespace {

StaticTransforms::Entry entryFor(const std::string& parent, const std::string& child,
                                 const Extrinsics& extrinsics) {
  const auto& t = extrinsics.translation;
  const auto& q = extrinsics.rotation_quat;
  return {.header = {.frame_id = parent},
          .child_frame_id = child,
          .transform = {.translation = {t[0], t[1], t[2]}, .rotation = {q[0], q[1], q[2], q[3]}}};
}

}  // namespace

StaticTransforms deriveStaticTransforms(const Calibration& calibration,
                                        const std::string& base_link_frame) {
  StaticTransforms result;
  for (const auto& [id, camera] : calibration.cameras)
    result.transforms.push_back(entryFor(base_link_frame, camera.frame_id, camera.extrinsics));
  for (const auto& [id, lidar] : calibration.lidars)
    result.transforms.push_back(entryFor(base_link_frame, lidar.frame_id, lidar.extrinsics));
  return result;
}

}  // namespace gs

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
  forEachMountedSensor(
      calibration, [&](const std::string&, const std::string& frame, const Extrinsics& extrinsics) {
        result.transforms.push_back(entryFor(base_link_frame, frame, extrinsics));
      });
  return result;
}

}  // namespace gs

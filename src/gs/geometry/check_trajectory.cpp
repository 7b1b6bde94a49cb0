// SPDX-License-Identifier: Apache-2.0
#include "gs/geometry/check_trajectory.hpp"

#include "gs/core/error.hpp"

namespace gs {

void checkTrajectory(const std::vector<Rigid3>& map_from_base) {
  if (map_from_base.empty())
    throw Error({.code = ErrorCode::InsufficientData,
                 .component = "geometry_builder",
                 .message = "the trajectory has no poses",
                 .suggestion = "Check topics.odom and topics.tf in config.yaml."});
  for (size_t i = 0; i < map_from_base.size(); ++i) {
    const Rigid3& pose = map_from_base[i];
    if (pose.translation.allFinite() && pose.rotation.coeffs().allFinite() &&
        pose.translation.cwiseAbs().maxCoeff() < 1e8)
      continue;
    throw Error({.code = ErrorCode::InputInvalid,
                 .component = "geometry_builder",
                 .message = "pose " + std::to_string(i) + " of the trajectory is not finite",
                 .details = {{"pose", i}},
                 .suggestion = "Check the odometry and TF of the log."});
  }
}

}  // namespace gs

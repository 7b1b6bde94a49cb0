// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/ego_way.hpp"

#include <algorithm>

#include "gs_builder/road_contact.hpp"

namespace gs_builder {

std::vector<gs::Rigid3> pathOf(const EgoTrajectory& trajectory) {
  std::vector<gs::Rigid3> path;
  for (const StampedPose& pose : trajectory.poses())
    if (path.empty() || (pose.map_from_base.translation - path.back().translation).norm() >= 0.25)
      path.push_back(pose.map_from_base);
  return path;
}

gs::SweptWay egoWay(const EgoTrajectory& trajectory, const gs::Calibration& calibration,
                    const gs::BaseLinkAboveGround& above_ground) {
  const gs::Rigid3 footing_from_base = above_ground.footingFromBase();
  double top = 0;
  const auto reachUpTo = [&](const gs::Extrinsics& mount) {
    top = std::max(top, (footing_from_base * mount.baseFromSensor().translation).z());
  };
  for (const auto& [id, camera] : calibration.cameras) reachUpTo(camera.extrinsics);
  for (const auto& [id, lidar] : calibration.lidars) reachUpTo(lidar.extrinsics);
  constexpr double kTallest = 4;  // m; beyond it the calibration is wrong, not the vehicle tall
  const gs::BodyBox body = gs::boxOf(gs::VehicleBody{}, gs::kDefaultWheelbase);
  return gs::SweptWay(pathOf(footingOf(trajectory, above_ground)),
                      gs::roomAround(body, std::min(top, kTallest)));
}

}  // namespace gs_builder

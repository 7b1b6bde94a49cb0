// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/road_contact.hpp"

#include <fmt/format.h>

namespace gs_builder {
namespace {

// Every pose seen from another point of the vehicle.
EgoTrajectory moved(const EgoTrajectory& trajectory, const gs::Rigid3& base_from_other) {
  std::vector<StampedPose> poses = trajectory.poses();
  for (StampedPose& pose : poses) pose.map_from_base = pose.map_from_base * base_from_other;
  return EgoTrajectory(std::move(poses));
}

}  // namespace

EgoTrajectory footingOf(const EgoTrajectory& trajectory,
                        const gs::BaseLinkAboveGround& above_ground) {
  return moved(trajectory, above_ground.footingFromBase().inverse());
}

RoadContact findRoadContact(const std::optional<gs::BaseLinkAboveGround>& given,
                            const EgoTrajectory& trajectory, const BaseScans& scans) {
  if (given) return {*given, true, "given"};
  std::vector<gs::Rigid3> path;
  for (const StampedPose& pose : trajectory.poses()) path.push_back(pose.map_from_base);
  const gs::ScanSource source{scans.stamps.size(), [&](size_t i) {
                                gs::PosedScan scan{.stamp = scans.stamps[i]};
                                const auto pose = trajectory.at(scan.stamp);
                                if (!pose) return scan;  // without points: it shows nothing
                                scan.map_from_base = *pose;
                                for (const auto& p : scans.load(i))
                                  scan.points.push_back({p[0], p[1], p[2], 0});
                                return scan;
                              }};
  const auto measured = gs::measureBaseLink(source, path);
  if (!measured || !measured->isSure()) return {};
  return {measured->above_ground, true, fmt::format("measured in {} scans", measured->scans_used)};
}

FollowedGround followGroundBelow(const gs::BaseLinkAboveGround& above_ground,
                                 const EgoTrajectory& planar, const BaseScans& scans) {
  const gs::Rigid3 footing_from_base = above_ground.footingFromBase();
  FollowedGround found =
      followGround(footingOf(planar, above_ground), scans.stamps.size(), [&](size_t i) {
        GroundScan scan{scans.stamps[i], scans.load(i)};
        for (auto& p : scan.points) {
          const gs::Vec3 q = footing_from_base * gs::Vec3(p[0], p[1], p[2]);
          p = {static_cast<float>(q.x()), static_cast<float>(q.y()), static_cast<float>(q.z())};
        }
        return scan;
      });
  found.trajectory = moved(found.trajectory, footing_from_base);
  return found;
}

}  // namespace gs_builder

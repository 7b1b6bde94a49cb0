// SPDX-License-Identifier: Apache-2.0
#include "gs/lidar/sweep_poses.hpp"

namespace gs {

SweepPoses::SweepPoses(const Rigid3& map_from_lidar)
    : is_moving_(false), begin_(map_from_lidar), end_(map_from_lidar) {}

SweepPoses::SweepPoses(const Rigid3& map_from_base, const BodyTwist& twist,
                       const Rigid3& base_from_lidar, double period)
    : is_moving_(true), begin_(map_from_base * base_from_lidar) {
  const Vec3 turn = period * twist.angular;
  const double angle = turn.norm();
  const Vec3 axis = angle > 0 ? Vec3(turn / angle) : Vec3::UnitZ();
  // Along the chord of the arc that the twist describes: half of the turn comes before the way.
  const Rigid3 halfway{Quat(Eigen::AngleAxisd(angle / 2, axis)), Vec3::Zero()};
  const Vec3 way = period * (halfway * twist.linear);
  end_ = map_from_base * Rigid3{Quat(Eigen::AngleAxisd(angle, axis)), way} * base_from_lidar;
}

bool SweepPoses::isFinite() const {
  return begin_.translation.allFinite() && begin_.rotation.coeffs().allFinite() &&
         end_.translation.allFinite() && end_.rotation.coeffs().allFinite();
}

Rigid3 SweepPoses::at(double part) const {
  return is_moving_ ? interpolate(begin_, end_, part) : begin_;
}

}  // namespace gs

// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/ego_poses.hpp"

#include <fmt/format.h>

namespace gs_builder {
namespace {

// A transform between two frames over time, with what it is composed of looked up once.
class FramePath {
 public:
  FramePath(const TfTree& tf, std::string target, std::string source)
      : target_(std::move(target)), source_(std::move(source)), tf_(tf) {
    if (target_ == source_) is_known_ = true;
    else is_known_ = tf.path(source_, target_).has_value();
  }
  bool isKnown() const { return is_known_; }
  bool isIdentity() const { return target_ == source_; }
  gs::Rigid3 at(gs::Stamp stamp) const {
    return isIdentity() ? gs::Rigid3() : tf_.find(target_, source_, stamp).value_or(gs::Rigid3());
  }

 private:
  std::string target_, source_;
  const TfTree& tf_;
  bool is_known_ = false;
};

EgoPoses fromTopic(const LogDigest& digest, const SensorPlan& plan) {
  EgoPoses result;
  const PoseTopic& topic = digest.poses.at(plan.pose_topic);
  const std::string child = topic.child_frame_id.empty() ? plan.base_frame : topic.child_frame_id;
  const FramePath map_from_frame(digest.tf, plan.map_frame, topic.frame_id);
  const FramePath child_from_base(digest.tf, child, plan.base_frame);
  if (!map_from_frame.isKnown() || !child_from_base.isKnown()) return result;

  const ClockCheck clock = checkClock(topic.stamps);
  std::vector<StampedPose> poses;
  for (size_t i = 0; i < topic.stamps.size(); ++i) {
    if (!clock.is_usable[i]) continue;
    const gs::Stamp stamp = clock.stamps[i];
    gs::Rigid3 pose = topic.frame_from_child[i];
    // Left alone where there is nothing to carry: identity would still round.
    if (!map_from_frame.isIdentity()) pose = map_from_frame.at(stamp) * pose;
    if (!child_from_base.isIdentity()) pose = pose * child_from_base.at(stamp);
    poses.push_back({stamp, pose});
  }
  result.trajectory = EgoTrajectory(std::move(poses));
  result.source = plan.pose_topic;
  if (!map_from_frame.isIdentity())
    result.source += fmt::format(", carried from {} to {} by TF", topic.frame_id, plan.map_frame);
  if (topic.invalid > 0)
    result.warnings.push_back(fmt::format("{} poses of {} are not finite or no rotation; left out",
                                          topic.invalid, plan.pose_topic));
  if (clock.uses_log_time)
    result.warnings.push_back(plan.pose_topic +
                              ": header stamps cannot be used; log times are used instead");
  else if (clock.jumps > 0)
    result.warnings.push_back(fmt::format("{} poses of {} have stamps that jump; left out",
                                          clock.jumps, plan.pose_topic));
  return result;
}

EgoPoses fromTf(const LogDigest& digest, const SensorPlan& plan) {
  EgoPoses result;
  const auto path = digest.tf.path(plan.base_frame, plan.map_frame);
  if (!path || plan.base_frame == plan.map_frame) return result;
  // The busiest transform sets the pace; the others are interpolated.
  const TfEdge* busiest = nullptr;
  for (const TfEdge* edge : *path)
    if (!edge->is_static && (!busiest || edge->samples.size() > busiest->samples.size()))
      busiest = edge;
  if (busiest == nullptr) return result;
  std::vector<StampedPose> poses;
  for (const StampedTransform& sample : busiest->samples)
    poses.push_back({sample.stamp, *digest.tf.find(plan.map_frame, plan.base_frame, sample.stamp)});
  result.trajectory = EgoTrajectory(std::move(poses));
  result.source = fmt::format("TF from {} to {}", plan.map_frame, plan.base_frame);
  return result;
}

}  // namespace

EgoPoses findEgoPoses(const LogDigest& digest, const SensorPlan& plan) {
  EgoPoses result;
  if (!plan.pose_topic.empty()) result = fromTopic(digest, plan);
  if (result.trajectory.poses().size() >= 2) return result;
  EgoPoses other = fromTf(digest, plan);
  if (!plan.pose_topic.empty() && !other.trajectory.empty())
    other.warnings.push_back(plan.pose_topic + " is not tied to the map and the vehicle by TF; " +
                             "TF alone is used");
  return other;
}

}  // namespace gs_builder

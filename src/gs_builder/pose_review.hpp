// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "gs_builder/ego_poses.hpp"
#include "gs_builder/log_digest.hpp"
#include "gs_builder/log_findings.hpp"
#include "gs_builder/pose_agreement.hpp"
#include "gs_builder/sensor_plan.hpp"

// Which poses of a log to believe.
namespace gs_builder {

// How far poses may leave what the LiDAR saw on a drive of this length, in m: small errors add up.
double wanderLimit(double max_wander, double length);

// Fits as well as good odometry does, whatever the configuration accepts.
bool isGood(const PoseFit& fit, double length);

// One place where poses of the ego can come from, and how well they fit the LiDAR.
struct PoseCandidate {
  std::string topic;  // empty: TF
  EgoPoses poses;
  PoseFit fit;

  bool isJudged() const { return fit.pairs > 0; }
  bool isGood() const { return gs_builder::isGood(fit, poses.trajectory.length()); }
};

// The plan's own source first, then every other topic with poses of the vehicle.
std::vector<PoseCandidate> reviewPoses(const LogDigest& digest, const SensorPlan& plan);

// The topic to use instead of the first candidate, because the LiDAR says that it is much better;
// empty: stay with the first.
std::string betterTopic(const std::vector<PoseCandidate>& candidates);

// What is to be said about the first candidate, which is the one that is used, and about those
// that disagree with it.
void judgePoses(Findings& findings, const std::vector<PoseCandidate>& candidates,
                gs::Stamp log_start, double max_wander);

}  // namespace gs_builder

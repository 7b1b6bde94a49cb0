// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/pose_review.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace gs_builder {
namespace {

// Nobody records more; a hostile log must not make us lay scans for hours.
constexpr size_t kMostCandidates = 8;

// As doubles: stamps and log times of a hostile log may be farther apart than an integer holds.
double secondsAfter(gs::Stamp start, gs::Stamp at) {
  return gs::toSeconds(at) - gs::toSeconds(start);
}

std::string nameOf(const PoseCandidate& candidate) {
  return candidate.topic.empty() ? "TF" : candidate.topic;
}

PoseCandidate candidateFrom(const LogDigest& digest, SensorPlan plan, const std::string& topic) {
  plan.pose_topic = topic;
  // The shape of a path can be judged in its own frame, too.
  if (!topic.empty()) {
    const std::string& frame = digest.poses.at(topic).frame_id;
    if (frame != plan.map_frame && !digest.tf.path(frame, plan.map_frame)) plan.map_frame = frame;
  }
  return {.topic = topic, .poses = findEgoPoses(digest, plan)};
}

// The pairs of scans of the LiDAR that has most of them, with the times that can be believed.
struct PlacedPairs {
  std::vector<TimedPair> pairs;
  gs::Rigid3 base_from_lidar;
};

PlacedPairs pairsFor(const LogDigest& digest, const SensorPlan& plan) {
  PlacedPairs best;
  for (const LidarPlan& lidar : plan.lidars) {
    const auto scans = digest.scan_pairs.find(lidar.topic);
    const auto stamps = digest.sensor_stamps.find(lidar.topic);
    if (scans == digest.scan_pairs.end() || stamps == digest.sensor_stamps.end()) continue;
    const ClockCheck clock = checkClock(stamps->second);
    PlacedPairs placed;
    for (const ScanPair& pair : scans->second) {
      const size_t first = pair.first->message, second = pair.second->message;
      if (second < clock.stamps.size() && clock.is_usable[first] && clock.is_usable[second])
        placed.pairs.push_back({clock.stamps[first], clock.stamps[second], pair});
    }
    if (placed.pairs.size() <= best.pairs.size()) continue;
    const auto mount = lidar.frame == plan.base_frame
                           ? gs::Rigid3()
                           : digest.tf.find(plan.base_frame, lidar.frame, placed.pairs[0].first);
    if (!mount) continue;
    placed.base_from_lidar = *mount;
    best = std::move(placed);
  }
  return best;
}

std::string wanderText(const PoseCandidate& candidate, gs::Stamp log_start) {
  return fmt::format(
      "LiDAR scans that it places drift apart by {:.2f} m over {:.0f} m (most at "
      "{:.1f} s)",
      candidate.fit.wander, candidate.poses.trajectory.length(),
      secondsAfter(log_start, candidate.fit.worst));
}

void judgeUsed(Findings& findings, const std::vector<PoseCandidate>& candidates,
               gs::Stamp log_start, double max_wander) {
  const PoseCandidate& used = candidates.front();
  const double limit = wanderLimit(max_wander, used.poses.trajectory.length());
  const bool is_refused = used.fit.wander > limit;
  if (used.isGood() && !is_refused) {
    findings.good("ego pose",
                  fmt::format("{} fits the LiDAR: over {:.0f} m scans drift apart by {:.2f} m",
                              nameOf(used), used.poses.trajectory.length(), used.fit.wander));
    return;
  }
  const std::string message = nameOf(used) + " wanders: " + wanderText(used, log_start);
  const auto better = std::find_if(candidates.begin() + 1, candidates.end(),
                                   [](const PoseCandidate& other) { return other.isGood(); });
  const std::string cause =
      "Walls and kerbs become double, and standing things are taken for moving.";
  const std::string advice =
      better != candidates.end()
          ? fmt::format("{} fits them within {:.2f} m: leave topics.odom out, or name it there.",
                        nameOf(*better), better->fit.wander)
          : "Record poses that fit (from LiDAR odometry, or RTK), or use time_range for the part "
            "before they go wrong.";
  if (!is_refused) {
    findings.warn("ego pose", message + ". " + cause, advice);
    return;
  }
  const Cure cure{"--max-wander",
                  std::ceil(10 * (max_wander + used.fit.wander - limit) + 1e-9) / 10};
  findings.fatal({.level = LogFinding::Level::Fatal,
                  .subject = "ego pose",
                  .message = fmt::format("{}, at most {:.2f} m are allowed", message, limit),
                  .code = gs::ErrorCode::InsufficientData,
                  .details = {{"subject", "ego pose"},
                              {"measured", used.fit.wander},
                              {"required", limit},
                              {"source", nameOf(used)}},
                  .suggestion = fmt::format("{} Or accept it with {} "
                                            "(quality.max_pose_wander_m): {}",
                                            advice, cure.text(), cause),
                  .cure = cure});
}

}  // namespace

double wanderLimit(double max_wander, double length) {
  constexpr double kShareOfLength = 0.005;  // that odometry may lose and still be good
  return max_wander + kShareOfLength * length;
}

bool isGood(const PoseFit& fit, double length) {
  constexpr double kUsual = PipelineConfig::Quality{}.max_pose_wander_m;
  return fit.pairs > 0 && fit.wander <= wanderLimit(kUsual, length) / 2;
}

std::vector<PoseCandidate> reviewPoses(const LogDigest& digest, const SensorPlan& plan) {
  std::vector<PoseCandidate> candidates = {candidateFrom(digest, plan, plan.pose_topic)};
  for (const auto& [topic, poses] : digest.poses)
    if (topic != plan.pose_topic && poses.stamps.size() >= 10 &&
        candidates.size() < kMostCandidates) {
      PoseCandidate other = candidateFrom(digest, plan, topic);
      // Not of the vehicle, or not tied to it by TF.
      if (other.poses.source.starts_with(topic)) candidates.push_back(std::move(other));
    }
  std::vector<PoseSource> sources;
  for (const PoseCandidate& candidate : candidates)
    sources.push_back({nameOf(candidate), &candidate.poses.trajectory});
  const PlacedPairs placed = pairsFor(digest, plan);
  const auto fits = fitPoses(sources, placed.pairs, placed.base_from_lidar);
  for (size_t i = 0; i < candidates.size(); ++i) candidates[i].fit = fits[i];
  return candidates;
}

std::string betterTopic(const std::vector<PoseCandidate>& candidates) {
  const PoseCandidate& used = candidates.front();
  if (!used.isJudged() || used.isGood()) return {};
  const PoseCandidate* best = &used;
  for (const PoseCandidate& other : candidates)
    if (other.isGood() && other.fit.wander < best->fit.wander / 2) best = &other;
  return best == &used ? std::string() : best->topic;
}

void judgePoses(Findings& findings, const std::vector<PoseCandidate>& candidates,
                gs::Stamp log_start, double max_wander) {
  const PoseCandidate& used = candidates.front();
  if (used.isJudged()) judgeUsed(findings, candidates, log_start, max_wander);
  for (size_t i = 1; i < candidates.size(); ++i) {
    const PoseCandidate& other = candidates[i];
    const auto apart = distanceBetween(used.poses.trajectory, other.poses.trajectory);
    if (other.isJudged()) {
      if (!other.isGood())
        findings.good("ego pose", fmt::format("{} is not used: {}", nameOf(other),
                                              wanderText(other, log_start)));
    } else if (apart && apart->distance > 0.5) {
      findings.warn("ego pose",
                    fmt::format("{} and {} disagree by {:.2f} m (most at {:.1f} s), and no LiDAR "
                                "tells which of them is right",
                                nameOf(used), nameOf(other), apart->distance,
                                secondsAfter(log_start, apart->at)),
                    "Name the better one in topics.odom of config.yaml.");
    }
  }
}

}  // namespace gs_builder

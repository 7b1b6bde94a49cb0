// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/motion_plan.hpp"

#include <algorithm>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "gs_builder/motion_noise.hpp"
#include "gs_builder/timeline.hpp"

namespace gs_builder {
namespace {

using NamesById = std::map<std::string, std::string>;

// Commands look like measurements, but are what somebody wished for.
bool isCommand(const std::string& topic) {
  return topic.find("cmd") != topic.npos || topic.find("command") != topic.npos ||
         topic.find("control") != topic.npos || topic.find("target") != topic.npos;
}

class MotionPlanner {
 public:
  MotionPlanner(const LogDigest& digest, const PipelineConfig& config,
                const EgoTrajectory& trajectory, SensorPlan& plan, Findings& findings)
      : motion_(digest.motion),
        tf_(digest.tf),
        config_(config),
        trajectory_(trajectory),
        plan_(plan),
        findings_(findings) {}

  void run() {
    const PipelineConfig::Topics& topics = config_.topics;
    for (const auto& [id, topic] : chosen(topics.imus, motion_.imus, "imu"))
      addMounted("imu", id, topic, motion_.imus.at(topic), config_.frames.imus, plan_.imus);
    for (const auto& [id, topic] : chosen(topics.gnss, motion_.gnss, "gnss")) {
      const GnssTopic& fixes = motion_.gnss.at(topic);
      addMounted("gnss", id, topic, fixes, config_.frames.gnss, plan_.gnss);
      if (fixes.without_fix > 0)
        findings_.good("gnss " + id, fmt::format("{} messages without a fix", fixes.without_fix));
    }
    planWheels();
  }

 private:
  template <typename Topics>
  NamesById chosen(const NamesById& configured, const Topics& found, const std::string& kind) {
    NamesById by_id;
    std::set<std::string> taken;
    if (configured.empty())
      for (const auto& [topic, messages] : found)
        by_id[freeId(motionSensorIdFor(topic, messages.frame_id), taken)] = topic;
    for (const auto& [id, topic] : configured) {
      if (found.contains(topic)) by_id[id] = topic;
      else
        findings_.warn(
            kind + " " + id,
            fmt::format("topic '{}' is not in the log (or not of a type that it has)", topic),
            "Check the topics section of config.yaml.");
    }
    return by_id;
  }

  static std::string freeId(const std::string& id, std::set<std::string>& taken) {
    std::string unique = id;
    for (int n = 2; !taken.insert(unique).second; ++n) unique = fmt::format("{}_{}", id, n);
    return unique;
  }

  template <typename Messages>
  void addMounted(const std::string& kind, const std::string& id, const std::string& topic,
                  const Messages& messages, const NamesById& frames,
                  std::vector<MotionSensorPlan>& sensors) {
    const std::string subject = kind + " " + id;
    const auto named = frames.find(id);
    std::string frame = named != frames.end() ? named->second : messages.frame_id;
    if (frame.starts_with("/")) frame.erase(0, 1);
    if (messages.stamps.size() < 2) {
      findings_.warn(subject, fmt::format("left out, '{}' has no usable messages", topic));
      return;
    }
    if (frame != plan_.base_frame && !tf_.path(frame, plan_.base_frame)) {
      findings_.warn(subject,
                     fmt::format("left out, its frame '{}' cannot be reached from '{}' through TF",
                                 frame, plan_.base_frame),
                     "Give its mount in a file with --extrinsics, or name the right frame in "
                     "frames of config.yaml.");
      return;
    }
    sensors.push_back({id, topic, frame, rateOf(messages.stamps)});
    said(subject, messages.stamps.size(), sensors.back());
  }

  void planWheels() {
    const NamesById& configured = config_.topics.wheel_odometry;
    if (configured.empty()) {
      const std::string topic = bestTwist();
      if (!topic.empty()) addWheels(motionSensorIdFor(topic, ""), topic);
      return;
    }
    for (const auto& [id, topic] : chosen(configured, motion_.twists, "wheel odometry"))
      addWheels(id, topic);
  }

  void addWheels(const std::string& id, const std::string& topic) {
    const TwistTopic& twists = motion_.twists.at(topic);
    const std::string subject = "wheel odometry " + id;
    if (const auto estimate = estimateWheelOdometry(twists, trajectory_);
        twists.stamps.size() < 2 || !estimate.warning.empty()) {
      findings_.warn(subject, fmt::format("left out, '{}': {}", topic,
                                          estimate.warning.empty() ? "has no usable messages"
                                                                   : estimate.warning));
      return;
    }
    plan_.wheel_odometry.push_back(
        {id, topic, twists.is_odometry ? twists.frame_id : "", rateOf(twists.stamps)});
    said(subject, twists.stamps.size(), plan_.wheel_odometry.back());
  }

  // Of all topics that follow the poses: a vehicle's own report first, then the most frequent.
  std::string bestTwist() const {
    std::string best;
    auto best_score = std::tuple(0, size_t{0}, size_t{0});
    for (const auto& [topic, twists] : motion_.twists) {
      if (topic == plan_.pose_topic || isCommand(topic) || twists.stamps.size() < 2) continue;
      const bool never_moves =
          std::all_of(twists.speed.begin(), twists.speed.end(), [](double v) { return v == 0; });
      // Odometry that knows where it is on the map is localization, not wheels.
      if (never_moves || (twists.is_odometry && twists.frame_id == plan_.map_frame)) continue;
      if (!estimateWheelOdometry(twists, trajectory_).warning.empty()) continue;
      const int kind = twists.is_odometry                                        ? 1
                       : twists.type.find("VelocityReport") != std::string::npos ? 3
                                                                                 : 2;
      const auto score = std::tuple(kind, twists.stamps.size(), size_t{1000} - topic.size());
      if (!best.empty() && score <= best_score) continue;
      best = topic;
      best_score = score;
    }
    return best;
  }

  static double rateOf(const std::vector<LoggedStamp>& logged) {
    const ClockCheck clock = checkClock(logged);
    std::vector<gs::Stamp> stamps;
    for (size_t i = 0; i < logged.size(); ++i)
      if (clock.is_usable[i]) stamps.push_back(clock.stamps[i]);
    std::sort(stamps.begin(), stamps.end());
    const double rate_hz = recordedRateHz(stamps);
    // A clock that is off by a thousandth is no other rate.
    const double even = std::round(rate_hz);
    return std::abs(rate_hz - even) < 0.002 * even ? even : rate_hz;
  }

  void said(const std::string& subject, size_t messages, const MotionSensorPlan& sensor) {
    findings_.good(
        subject, fmt::format("{} messages at {} Hz on {}", messages, sensor.rate_hz, sensor.topic));
  }

  const MotionTopics& motion_;
  const TfTree& tf_;
  const PipelineConfig& config_;
  const EgoTrajectory& trajectory_;
  SensorPlan& plan_;
  Findings& findings_;
};

}  // namespace

void planMotionSensors(const LogDigest& digest, const PipelineConfig& config,
                       const EgoTrajectory& trajectory, SensorPlan& plan, Findings& findings) {
  if (config.ingest.motion_sensors) MotionPlanner(digest, config, trajectory, plan, findings).run();
}

}  // namespace gs_builder

// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/doctor.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gs_builder/camera_calibration.hpp"
#include "gs_builder/motion_plan.hpp"
#include "gs_builder/pose_review.hpp"
#include "gs_builder/quality_gates.hpp"

namespace gs_builder {
namespace {

using gs::ErrorCode;

const TopicSurvey* findTopic(const LogSurvey& survey, const std::string& name) {
  for (const TopicSurvey& topic : survey.topics)
    if (topic.name == name) return &topic;
  return nullptr;
}

// The part of the log that the configuration asks for.
struct TimeRange {
  gs::Stamp begin, end;  // of log times
};

TimeRange rangeOf(const LogSurvey& survey, const PipelineConfig::TimeRange& asked) {
  TimeRange range{survey.start, survey.end};
  if (const auto start = gs::findDuration(asked.start_sec)) range.begin = range.begin + *start;
  if (asked.duration_sec)
    if (const auto span = gs::findDuration(*asked.duration_sec))
      range.end = std::min(range.end, range.begin + *span);
  return range;
}

FrameChoice chooseFrames(const std::vector<LoggedStamp>& messages, const TimeRange& range,
                         const EgoTrajectory& trajectory) {
  const ClockCheck clock = checkClock(messages);
  FrameChoice choice{.stamps = std::vector<std::optional<gs::Stamp>>(messages.size()),
                     .clock_jumps = clock.jumps,
                     .uses_log_time = clock.uses_log_time};
  if (clock.uses_log_time) choice.clock_jumps = 0;
  for (size_t i = 0; i < messages.size(); ++i) {
    if (!clock.is_usable[i]) continue;
    const gs::Stamp stamp = clock.stamps[i];
    if (messages[i].log_time < range.begin || messages[i].log_time > range.end) {
      ++choice.outside_range;
    } else if (choice.kept > 0 && stamp <= choice.last) {
      ++choice.backward;
    } else if (!trajectory.at(stamp)) {
      ++choice.without_pose;
    } else {
      choice.stamps[i] = stamp;
      if (choice.kept++ == 0) choice.first = stamp;
      choice.last = stamp;
    }
  }
  return choice;
}

std::vector<gs::Stamp> keptStamps(const FrameChoice& choice) {
  std::vector<gs::Stamp> stamps;
  for (const auto& stamp : choice.stamps)
    if (stamp) stamps.push_back(*stamp);
  return stamps;
}

double percentile(std::vector<double> values, double fraction) {
  const auto at =
      static_cast<std::ptrdiff_t>(fraction * static_cast<double>(values.size() - 1) + 0.5);
  std::nth_element(values.begin(), values.begin() + at, values.end());
  return values[static_cast<size_t>(at)];
}

std::optional<StampOffset> offsetBetween(const std::vector<gs::Stamp>& camera,
                                         const std::vector<gs::Stamp>& lidar) {
  std::vector<double> offsets, distances;
  for (const gs::Stamp stamp : camera) {
    // Where only one of the two was recorded there is nothing to compare.
    if (lidar.empty() || stamp < lidar.front() || stamp > lidar.back()) continue;
    const auto above = std::lower_bound(lidar.begin(), lidar.end(), stamp);
    double best = gs::toSeconds(stamp - *above);
    if (above != lidar.begin()) {
      const double before = gs::toSeconds(stamp - *std::prev(above));
      if (std::abs(before) < std::abs(best)) best = before;
    }
    offsets.push_back(best);
    distances.push_back(std::abs(best));
  }
  if (offsets.empty()) return std::nullopt;
  return StampOffset{percentile(offsets, 0.5), percentile(distances, 0.95)};
}

class Doctor {
 public:
  Doctor(const LogDigest& digest, const PipelineConfig& config, int workers)
      : digest_(digest), config_(config), workers_(workers), findings_(result_.findings) {}

  Diagnosis run() {
    checkDamage();
    checkEncodings();
    result_.plan = planSensors(digest_, config_, findings_);
    checkTf();
    checkPoses();
    checkDuration();
    for (const CameraPlan& camera : std::vector(result_.plan.cameras)) checkCamera(camera);
    for (const LidarPlan& lidar : std::vector(result_.plan.lidars)) checkLidar(lidar);
    if (!result_.ego.trajectory.empty())
      planMotionSensors(digest_, config_, result_.ego.trajectory, result_.plan, findings_);
    checkSteps();
    checkCoverage();
    predict();
    return std::move(result_);
  }

 private:
  void checkDamage() {
    uint64_t lost = 0;
    for (const gs::McapProblem& problem : digest_.survey.damage) lost += problem.lost_bytes;
    if (digest_.survey.damage.empty()) return;
    findings_.warn(
        "log",
        fmt::format("damaged in {} places, {} bytes lost; the first: {}",
                    digest_.survey.damage.size(), lost, digest_.survey.damage.front().message),
        "Copy the log again if the original is sound.");
  }

  void checkEncodings() {
    std::map<std::string, std::vector<std::string>> topics;
    for (const TopicSurvey& topic : digest_.survey.topics)
      if (!isReadable(topic.encoding)) topics[topic.encoding].push_back(topic.name);
    for (const auto& [encoding, names] : topics)
      findings_.warn("log",
                     fmt::format("messages encoded as {} are not read, only cdr is: {}", encoding,
                                 fmt::join(names, ", ")),
                     "Convert them to ROS 2 messages: 'rosbags-convert' does it for ros1.");
  }

  void checkTf() {
    const TfTree& tf = digest_.tf;
    if (const auto loop = tf.findLoop(); !loop.empty())
      findings_.warn("tf", fmt::format("the tree has a loop: {}", fmt::join(loop, " -> ")),
                     "Find the two nodes that publish these transforms and stop one.");
    const auto& counts = tf.counts();
    if (counts.invalid > 0)
      findings_.warn("tf", fmt::format("{} transforms are not finite, have no rotation or no name; "
                                       "left out",
                                       counts.invalid));
    if (counts.clock_jumps > 0)
      findings_.warn(
          "tf", fmt::format("{} transforms have stamps that jump; left out", counts.clock_jumps));
    if (counts.other_parents > 0)
      findings_.warn("tf", fmt::format("{} transforms give a frame a second parent; left out",
                                       counts.other_parents));
  }

  // The plan's own choice, unless the LiDAR says that another topic is much better. What the
  // configuration names is used, whatever it is worth.
  void choosePoses() {
    candidates_ = reviewPoses(digest_, result_.plan);
    const std::string better = config_.topics.odom ? std::string() : betterTopic(candidates_);
    if (!better.empty()) {
      PipelineConfig with_better = config_;
      with_better.topics.odom = better;
      Findings known;  // all that can be found was found by the first plan
      result_.plan = planSensors(digest_, with_better, known);
      std::stable_partition(candidates_.begin(), candidates_.end(),
                            [&](const PoseCandidate& one) { return one.topic == better; });
    }
    result_.ego = findEgoPoses(digest_, result_.plan);
    for (const PoseCandidate& candidate : candidates_) result_.pose_fits.push_back(candidate.fit);
  }

  void checkPoses() {
    choosePoses();
    for (const std::string& warning : result_.ego.warnings) findings_.warn("ego pose", warning);
    const EgoTrajectory& trajectory = result_.ego.trajectory;
    if (trajectory.poses().size() < 10) {
      if (digest_.poses.empty() && digest_.tf.edges().empty()) {
        std::vector<std::string> topics;
        for (const TopicSurvey& topic : digest_.survey.topics) topics.push_back(topic.name);
        findings_.fatal(ErrorCode::TopicNotFound, "ego pose", "the log has neither odometry nor TF",
                        {{"available_topics", topics}},
                        "Record nav_msgs/Odometry, a PoseStamped topic, or /tf.");
      } else {
        findings_.fatal(
            ErrorCode::InsufficientData, "ego pose",
            fmt::format("only {} poses lead from '{}' to '{}'", trajectory.poses().size(),
                        result_.plan.map_frame, result_.plan.base_frame),
            {{"pose_topic", result_.plan.pose_topic},
             {"map_frame", result_.plan.map_frame},
             {"base_link_frame", result_.plan.base_frame},
             {"loop", digest_.tf.findLoop()}},
            "Check frames.map, frames.base_link and topics.odom in config.yaml against the TF tree "
            "that 'gs-inspect log' prints.");
      }
      return;
    }
    findings_.good("ego pose",
                   fmt::format("{} poses over {:.1f} m, from {}", trajectory.poses().size(),
                               trajectory.length(), result_.ego.source));
    judgePoses(findings_, candidates_, digest_.survey.start, config_.quality.max_pose_wander_m);
    if (trajectory.gaps() > 0)
      findings_.warn("ego pose",
                     fmt::format("{} gaps longer than 1 s, the longest {:.1f} s: sensors have no "
                                 "pose there",
                                 trajectory.gaps(), trajectory.longestGap()));
  }

  void checkDuration() {
    const TimeRange range = rangeOf(digest_.survey, config_.time_range);
    // Integers first, so that 32 s are 32 s; as doubles where a hostile log would overflow them.
    const double rough = gs::toSeconds(range.end) - gs::toSeconds(range.begin);
    result_.duration =
        std::max(0.0, std::abs(rough) < 1e9 ? gs::toSeconds(range.end - range.begin) : rough);
    if (judgeDuration(findings_, result_.duration, config_.quality))
      findings_.good("duration", fmt::format("{:.3f} s, {} messages", result_.duration,
                                             digest_.survey.message_count));
  }

  // /tf_static was recorded, but cannot be read any more.
  bool hasLostMounts() const {
    const TopicSurvey* mounts = findTopic(digest_.survey, config_.topics.tf_static);
    return !digest_.survey.damage.empty() &&
           (mounts == nullptr || mounts->count == 0 || mounts->lost > 0);
  }

  // What cameras and LiDARs have in common: frames, rates, gaps, the way to base_link.
  bool checkSensor(const std::string& name, const std::string& topic, const std::string& frame) {
    const auto stamps = digest_.sensor_stamps.find(topic);
    FrameChoice choice = chooseFrames(stamps->second, rangeOf(digest_.survey, config_.time_range),
                                      result_.ego.trajectory);
    const auto count = [&](size_t n, const char* what) {
      if (n > 0) findings_.warn(name, fmt::format("{} messages {}; left out", n, what));
    };
    count(choice.clock_jumps, "have stamps that jump");
    count(choice.backward, "are not later than the one before");
    if (!result_.ego.trajectory.empty())
      count(choice.without_pose, "are of times without ego pose");
    if (choice.uses_log_time)
      findings_.warn(name, "header stamps cannot be used; log times are used instead");
    const TopicSurvey& survey = *findTopic(digest_.survey, topic);
    choice.rate_hz = survey.periods.rateHz();
    if (survey.unreadable > 0) count(survey.unreadable, "cannot be read");
    if (survey.periods.gaps() > 0)
      findings_.warn(name, fmt::format("{} gaps, the longest {:.2f} s", survey.periods.gaps(),
                                       survey.periods.longest()));
    bool is_usable = true;
    if (!result_.ego.trajectory.empty()) {
      // What counts is what the sensor sent, not how much of it has a pose.
      judgeRate(findings_, name, survey.periods, config_.quality);
      if (choice.kept == 0) {
        findings_.fatal(
            ErrorCode::InsufficientData, name, "none of its messages can be used",
            {{"messages", stamps->second.size()}, {"without_pose", choice.without_pose}},
            "Check that its clock and that of the ego pose are the same.");
        is_usable = false;
      } else {
        findings_.good(
            name, fmt::format("{} frames at {:.2f} Hz on {}", choice.kept, choice.rate_hz, topic));
        const double late = gs::toSeconds(survey.first) - gs::toSeconds(digest_.survey.start);
        if (late > 1) findings_.warn(name, fmt::format("starts {:.1f} s after the log does", late));
      }
    }
    const bool is_reachable = frame == result_.plan.base_frame ||
                              digest_.tf.path(frame, result_.plan.base_frame).has_value();
    if (!is_reachable) {
      findings_.fatal(
          ErrorCode::InsufficientData, name,
          fmt::format("its frame '{}' cannot be reached from '{}' through TF{}", frame,
                      result_.plan.base_frame,
                      hasLostMounts() ? ": the mounts were in the damaged part of the log" : ""),
          {{"problem", "TF_MISSING"},
           {"frame", frame},
           {"base_link_frame", result_.plan.base_frame},
           {"ancestors", digest_.tf.ancestorsOf(frame)},
           {"loop", digest_.tf.findLoop()}},
          hasLostMounts()
              ? "Copy the log again if the original is sound, or give the mounts in a file with "
                "--extrinsics."
              : "Give the mounts in a file with --extrinsics, or name the right frame in "
                "frames.cameras or frames.lidars of config.yaml; next time record /tf_static from "
                "the start.");
    }
    result_.frames[topic] = std::move(choice);
    return is_usable && is_reachable;
  }

  void checkCamera(const CameraPlan& plan) {
    checkSensor(plan.subject(), plan.image_topic, plan.frame);
    const CameraLook& look = digest_.cameras.at(plan.image_topic);
    const CameraInfoLook& info = digest_.camera_infos.at(plan.info_topic);
    const CameraFromInfo lens =
        cameraFromInfo(info.first, look.width, look.height, isRectifiedTopic(plan.image_topic));
    if (!lens.problem.empty()) {
      findings_.fatal(ErrorCode::InvalidCalibration, plan.subject(), lens.problem,
                      {{"info_topic", plan.info_topic},
                       {"fx", info.first.k[0]},
                       {"fy", info.first.k[4]},
                       {"info_width", info.first.width},
                       {"info_height", info.first.height},
                       {"image_width", look.width},
                       {"image_height", look.height},
                       {"distortion_model", info.first.distortion_model}},
                      "Calibrate the camera, or name another CameraInfo in topics.camera_infos.");
      return;
    }
    for (const std::string& note : lens.notes) findings_.good(plan.subject(), note);
    if (info.changes > 0)
      findings_.warn(
          plan.subject(),
          fmt::format("its calibration changes {} times; the first is used", info.changes));
    const gs::CameraIntrinsics& in = lens.intrinsics;
    if (in.cx < 0 || in.cy < 0 || in.cx >= look.width || in.cy >= look.height)
      findings_.warn(plan.subject(),
                     fmt::format("its principal point ({:.1f}, {:.1f}) lies outside "
                                 "the image",
                                 in.cx, in.cy));
    const double field_deg = 2 * std::atan(look.width / (2 * in.fx)) * 57.29578;
    if (in.model == gs::CameraModel::Pinhole && (field_deg < 5 || field_deg > 170))
      findings_.warn(plan.subject(),
                     fmt::format("a horizontal view of {:.0f} degrees is unusual", field_deg));
    result_.cameras[plan.id] = {.id = plan.id,
                                .image_topic = plan.image_topic,
                                .info_topic = plan.info_topic,
                                .frame = plan.frame,
                                .image_width = look.width,
                                .image_height = look.height,
                                .intrinsics = in};
  }

  void checkLidar(const LidarPlan& plan) {
    checkSensor(plan.subject(), plan.topic, plan.frame);
    const LidarLook& look = digest_.lidars.at(plan.topic);
    if (!look.has_time)
      findings_.warn(plan.subject(),
                     "its points carry no time: motion during a sweep can only be "
                     "guessed from their azimuth");
    if (!look.has_intensity) findings_.warn(plan.subject(), "its points carry no intensity");
  }

  // Cameras against LiDARs by their stamps alone: how far a picture is from the nearest scan. A
  // constant shift between their clocks smaller than half a period cannot be seen this way.
  void checkSteps() {
    if (result_.plan.lidars.empty() || result_.ego.trajectory.empty()) return;
    for (const CameraPlan& camera : result_.plan.cameras) {
      std::optional<StampOffset> best;
      double lidar_rate_hz = 0;
      for (const LidarPlan& lidar : result_.plan.lidars) {
        const auto offset = offsetBetween(keptStamps(result_.frames.at(camera.image_topic)),
                                          keptStamps(result_.frames.at(lidar.topic)));
        if (!offset || (best && offset->p95 >= best->p95)) continue;
        best = offset;
        lidar_rate_hz = result_.frames.at(lidar.topic).rate_hz;
      }
      if (!best) {
        findings_.fatal(ErrorCode::InsufficientData, camera.subject(),
                        "it and the LiDARs were not recorded at the same time",
                        {{"subject", camera.subject()}}, "Check the clocks of both.");
        continue;
      }
      result_.offsets[camera.id] = *best;
      judgeSteps(findings_, camera.subject(), best->p95, lidar_rate_hz, config_.quality);
    }
  }

  void checkCoverage() {
    const auto& poses = result_.ego.trajectory.poses();
    if (poses.empty()) return;
    gs::Vec3 low = poses.front().map_from_base.translation, high = low;
    for (const StampedPose& pose : poses) {
      low = low.cwiseMin(pose.map_from_base.translation);
      high = high.cwiseMax(pose.map_from_base.translation);
    }
    const gs::Vec3 size = high - low;
    findings_.good("coverage", fmt::format("{:.0f} x {:.0f} m of trajectory, {:.1f} m of height",
                                           size.x(), size.y(), size.z()));
    if (result_.ego.trajectory.length() < 10)
      findings_.warn("coverage", fmt::format("the vehicle moves only {:.1f} m: a world seen from "
                                             "one place has little depth",
                                             result_.ego.trajectory.length()));
    if (size.norm() > 5000)
      findings_.warn("coverage",
                     "the drive is larger than one heightmap can be; use time_range or "
                     "heightmap.extent");
  }

  // Measured on one core of a 2020s server: bytes read per second, points and pixels per second.
  void predict() {
    double points = 0, cloud_bytes = 0, image_bytes = 0, raw_pixels = 0;
    for (const LidarPlan& lidar : result_.plan.lidars)
      for (const LidarSurvey& survey : digest_.survey.lidars)
        if (survey.topic == lidar.topic)
          points += survey.points * static_cast<double>(result_.frames.at(lidar.topic).kept);
    cloud_bytes = 16 * points;
    for (const CameraPlan& camera : result_.plan.cameras) {
      const TopicSurvey& topic = *findTopic(digest_.survey, camera.image_topic);
      image_bytes += static_cast<double>(topic.bytes);
      if (topic.type == "sensor_msgs/msg/Image") raw_pixels += static_cast<double>(topic.bytes) / 3;
    }
    const double cores = std::max(1, workers_);
    result_.prognosis.seconds = 2 * static_cast<double>(digest_.survey.size_bytes) / 400e6 +
                                (points / 1.5e6 + raw_pixels / 10e6) / cores + 5;
    result_.prognosis.memory_bytes = 600e6 + std::min(24e6, points / 4) * 60;
    result_.prognosis.disk_bytes = cloud_bytes + image_bytes + 500e6;
  }

  const LogDigest& digest_;
  const PipelineConfig& config_;
  int workers_;
  std::vector<PoseCandidate> candidates_;  // what is used first
  Diagnosis result_;
  Findings& findings_;
};

}  // namespace

Diagnosis diagnose(const LogDigest& digest, const PipelineConfig& config, int workers) {
  return Doctor(digest, config, workers).run();
}

}  // namespace gs_builder

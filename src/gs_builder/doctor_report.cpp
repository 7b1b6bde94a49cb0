// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "gs/core/write_fields.hpp"
#include "gs_builder/doctor.hpp"

namespace gs_builder {
namespace {

auto motionSensorsOf(const SensorPlan& plan) {
  return std::array{std::pair("imu", &plan.imus), std::pair("gnss", &plan.gnss),
                    std::pair("wheels", &plan.wheel_odometry)};
}

// By the ids that configuration and options take.
std::string sensorTable(const Diagnosis& diagnosis) {
  std::string text;
  for (const CameraPlan& camera : diagnosis.plan.cameras) {
    text += fmt::format("  camera {:<12} {}", camera.id, camera.image_topic);
    if (const auto lens = diagnosis.cameras.find(camera.id); lens != diagnosis.cameras.end())
      text += fmt::format(", {} x {}, fx {:.1f}", lens->second.image_width,
                          lens->second.image_height, lens->second.intrinsics.fx);
    if (const auto offset = diagnosis.offsets.find(camera.id); offset != diagnosis.offsets.end())
      // A tenth of a millisecond or less has no sign worth telling.
      text += fmt::format(", {:+.1f} ms after its LiDAR scan (median of stamps)",
                          std::round(1e4 * offset->second.median) / 10 + 0.0);
    text += "\n";
  }
  for (const LidarPlan& lidar : diagnosis.plan.lidars)
    text += fmt::format("  lidar  {:<12} {}\n", lidar.id, lidar.topic);
  for (const auto& [kind, sensors] : motionSensorsOf(diagnosis.plan))
    for (const MotionSensorPlan& sensor : *sensors)
      text += fmt::format("  {:<6} {:<12} {}\n", kind, sensor.id, sensor.topic);
  return text;
}

}  // namespace

std::string toText(const Diagnosis& diagnosis, const LogDigest& digest) {
  std::string text = digest.survey.log + "\n" + sensorTable(diagnosis) + toText(diagnosis.findings);
  text += fmt::format(
      "Expected without training: about {:.0f} s, {:.1f} GB of memory, {:.1f} GB of disk\n",
      diagnosis.prognosis.seconds, diagnosis.prognosis.memory_bytes / 1e9,
      diagnosis.prognosis.disk_bytes / 1e9);
  const size_t warnings = diagnosis.findings.warnings().size();
  if (!diagnosis.isFit())
    return text + "NOT FIT: fix what is marked \u2717 (or lower a gate), then try again\n";
  if (warnings == 0) return text + "FIT: this log makes a good world\n";
  return text + fmt::format("FIT: this log makes a world, with {} warning{}\n", warnings,
                            warnings == 1 ? "" : "s");
}

nlohmann::ordered_json toJson(const Diagnosis& diagnosis, const LogDigest& digest) {
  nlohmann::ordered_json json;
  json["log"] = digest.survey.log;
  json["fit"] = diagnosis.isFit();
  json["duration_sec"] = diagnosis.duration;
  json["ego_pose"] = {{"source", diagnosis.ego.source},
                      {"poses", diagnosis.ego.trajectory.poses().size()},
                      {"length_m", diagnosis.ego.trajectory.length()},
                      {"longest_gap_sec", diagnosis.ego.trajectory.longestGap()}};
  json["ego_pose"]["sources"] = nlohmann::ordered_json::array();
  for (const PoseFit& fit : diagnosis.pose_fits) {
    nlohmann::ordered_json entry = {{"source", fit.source}, {"scan_pairs", fit.pairs}};
    if (fit.pairs > 0)
      entry.update(
          {{"wander_m", fit.wander},
           {"wander_at_sec", gs::toSeconds(fit.worst) - gs::toSeconds(digest.survey.start)},
           {"median_step_m", fit.step}});
    json["ego_pose"]["sources"].push_back(std::move(entry));
  }
  json["frames"] = {{"map", diagnosis.plan.map_frame},
                    {"odom", diagnosis.plan.odom_frame},
                    {"base_link", diagnosis.plan.base_frame}};
  json["cameras"] = nlohmann::ordered_json::array();
  for (const CameraPlan& camera : diagnosis.plan.cameras) {
    nlohmann::ordered_json entry = {{"id", camera.id},
                                    {"image_topic", camera.image_topic},
                                    {"info_topic", camera.info_topic},
                                    {"frame", camera.frame}};
    if (const auto frames = diagnosis.frames.find(camera.image_topic);
        frames != diagnosis.frames.end()) {
      entry["frame_count"] = frames->second.kept;
      entry["rate_hz"] = frames->second.rate_hz;
    }
    if (const auto offset = diagnosis.offsets.find(camera.id); offset != diagnosis.offsets.end())
      entry["stamp_offset_to_lidar"] = {{"median_sec", offset->second.median},
                                        {"p95_sec", offset->second.p95}};
    json["cameras"].push_back(std::move(entry));
  }
  json["lidars"] = nlohmann::ordered_json::array();
  for (const LidarPlan& lidar : diagnosis.plan.lidars) {
    const LidarLook& look = digest.lidars.at(lidar.topic);
    nlohmann::ordered_json entry = {{"id", lidar.id},
                                    {"topic", lidar.topic},
                                    {"frame", lidar.frame},
                                    {"has_point_times", look.has_time},
                                    {"has_rings", look.has_ring}};
    if (const auto frames = diagnosis.frames.find(lidar.topic); frames != diagnosis.frames.end()) {
      entry["frame_count"] = frames->second.kept;
      entry["rate_hz"] = frames->second.rate_hz;
    }
    json["lidars"].push_back(std::move(entry));
  }
  for (const auto& [key, sensors] : {std::pair("imus", &diagnosis.plan.imus),
                                     {"gnss", &diagnosis.plan.gnss},
                                     {"wheel_odometry", &diagnosis.plan.wheel_odometry}})
    json[key] = gs::toJson(*sensors);
  json["prognosis"] = {{"seconds", diagnosis.prognosis.seconds},
                       {"memory_bytes", diagnosis.prognosis.memory_bytes},
                       {"disk_bytes", diagnosis.prognosis.disk_bytes}};
  json["findings"] = toJson(diagnosis.findings);
  return json;
}

}  // namespace gs_builder

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "gs_builder/log_digest.hpp"
#include "gs_builder/log_findings.hpp"
#include "gs_builder/pipeline_config.hpp"

namespace gs_builder {

struct CameraPlan {
  std::string id;  // "front"
  std::string image_topic, info_topic;
  std::string frame;                                      // in the log's TF
  std::string name() const { return "camera_" + id; }     // in files
  std::string subject() const { return "camera " + id; }  // to people, with the id options take
  static void fields(auto& self, auto&& visit) {
    visit("id", self.id, {.is_required = true});
    visit("image_topic", self.image_topic, {.is_required = true});
    visit("info_topic", self.info_topic, {.is_required = true});
    visit("frame", self.frame, {.is_required = true});
  }
};

struct LidarPlan {
  std::string id;  // "top"
  std::string topic;
  std::string frame;
  std::string name() const { return "lidar_" + id; }
  std::string subject() const { return "lidar " + id; }
  static void fields(auto& self, auto&& visit) {
    visit("id", self.id, {.is_required = true});
    visit("topic", self.topic, {.is_required = true});
    visit("frame", self.frame, {.is_required = true});
  }
};

// An IMU, a GNSS receiver or wheel odometry.
struct MotionSensorPlan {
  std::string id;  // "main"
  std::string topic;
  std::string frame;  // of wheel odometry: the one its poses are in, or empty
  double rate_hz = 0;
  static void fields(auto& self, auto&& visit) {
    visit("id", self.id, {.is_required = true});
    visit("topic", self.topic, {.is_required = true});
    visit("frame", self.frame, {.is_required = true});
    visit("rate_hz", self.rate_hz);
  }
};

// Which topics of a log are used, and as what: the answer to "which camera is front?".
struct SensorPlan {
  std::vector<CameraPlan> cameras;  // by id
  std::vector<LidarPlan> lidars;
  std::vector<MotionSensorPlan> imus, gnss, wheel_odometry;  // by planMotionSensors()
  std::string pose_topic;  // empty: the ego's pose comes from TF alone
  std::string map_frame, odom_frame, base_frame;

  static void fields(auto& self, auto&& visit) {
    visit("cameras", self.cameras);
    visit("lidars", self.lidars);
    visit("imus", self.imus);
    visit("gnss", self.gnss);
    visit("wheel_odometry", self.wheel_odometry);
    visit("pose_topic", self.pose_topic);
    visit("map_frame", self.map_frame, {.is_required = true});
    visit("odom_frame", self.odom_frame, {.is_required = true});
    visit("base_frame", self.base_frame, {.is_required = true});
  }
};

// What the configuration names is taken as it is (and is a finding when the log lacks it); the rest
// is found by message type and frame. Sensors that cannot be used are left out with a finding.
SensorPlan planSensors(const LogDigest& digest, const PipelineConfig& config, Findings& findings);

// "/camera/CAM_FRONT/image_raw/compressed" -> "front"; `fallback` when no word is left.
std::string sensorIdFor(const std::string& topic, const std::string& frame,
                        const std::string& fallback);
// "/sensing/imu/tamagawa/imu_raw" -> "tamagawa", "/imu/data" -> "main".
std::string motionSensorIdFor(const std::string& topic, const std::string& frame);

}  // namespace gs_builder

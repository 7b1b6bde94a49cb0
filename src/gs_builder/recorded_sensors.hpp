// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gs/bundle/calibration.hpp"
#include "gs_builder/map_origin.hpp"

namespace gs_builder {

// raw_extract/sensors.json: what the log says about its sensors, for calibration_builder. The lens
// is already that of the stored images (crops, binning and resizing accounted for); where sensors
// sit on the vehicle is in tf_static.json.
struct RecordedSensors {
  struct Camera {
    std::string id;
    std::string image_topic, info_topic;
    std::string frame;  // of the log's TF
    int image_width = 0, image_height = 0;
    gs::CameraIntrinsics intrinsics;
    std::optional<double> rate_hz;  // as recorded

    static void fields(auto& self, auto&& visit) {
      visit("id", self.id, {.is_required = true});
      visit("image_topic", self.image_topic);
      visit("info_topic", self.info_topic);
      visit("frame", self.frame, {.is_required = true});
      visit("image_width", self.image_width, {.is_required = true});
      visit("image_height", self.image_height, {.is_required = true});
      visit("intrinsics", self.intrinsics, {.is_required = true});
      visit("rate_hz", self.rate_hz);
    }
  };

  struct Lidar {
    std::string id;
    std::string topic;
    std::string frame;
    std::string motion_compensation;  // "point times", "azimuth, 0..50 ms", "none"
    double sweep_middle = 0;          // s after the stamp
    gs::LidarSpec spec;
    std::optional<double> rate_hz;

    static void fields(auto& self, auto&& visit) {
      visit("id", self.id, {.is_required = true});
      visit("topic", self.topic);
      visit("frame", self.frame, {.is_required = true});
      visit("motion_compensation", self.motion_compensation);
      visit("sweep_middle", self.sweep_middle);
      visit("spec", self.spec, {.is_required = true});
      visit("rate_hz", self.rate_hz);
    }
  };

  // An IMU, a GNSS receiver or wheel odometry.
  template <typename Spec>
  struct MotionSensor {
    std::string id;
    std::string topic;
    std::string frame;
    Spec spec;
    std::string noise_source;  // where the spec comes from, for people
    double rate_hz = 0;

    static void fields(auto& self, auto&& visit) {
      visit("id", self.id, {.is_required = true});
      visit("topic", self.topic);
      visit("frame", self.frame, {.is_required = true});
      visit("spec", self.spec, {.is_required = true});
      visit("noise_source", self.noise_source);
      visit("rate_hz", self.rate_hz);
    }
  };

  std::string version = "1.0.0";
  std::string map_frame, odom_frame, base_frame;
  std::vector<Camera> cameras;
  std::vector<Lidar> lidars;
  std::vector<MotionSensor<gs::ImuSpec>> imus;
  std::vector<MotionSensor<gs::GnssSpec>> gnss;
  std::vector<MotionSensor<gs::WheelOdometrySpec>> wheel_odometry;
  std::optional<MapOrigin> origin;

  static void fields(auto& self, auto&& visit) {
    visit("version", self.version, {.is_required = true});
    visit("map_frame", self.map_frame, {.is_required = true});
    visit("odom_frame", self.odom_frame, {.is_required = true});
    visit("base_frame", self.base_frame, {.is_required = true});
    visit("cameras", self.cameras, {.is_required = true});
    visit("lidars", self.lidars, {.is_required = true});
    visit("imus", self.imus);
    visit("gnss", self.gnss);
    visit("wheel_odometry", self.wheel_odometry);
    visit("origin", self.origin);
  }
};

}  // namespace gs_builder

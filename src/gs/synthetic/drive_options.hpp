// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "gs/bundle/base_link_above_ground.hpp"
#include "gs/bundle/calibration.hpp"
#include "gs/synthetic/town_traits.hpp"

namespace gs {

// What topics and frames are called; {} is the sensor's id.
struct DriveNames {
  std::string camera = "/camera/{}";  // then /image_raw/compressed and /camera_info
  std::string lidar = "/lidar/{}/points";
  std::string odometry = "/odom";
  std::string wandering_odometry = "/oxts/odometry";  // only where odometry_wander is above 0
  std::string imu = "/imu/data";
  std::string navsat = "/gnss/fix";
  std::string twist = "/vehicle/twist";  // only where the rig has wheel odometry

  bool operator==(const DriveNames&) const = default;
  static void fields(auto& self, auto&& visit) {
    visit("camera", self.camera);
    visit("lidar", self.lidar);
    visit("odometry", self.odometry);
    visit("wandering_odometry", self.wandering_odometry);
    visit("imu", self.imu);
    visit("navsat", self.navsat);
    visit("twist", self.twist);
  }
};

// When sensors fire. Without these, number k of a sensor has the stamp k / rate.
struct DriveTiming {
  // Cameras fire as the LiDAR looks ahead, half a turn after its sweep began; a cloud's stamp is
  // that moment, too.
  bool is_triggered_by_lidar = false;
  double jitter = 0;  // s, each sensor by itself, evenly spread over +- this

  bool operator==(const DriveTiming&) const = default;
  static void fields(auto& self, auto&& visit) {
    visit("is_triggered_by_lidar", self.is_triggered_by_lidar);
    visit("jitter", self.jitter);
  }
};

// What a LiDAR's driver makes of its returns, and what is wrong with them.
struct CloudTraits {
  bool has_ring = true, has_time = true;  // as fields of the cloud
  // All points of the top beam first, then the next one's, each from straight ahead to the left
  // and round; otherwise in the order of shots.
  bool is_in_ring_order = false;
  bool is_motion_compensated = false;  // points as if all were shot at the stamp
  double full_intensity = 255;         // what a perfect mirror has; 1: in steps of 0.01
  double range_noise = 0.01;           // m, standard deviation along the ray
  double stray_share = 0;              // of the shots hit dust or rain before they arrive
  double dropout_share = 0;            // of the returns are lost; dark surfaces lose many more
  bool sees_own_roof = false;          // the ego's roof is in the way of the lowest beams

  bool operator==(const CloudTraits&) const = default;
  static void fields(auto& self, auto&& visit) {
    visit("has_ring", self.has_ring);
    visit("has_time", self.has_time);
    visit("is_in_ring_order", self.is_in_ring_order);
    visit("is_motion_compensated", self.is_motion_compensated);
    visit("full_intensity", self.full_intensity);
    visit("range_noise", self.range_noise);
    visit("stray_share", self.stray_share);
    visit("dropout_share", self.dropout_share);
    visit("sees_own_roof", self.sees_own_roof);
  }
};

// A drive through the synthetic town, logged as a car would log it. Same options, same bytes.
// Every trait of a log is a field of its own: drive.json carries them as truth, and a test
// switches on the one it is about. drive_presets.hpp has whole sets of them.
struct SampleDriveOptions {
  double seconds = 32;
  uint64_t seed = 1;
  double speed = 8;
  // Empty: makeSampleRig(). Without imus or gnss an ideal IMU and an ideal receiver at 5 Hz sit at
  // base_link.
  Calibration rig;
  int jpeg_quality = 92;

  bool has_moving_objects = true;
  bool has_lidar_noise = true;      // of clouds.range_noise
  bool has_exposure_drift = false;  // +-15 % over the drive, per camera
  bool has_odometry_noise = false;  // 1 cm, 0.05 degrees per message
  bool has_odometry_drift = false;  // 0.5 % of the distance, corrected by map -> odom
  double odometry_wander = 0;       // m that a second odometry is off at the end, smoothly

  TownTraits town;
  double route_start = 0;  // m along the town's loop where the drive begins
  double standstill = 0;   // s that the car stands before it sets off
  // TF leads to IMUs and antennas over this frame; empty: straight from base_link.
  std::string bracket_frame;
  double no_fix_share = 0;  // of the messages of satellite receivers
  BaseLinkAboveGround base_above_ground;
  DriveNames names;
  DriveTiming timing;
  CloudTraits clouds;

  bool operator==(const SampleDriveOptions&) const = default;
  static void fields(auto& self, auto&& visit) {
    visit("seconds", self.seconds);
    visit("seed", self.seed);
    visit("speed", self.speed);
    visit("rig", self.rig);
    visit("jpeg_quality", self.jpeg_quality);
    visit("has_moving_objects", self.has_moving_objects);
    visit("has_lidar_noise", self.has_lidar_noise);
    visit("has_exposure_drift", self.has_exposure_drift);
    visit("has_odometry_noise", self.has_odometry_noise);
    visit("has_odometry_drift", self.has_odometry_drift);
    visit("odometry_wander", self.odometry_wander);
    visit("town", self.town);
    visit("route_start", self.route_start);
    visit("standstill", self.standstill);
    visit("bracket_frame", self.bracket_frame);
    visit("no_fix_share", self.no_fix_share);
    visit("base_above_ground", self.base_above_ground);
    visit("names", self.names);
    visit("timing", self.timing);
    visit("clouds", self.clouds);
  }
};

}  // namespace gs

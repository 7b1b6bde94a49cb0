// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>

#include "gs/bundle/extrinsics.hpp"

namespace gs {

// How an inertial sensor errs, on each of its axes; all 0 is an ideal one.
struct ImuSpec {
  double gyro_noise_density = 0;       // rad/s/sqrt(Hz): white noise
  double gyro_random_walk = 0;         // rad/s^2/sqrt(Hz): how fast the bias wanders
  std::array<double, 3> gyro_bias{};   // rad/s, in the sensor's frame, at the start
  double accel_noise_density = 0;      // m/s^2/sqrt(Hz)
  double accel_random_walk = 0;        // m/s^3/sqrt(Hz)
  std::array<double, 3> accel_bias{};  // m/s^2

  bool operator==(const ImuSpec&) const = default;
  static void fields(auto& self, auto&& visit) {
    visit("gyro_noise_density", self.gyro_noise_density);
    visit("gyro_random_walk", self.gyro_random_walk);
    visit("gyro_bias", self.gyro_bias);
    visit("accel_noise_density", self.accel_noise_density);
    visit("accel_random_walk", self.accel_random_walk);
    visit("accel_bias", self.accel_bias);
  }
};

// An IMU measures turn rate and specific force (a vehicle at rest: +9.8 upwards) in its own frame.
struct ImuCalibration {
  std::string frame_id;
  Extrinsics extrinsics;
  ImuSpec spec;
  double rate_hz = 100;

  bool operator==(const ImuCalibration&) const = default;
  static void fields(auto& self, auto&& visit) {
    visit("frame_id", self.frame_id, {.is_required = true});
    visit("extrinsics", self.extrinsics, {.is_required = true});
    visit("spec", self.spec);
    visit("rate_hz", self.rate_hz);
  }
};

}  // namespace gs

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "gs/core/fields.hpp"

namespace gs {

// How odometry from wheels drifts: measured speed = speed_scale * speed + noise, measured turn rate
// = turn rate + yaw_rate_bias + noise.
struct WheelOdometrySpec {
  double speed_scale = 1;         // of the speed that is driven; 1 is right
  double yaw_rate_bias = 0;       // rad/s
  double speed_noise_std = 0;     // m/s, of one measurement
  double yaw_rate_noise_std = 0;  // rad/s, of one measurement

  bool operator==(const WheelOdometrySpec&) const = default;
  static void fields(auto& self, auto&& visit) {
    visit("speed_scale", self.speed_scale);
    visit("yaw_rate_bias", self.yaw_rate_bias);
    visit("speed_noise_std", self.speed_noise_std);
    visit("yaw_rate_noise_std", self.yaw_rate_noise_std);
  }
};

// It has no mount: wheels tell how base_link moves. frame_id is the frame in which its poses are
// counted, which begins where the vehicle starts.
struct WheelOdometryCalibration {
  std::string frame_id;
  WheelOdometrySpec spec;
  double rate_hz = 50;

  bool operator==(const WheelOdometryCalibration&) const = default;
  static void fields(auto& self, auto&& visit) {
    visit("frame_id", self.frame_id, {.is_required = true});
    visit("spec", self.spec);
    visit("rate_hz", self.rate_hz);
  }
};

}  // namespace gs

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string>

#include "gs/bundle/base_link_above_ground.hpp"
#include "gs/core/fields.hpp"

namespace gs {

// sim/timebase.yaml. A default lives here and nowhere else: an absent key keeps the value below,
// and `fields` is the only list of the keys that exist.
struct Timebase {
  struct Simulation {
    double dt = 0.01;
    double start_time = 0.0;

    bool operator==(const Simulation&) const = default;
    static void fields(auto& self, auto&& visit) {
      visit("dt", self.dt, {.is_required = true});
      visit("start_time", self.start_time);
    }
  };

  // For information: what fires when is decided by the calibration's own rates.
  struct SensorRates {
    double camera = 12.0;
    double lidar = 20.0;

    bool operator==(const SensorRates&) const = default;
    static void fields(auto& self, auto&& visit) {
      visit("camera", self.camera);
      visit("lidar", self.lidar);
    }
  };

  // Of base_link in the map frame; velocity in base_link.
  struct InitialPose {
    std::array<double, 3> position{};
    std::array<double, 4> orientation{0, 0, 0, 1};  // x, y, z, w
    std::array<double, 3> velocity{};

    bool operator==(const InitialPose&) const = default;
    static void fields(auto& self, auto&& visit) {
      visit("position", self.position);
      visit("orientation", self.orientation);
      visit("velocity", self.velocity);
    }
  };

  std::string version = "1.0.0";
  Simulation simulation;
  SensorRates sensor_rates;
  InitialPose initial_pose;
  // Since 1.1.0. Absent: base_link is on the road, level with it.
  std::optional<BaseLinkAboveGround> base_link_above_ground;

  bool operator==(const Timebase&) const = default;
  static void fields(auto& self, auto&& visit) {
    visit("version", self.version, {.is_required = true});
    visit("simulation", self.simulation, {.is_required = true});
    visit("sensor_rates", self.sensor_rates);
    visit("initial_pose", self.initial_pose);
    visit("base_link_above_ground", self.base_link_above_ground);
  }
};

}  // namespace gs

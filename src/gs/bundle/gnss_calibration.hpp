// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "gs/bundle/extrinsics.hpp"

namespace gs {

// Where no satellites are seen: a rectangle of the map, a tunnel or a street between high houses.
struct GnssOutage {
  double x_min = 0, y_min = 0, x_max = 0, y_max = 0;  // m, map frame

  bool operator==(const GnssOutage&) const = default;
  static void fields(auto& self, auto&& visit) {
    visit("x_min", self.x_min, {.is_required = true});
    visit("y_min", self.y_min, {.is_required = true});
    visit("x_max", self.x_max, {.is_required = true});
    visit("y_max", self.y_max, {.is_required = true});
  }
};

struct GnssSpec {
  double horizontal_std = 0;  // m, along east and north each; 0 is an ideal receiver
  double vertical_std = 0;    // m
  std::vector<GnssOutage> outages;

  bool operator==(const GnssSpec&) const = default;
  static void fields(auto& self, auto&& visit) {
    visit("horizontal_std", self.horizontal_std);
    visit("vertical_std", self.vertical_std);
    visit("outages", self.outages);
  }
};

// A receiver of satellites; the extrinsics are those of its antenna, which is what it locates.
struct GnssCalibration {
  std::string frame_id;
  Extrinsics extrinsics;
  GnssSpec spec;
  double rate_hz = 10;

  bool operator==(const GnssCalibration&) const = default;
  static void fields(auto& self, auto&& visit) {
    visit("frame_id", self.frame_id, {.is_required = true});
    visit("extrinsics", self.extrinsics, {.is_required = true});
    visit("spec", self.spec);
    visit("rate_hz", self.rate_hz);
  }
};

}  // namespace gs

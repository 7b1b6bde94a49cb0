// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "gs/core/fields.hpp"
#include "gs/core/rigid3.hpp"

namespace gs {

// The pose of a sensor on the vehicle, as TF has it: base_from_sensor.
struct Extrinsics {
  std::array<double, 3> translation{};              // m
  std::array<double, 4> rotation_quat{0, 0, 0, 1};  // x, y, z, w

  Rigid3 baseFromSensor() const {
    return {fromXyzw(rotation_quat), Vec3(translation[0], translation[1], translation[2])};
  }
  bool operator==(const Extrinsics&) const = default;
  static void fields(auto& self, auto&& visit) {
    visit("translation", self.translation, {.is_required = true});
    visit("rotation_quat", self.rotation_quat, {.is_required = true});
  }
};

}  // namespace gs

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "gs/core/fields.hpp"

namespace gs {

// What a point of a made drive lies on, as far as anybody is judged by it.
enum class Thing : uint8_t {
  Still,   // ground, houses, trees, everything that is not below
  Thin,    // posts, bollards, cones, racks, signs, fences: still, and missed by most rays
  Parked,  // cars that stand for the whole drive
  Moving,  // whatever moves at any time of the drive, while it stands, too
  OwnCar,
  Stray  // dust and rain: nothing is there
};
constexpr auto enumWords(std::type_identity<Thing>) {
  return std::to_array<EnumWord<Thing>>({{Thing::Still, "still"},
                                         {Thing::Thin, "thin"},
                                         {Thing::Parked, "parked"},
                                         {Thing::Moving, "moving"},
                                         {Thing::OwnCar, "own_car"},
                                         {Thing::Stray, "stray"}});
}

}  // namespace gs

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "gs/geometry/posed_scan.hpp"

namespace gs {

// What a return of the street fell on.
enum class StreetThing : uint8_t {
  Ground,
  Wall,
  Thin,
  Fence,
  Parked,
  // ... and what moves
  Follower,
  Passing,
  Stopping,
  Walking
};
constexpr size_t kStreetThings = static_cast<size_t>(StreetThing::Walking) + 1;
inline bool doesMove(StreetThing thing) { return thing >= StreetThing::Follower; }

struct StreetOptions {
  uint64_t seed = 1;
  std::vector<double> elevations_deg;  // of the LiDAR's beams
  int columns = 900;                   // per turn
  double seconds = 12, rate_hz = 10;
  double pose_noise = 0.01;  // m; an angle that is as much at 20 m comes on top
  double speed = 6;          // m/s, along x
};

// The scans of a car that drives along a street whose every return is known: posts, cones and a
// chain-link fence, parked cars, and traffic: a car that follows, others that come towards it, one
// that stops and goes on, people who stand and then walk.
struct StreetScans {
  std::vector<PosedScan> scans;
  std::vector<std::vector<StreetThing>> things;  // of each point
};
StreetScans makeStreetScans(const StreetOptions& options);

std::vector<double> unevenBeams64();  // dense above, twice as far apart below
std::vector<double> evenBeams32();

}  // namespace gs

// SPDX-License-Identifier: Apache-2.0
// What moves and what is only thin, in a street whose every return is known.
#include "gs/geometry/free_space.hpp"

#include <array>

#include <gmock/gmock.h>

#include "gs/geometry/integrate_scans.hpp"
#include "gs/geometry/testing/street_scans.hpp"

namespace gs {
namespace {

// Of the points on each kind of thing, how many are said to move.
struct Shares {
  std::array<double, kStreetThings> points{}, found{};
  double of(StreetThing thing) const {
    const auto i = static_cast<size_t>(thing);
    return found[i] / points[i];
  }
};

Shares foundIn(const StreetOptions& options) {
  const StreetScans street = makeStreetScans(options);
  const IntegrationResult map =
      integrateScans({street.scans.size(), [&](size_t i) { return street.scans[i]; }}, {});
  Shares shares;
  for (size_t k = 0; k < street.scans.size(); ++k) {
    for (const StreetThing thing : street.things[k]) ++shares.points[static_cast<size_t>(thing)];
    for (const uint32_t i : map.moving.findIn(street.scans[k]))
      ++shares.found[static_cast<size_t>(street.things[k][i])];
  }
  return shares;
}

void expectStandingThingsStay(const Shares& shares) {
  EXPECT_LT(shares.of(StreetThing::Thin), 0.02);
  EXPECT_LT(shares.of(StreetThing::Fence), 0.02);
  EXPECT_LT(shares.of(StreetThing::Parked), 0.01);
  EXPECT_LT(shares.of(StreetThing::Wall), 0.001);
  EXPECT_LT(shares.of(StreetThing::Ground), 0.001);
}

TEST(FreeSpace, PostsConesAndFencesStandInAStreetOfTraffic) {
  const Shares shares = foundIn({.elevations_deg = unevenBeams64(), .rate_hz = 5});
  expectStandingThingsStay(shares);
  // Where the follower was at the start nobody ever sees that it left.
  EXPECT_GT(shares.of(StreetThing::Follower), 0.88);
  EXPECT_GT(shares.of(StreetThing::Passing), 0.95);
  EXPECT_GT(shares.of(StreetThing::Stopping), 0.9);
  EXPECT_GT(shares.of(StreetThing::Walking), 0.85);
}

TEST(FreeSpace, AlsoForThirtyTwoBeamsThatMostlyPassBeside) {
  const Shares shares = foundIn({.elevations_deg = evenBeams32(), .columns = 1080});
  expectStandingThingsStay(shares);
  EXPECT_GT(shares.of(StreetThing::Follower), 0.8);
  EXPECT_GT(shares.of(StreetThing::Passing), 0.95);
  EXPECT_GT(shares.of(StreetThing::Stopping), 0.9);
  EXPECT_GT(shares.of(StreetThing::Walking), 0.75);
}

}  // namespace
}  // namespace gs

// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace gs {

// What a town has beyond houses, trees, parked cars and quiet traffic. Each can be had alone.
struct TownTraits {
  bool has_thin_things = false;  // bollards, posts, cones, bicycle racks, signs, chain-link fence
  bool has_dark_paint = false;   // some parked cars swallow most of a LiDAR's light
  bool has_hard_sun = false;     // a strip of the road is so bright that pixels clip
  bool has_wet_patch = false;    // a part of the ego's lane gives a LiDAR nothing back

  bool has_usual_traffic = true;     // oncoming cars and walkers, all at a steady pace
  bool has_follower = false;         // a car stays 6 to 12 m behind the ego
  bool has_stopping_car = false;     // an oncoming car stops beside the ego's way and goes on
  bool has_truck = false;            // an oncoming one
  bool has_standing_people = false;  // pedestrians stand, and walk later; one crosses the road

  bool operator==(const TownTraits&) const = default;
  static void fields(auto& self, auto&& visit) {
    visit("has_thin_things", self.has_thin_things);
    visit("has_dark_paint", self.has_dark_paint);
    visit("has_hard_sun", self.has_hard_sun);
    visit("has_wet_patch", self.has_wet_patch);
    visit("has_usual_traffic", self.has_usual_traffic);
    visit("has_follower", self.has_follower);
    visit("has_stopping_car", self.has_stopping_car);
    visit("has_truck", self.has_truck);
    visit("has_standing_people", self.has_standing_people);
  }
};

}  // namespace gs

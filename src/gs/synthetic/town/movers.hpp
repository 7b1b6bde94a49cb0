// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gs/synthetic/town/town_model.hpp"

// What both kinds of traffic are made of.
namespace gs {

// A walking person, 1.78 m high, x forward, origin on the ground.
void buildPerson(Surface& surface, TownModel& town, const Vec3f& coat, const Vec3f& trousers);

// Upright at p, facing and leaning along the way from `behind` to `ahead`, on the ground.
Rigid3 standingAt(const Vec2& p, const Vec2& behind, const Vec2& ahead);

}  // namespace gs

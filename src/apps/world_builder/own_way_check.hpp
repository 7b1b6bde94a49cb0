// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "gs/bundle/world_bundle.hpp"
#include "gs/core/error.hpp"
#include "gs_builder/ego_trajectory.hpp"

namespace apps {

// Puts the simulator's ego where the recording was, pose by pose: it drove there, so it must
// neither touch anything nor be off the road. What is wrong, where it begins and what helps;
// nothing for a world that is sound.
std::optional<gs::ErrorReport> findOwnWayProblem(const gs::WorldBundle& world,
                                                 const gs_builder::EgoTrajectory& recorded);

}  // namespace apps

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "gs/bundle/base_link_above_ground.hpp"
#include "gs/bundle/calibration.hpp"
#include "gs/geometry/swept_way.hpp"
#include "gs_builder/ego_trajectory.hpp"

namespace gs_builder {

// Poses a quarter of a metre apart; of footings: what ground and drivable area are grown from.
std::vector<gs::Rigid3> pathOf(const EgoTrajectory& trajectory);

// What the vehicle drove through, up to its roof and its highest sensor, with room around it.
gs::SweptWay egoWay(const EgoTrajectory& trajectory, const gs::Calibration& calibration,
                    const gs::BaseLinkAboveGround& above_ground);

}  // namespace gs_builder

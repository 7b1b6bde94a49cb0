// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "gs/core/rigid3.hpp"
#include "gs/core/time.hpp"
#include "gs/formats/point_cloud2.hpp"
#include "gs_builder/ego_trajectory.hpp"

namespace gs_builder {

// The points of a scan in base_link at the scan's stamp, each carried there from where the vehicle
// was when it was measured (`time_offset`; without one, all points are of the stamp). Empty when
// the pose at the stamp is not known; points whose own time has no pose stay uncompensated.
std::optional<std::vector<std::array<float, 3>>> pointsInBase(const gs::LidarPoints& scan,
                                                              gs::Stamp stamp,
                                                              const gs::Rigid3& base_from_lidar,
                                                              const EgoTrajectory& trajectory);

// When each point of a scan was measured, as a fraction of the sweep, for scans that do not say:
// from its azimuth, counted from the first point in the direction of rotation. Empty when the
// points are not in the order in which a spinning sensor fires.
std::vector<float> sweepFractions(const std::vector<std::array<float, 3>>& positions);

}  // namespace gs_builder

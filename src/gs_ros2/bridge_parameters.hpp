// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gs_ros2/ros2_bridge.hpp"
#include "gs_sim/parameter_store.hpp"

namespace gs_ros2 {

// "ros2.*" and "use_sim_time" for `ros2 param`. Changes are written to `lock_step`, which must
// outlive the store's users.
void declareBridgeParameters(gs_sim::ParameterStore& store, LockStep& lock_step,
                             bool wants_reliable_control);

}  // namespace gs_ros2

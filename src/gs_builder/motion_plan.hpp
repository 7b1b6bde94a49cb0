// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gs_builder/ego_trajectory.hpp"
#include "gs_builder/log_digest.hpp"
#include "gs_builder/log_findings.hpp"
#include "gs_builder/pipeline_config.hpp"
#include "gs_builder/sensor_plan.hpp"

namespace gs_builder {

// Fills the plan's imus, gnss and wheel_odometry: what the configuration names, else every Imu and
// NavSatFix topic and the best topic with speeds that follow the poses. A world does without them,
// so nothing here is fatal: what cannot be used is left out with a warning. The plan's frames and
// pose topic must be known.
void planMotionSensors(const LogDigest& digest, const PipelineConfig& config,
                       const EgoTrajectory& trajectory, SensorPlan& plan, Findings& findings);

}  // namespace gs_builder

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "gs_builder/log_findings.hpp"
#include "gs_builder/period_statistics.hpp"
#include "gs_builder/pipeline_config.hpp"

// What a recording must offer: below a gate it is refused, with the option that would let it pass;
// between the gate and what a good world wants it is a warning that says what it costs.
namespace gs_builder {

// Each returns whether the gate let it pass; then no more than a warning was found.
bool judgeRate(Findings& findings, const std::string& sensor, const PeriodStatistics& periods,
               const PipelineConfig::Quality& quality);
bool judgeDuration(Findings& findings, double seconds, const PipelineConfig::Quality& quality);
// `distance` (s) is that of 95 % of a camera's pictures to their nearest LiDAR scan. It may be half
// a LiDAR's period whatever the clocks do.
bool judgeSteps(Findings& findings, const std::string& camera, double distance,
                double lidar_rate_hz, const PipelineConfig::Quality& quality);

}  // namespace gs_builder

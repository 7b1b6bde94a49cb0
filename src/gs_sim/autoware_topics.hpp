// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "gs/msgs/autoware_vehicle_msgs.hpp"
#include "gs_sim/topic_table.hpp"

namespace gs_sim {

// What Autoware has told the vehicle besides how to drive. Written by wires, on any thread, and
// reported back with the next step.
struct AutowareVehicle {
  std::atomic<uint8_t> mode = gs::msgs::ControlModeReport::kAutonomous;
  std::atomic<uint8_t> gear_command = gs::msgs::GearCommand::kNone;
  std::atomic<uint8_t> turn_indicators = gs::msgs::TurnIndicatorsReport::kDisable;
  std::atomic<uint8_t> hazard_lights = gs::msgs::HazardLightsReport::kDisable;
  std::atomic<bool> is_engaged = true;
};

uint8_t toAutowareGear(Gear gear);

// The second table, of Autoware's names: reports under /vehicle/status, the pose under
// /localization. All other topics stay.
std::vector<Topic> autowareTopics(const FrameNames& frames,
                                  std::shared_ptr<const AutowareVehicle> vehicle);

}  // namespace gs_sim

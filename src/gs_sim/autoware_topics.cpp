// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/autoware_topics.hpp"

#include "gs_sim/to_messages.hpp"

namespace gs_sim {
namespace {

namespace msgs = gs::msgs;

constexpr TopicQos kStatus{.depth = 10};

msgs::Time timeOf(const StepOutput& step) {
  const gs::SecNanosec time = gs::toSecNanosec(step.info.stamp);
  return {time.sec, time.nanosec};
}

// Autoware localises in the map frame.
msgs::Odometry odometryInMap(const StepOutput& step, FrameNames frames) {
  frames.odom = frames.map;
  return odometryMessage(step, frames);
}

}  // namespace

uint8_t toAutowareGear(Gear gear) {
  switch (gear) {
    case Gear::Park: return msgs::GearReport::kPark;
    case Gear::Reverse: return msgs::GearReport::kReverse;
    case Gear::Neutral: return msgs::GearReport::kNeutral;
    case Gear::Drive: break;
  }
  return msgs::GearReport::kDrive;
}

std::vector<Topic> autowareTopics(const FrameNames& frames,
                                  std::shared_ptr<const AutowareVehicle> vehicle) {
  const std::string status = "/vehicle/status/";
  return {
      stepTopic<msgs::VelocityReport>(status + "velocity_status", kStatus,
                                      [frames](const StepOutput& step) -> msgs::VelocityReport {
                                        const EgoTwist& twist = step.ego.twist;
                                        return {
                                            .header = {timeOf(step), frames.base_link},
                                            .longitudinal_velocity = static_cast<float>(twist.vx),
                                            .lateral_velocity = static_cast<float>(twist.vy),
                                            .heading_rate = static_cast<float>(twist.wz)};
                                      }),
      stepTopic<msgs::SteeringReport>(status + "steering_status", kStatus,
                                      [](const StepOutput& step) -> msgs::SteeringReport {
                                        return {.stamp = timeOf(step),
                                                .steering_tire_angle =
                                                    static_cast<float>(step.ego.steering_angle)};
                                      }),
      stepTopic<msgs::GearReport>(status + "gear_status", kStatus,
                                  [vehicle](const StepOutput& step) -> msgs::GearReport {
                                    const uint8_t commanded = vehicle->gear_command;
                                    return {.stamp = timeOf(step),
                                            .report = commanded != msgs::GearCommand::kNone
                                                          ? commanded
                                                          : toAutowareGear(step.ego.gear)};
                                  }),
      stepTopic<msgs::ControlModeReport>(
          status + "control_mode", kStatus,
          [vehicle](const StepOutput& step) -> msgs::ControlModeReport {
            return {.stamp = timeOf(step), .mode = vehicle->mode};
          }),
      stepTopic<msgs::TurnIndicatorsReport>(
          status + "turn_indicators_status", kStatus,
          [vehicle](const StepOutput& step) -> msgs::TurnIndicatorsReport {
            return {.stamp = timeOf(step), .report = vehicle->turn_indicators};
          }),
      stepTopic<msgs::HazardLightsReport>(
          status + "hazard_lights_status", kStatus,
          [vehicle](const StepOutput& step) -> msgs::HazardLightsReport {
            return {.stamp = timeOf(step), .report = vehicle->hazard_lights};
          }),
      stepTopic<msgs::Odometry>(
          "/localization/kinematic_state", kStatus,
          [frames](const StepOutput& step) { return odometryInMap(step, frames); }),
      stepTopic<msgs::AccelWithCovarianceStamped>(
          "/localization/acceleration", kStatus,
          [frames](const StepOutput& step) {
            msgs::AccelWithCovarianceStamped message{.header = {timeOf(step), frames.base_link}};
            message.accel.accel = accelOf(step.ego);
            return message;
          }),
  };
}

}  // namespace gs_sim

// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/config.hpp"

#include "gs/core/value_checks.hpp"

namespace gs_sim {
namespace {

void checkVehicle(gs::ValueChecks& checks, const VehicleParameters& vehicle) {
  checks.isBetween("vehicle.wheelbase", vehicle.wheelbase, 0.1, 20);
  checks.isBetween("vehicle.track_width", vehicle.track_width, 0.1, 10);
  checks.isBetween("vehicle.wheel_radius", vehicle.wheel_radius, 0.05, 5);
  checks.isBetween("vehicle.mass", vehicle.mass, 1, 1e5);
  checks.isBetween("vehicle.inertia_z", vehicle.inertia_z, 0.1, 1e7);
  // At a right angle the turning circle has no radius.
  checks.isBetween("vehicle.max_steering_angle", vehicle.max_steering_angle, 0.01, 1.4);
  checks.isBetween("vehicle.max_steering_rate", vehicle.max_steering_rate, 0.01, 100);
  checks.isBetween("vehicle.max_speed", vehicle.max_speed, 0.1, 150);
  checks.isBetween("vehicle.max_reverse_speed", vehicle.max_reverse_speed, 0, 150);
  checks.isBetween("vehicle.max_acceleration", vehicle.max_acceleration, 0.01, 100);
  checks.isBetween("vehicle.max_deceleration", vehicle.max_deceleration, 0.01, 100);
  checks.isBetween("vehicle.tire.cornering_stiffness_front", vehicle.tire.cornering_stiffness_front,
                   100, 1e7);
  checks.isBetween("vehicle.tire.cornering_stiffness_rear", vehicle.tire.cornering_stiffness_rear,
                   100, 1e7);
  checks.isBetween("vehicle.tire.friction", vehicle.tire.friction, 0.01, 10);
  if (vehicle.cg_to_rear_axle)
    checks.require(*vehicle.cg_to_rear_axle > 0 && *vehicle.cg_to_rear_axle < vehicle.wheelbase,
                   "vehicle.cg_to_rear_axle",
                   gs::shortNumber(*vehicle.cg_to_rear_axle) + " is not between the axles (0 to " +
                       gs::shortNumber(vehicle.wheelbase) + ")");
  checks.isBetween("vehicle.cg_height", vehicle.cg_height, 0, 5);
  if (vehicle.power_limited_above)
    checks.isBetween("vehicle.power_limited_above", *vehicle.power_limited_above, 0.1,
                     kNoPowerLimit);
  const auto& actuator = vehicle.actuator;
  checks.isBetween("vehicle.actuator.steering_delay", actuator.steering_delay, 0, 10);
  checks.isBetween("vehicle.actuator.steering_lag", actuator.steering_lag, 0, 10);
  checks.isBetween("vehicle.actuator.acceleration_delay", actuator.acceleration_delay, 0, 10);
  checks.isBetween("vehicle.actuator.acceleration_lag", actuator.acceleration_lag, 0, 10);
  const auto& body = vehicle.body;
  checks.isBetween("vehicle.body.front_overhang", body.front_overhang, 0, 20);
  checks.isBetween("vehicle.body.rear_overhang", body.rear_overhang, 0, 20);
  checks.isBetween("vehicle.body.width", body.width, 0.1, 10);
  checks.isBetween("vehicle.body.bumper_height", body.bumper_height, 0.01, 10);
  checks.require(body.height > body.bumper_height && body.height <= 20, "vehicle.body.height",
                 gs::shortNumber(body.height) + " is not between bumper_height and 20");
  if (const auto& base = vehicle.base_link_above_ground)
    checks.require(base->isPossible(), "vehicle.base_link_above_ground",
                   "no vehicle has it there: -0.5 to 4 m and at most 15 degrees");
}

void checkLoop(gs::ValueChecks& checks, const LoopParameters& loop) {
  if (loop.dt) checks.isBetween("simulation.dt", *loop.dt, 1e-4, 0.1);
  checks.isBetween("simulation.real_time_factor", loop.real_time_factor, 0, 1000);
  checks.isBetween("simulation.max_step_time", loop.max_step_time, 1e-4, 3600);
  if (loop.initial_pose)
    LoopParameters::InitialPose::fields(
        *loop.initial_pose,
        [&](const char* key, const std::optional<double>& value, gs::FieldTraits = {}) {
          if (value) checks.isFinite(std::string("simulation.initial_pose.") + key, *value);
        });
  checks.isBetween("simulation.control_timeout_sec", loop.control_timeout_sec, 0, 3600);
}

void checkSensors(gs::ValueChecks& checks, const SensorParameters& sensors) {
  SensorParameters copy = sensors;
  for (const NamedChoice& named : choicesIn(copy))
    if (named.choice.rate_override)
      checks.isBetween("sensors." + named.kind + ".rate_override", *named.choice.rate_override,
                       0.01, 1000);
  checks.isBetween("sensors.lidar.raycast.noise_std", sensors.lidar.raycast.noise_std, 0, 10);
  checks.isBetween("sensors.lidar.raycast.dropout", sensors.lidar.raycast.dropout, 0, 1);
}

void checkFrame(gs::ValueChecks& checks, const std::string& path,
                const std::optional<std::string>& name) {
  checks.require(!name || !name->empty(), path, "a frame needs a name");
}

}  // namespace

std::vector<NamedChoice> choicesIn(SensorParameters& parameters) {
  using Camera = SensorParameters::Camera;
  using Lidar = SensorParameters::Lidar;
  const auto path = [](const std::string& kind, const char* ids_key) {
    return "sensors." + kind + "." + ids_key;
  };
  std::vector<NamedChoice> choices = {
      {"camera", path("camera", Camera::kIdsKey), parameters.camera.choice},
      {"lidar", path("lidar", Lidar::kIdsKey), parameters.lidar.choice}};
  for (auto& [kind, choice] : parameters.plain)
    choices.push_back({kind, path(kind, "ids"), choice});
  return choices;
}

std::vector<gs::Problem> problemsIn(const SimulationParameters& parameters) {
  gs::ValueChecks checks;
  checkVehicle(checks, parameters.vehicle);
  checkLoop(checks, parameters.simulation);
  if (parameters.simulation.initial_velocity)
    checks.isBetween("simulation.initial_velocity", *parameters.simulation.initial_velocity,
                     -parameters.vehicle.max_reverse_speed, parameters.vehicle.max_speed);
  checkSensors(checks, parameters.sensors);
  checkFrame(checks, "frames.map", parameters.frames.map);
  checkFrame(checks, "frames.odom", parameters.frames.odom);
  checkFrame(checks, "frames.base_link", parameters.frames.base_link);
  return checks.take();
}

}  // namespace gs_sim

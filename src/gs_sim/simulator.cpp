// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/simulator.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <exception>
#include <utility>

#include <fmt/format.h>

#include "gs/core/error.hpp"
#include "gs/core/load_config.hpp"
#include "gs/core/parallel.hpp"
#include "gs_sim/actuators.hpp"
#include "gs_sim/control_gate.hpp"
#include "gs_sim/degraded.hpp"
#include "gs_sim/effective_parameters.hpp"
#include "gs_sim/ego_state_core.hpp"
#include "gs_sim/planar_pose.hpp"
#include "gs_sim/sensor_kinds.hpp"
#include "gs_sim/sensor_trigger.hpp"
#include "gs_sim/sim_clock.hpp"
#include "gs_sim/state_hash.hpp"
#include "gs_sim/vehicle_dynamics.hpp"

namespace gs_sim {
namespace {

constexpr double kStatusRateHz = 10;

void requireUsable(const SimulationParameters& parameters, const gs::WorldBundle& world) {
  std::vector<gs::Problem> problems = problemsIn(parameters);
  if (parameters.ground.source == GroundSource::Mesh && !world.static_mesh)
    problems.push_back({gs::Problem::Kind::BadValue, "ground.source", 0,
                        "the world has no static mesh to stand on"});
  for (gs::Problem& problem : problemsWithIds(parameters.sensors, world.calibration))
    problems.push_back(std::move(problem));
  if (!problems.empty()) throw gs::configError("the parameters of the simulation", problems);
}

gs::Stamp stampOf(double seconds) {
  return gs::Stamp() + gs::findDuration(seconds).value_or(gs::Duration());
}

// The kind of a message: one that names another number each time is still the same one.
std::string withoutDigits(std::string text) {
  std::erase_if(text, [](unsigned char c) { return std::isdigit(c) != 0; });
  return text;
}

EgoPose normalized(const EgoPose& pose) {
  gs::Rigid3 map_from_base = mapFromBase(pose);
  map_from_base.rotation.normalize();
  return toEgoPose(map_from_base, {});
}

// Sensors do not throw; should one do so all the same, the run goes on.
SensorResult sampled(Sensor& sensor, const SensorStep& step) {
  try {
    return sensor.sample(step);
  } catch (const std::exception& failure) {
    return {nullptr, failure.what()};
  }
}

}  // namespace

struct Simulator::State {
  State(std::shared_ptr<const WorldData> loaded, SimulationParameters given, Sensors made)
      : world(std::move(loaded)),
        parameters(std::move(given)),
        sensors(std::move(made)),
        effective(gs_sim::effectiveParameters(parameters, world->bundle)),
        dt(*gs::findDuration(*effective.simulation.dt)),
        clock(stampOf(world->bundle.timebase.simulation.start_time), dt),
        gate(parameters.vehicle, parameters.simulation.control_timeout_sec, clock.start()),
        actuators(parameters.vehicle, dt),
        dynamics(createVehicleDynamics(parameters.vehicle)),
        core(world, effective.vehicle, effective.ground.source, meshesByAsset(*world)) {
    frames = frameNamesOf(effective);
    for (const auto& sensor : sensors) descriptions.push_back(sensor->description());
    is_paused = parameters.simulation.start_paused;
    place(initialState());
    for (const std::string& warning : world->warnings)
      messages.warn(warning, "[WorldLoader] " + warning);
  }

  EgoState initialState() const {
    const auto& given = parameters.simulation.initial_pose;
    const auto& [x, y, z, roll, pitch, yaw] = *effective.simulation.initial_pose;
    EgoState state;
    if (given && given->turns()) state.pose = egoPoseOf({*x, *y, *z, *roll, *pitch, *yaw}, {});
    else
      state.pose =
          toEgoPose({gs::fromXyzw(world->bundle.timebase.initial_pose.orientation).normalized(),
                     gs::Vec3(*x, *y, *z)},
                    {});
    state.speed = clampedSpeed(*effective.simulation.initial_velocity);
    state.twist.vx = state.speed;
    state.gear = state.speed < 0 ? Gear::Reverse : Gear::Drive;
    return state;
  }

  double clampedSpeed(double speed) const {
    return std::clamp(speed, -parameters.vehicle.max_reverse_speed, parameters.vehicle.max_speed);
  }

  // Puts the ego somewhere: nothing that was on its way before counts any more.
  void place(EgoState state) {
    const StepInfo info = clock.info(is_paused);
    state.pose.stamp = info.stamp;
    core.place(state, scene);
    actuators.restart();
    for (const auto& sensor : sensors) sensor->restart();
    is_held_by_collision = false;
  }

  void accept(const std::optional<ControlInput>& control, const StepInfo& info,
              StepOutput& output) {
    if (!control) return;
    const GateVerdict verdict = gate.offer(*control, info);
    if (!verdict.warning.empty())
      messages.add(Degradation::ControlRefused, verdict.kind, verdict.warning);
    if (verdict.is_accepted) output.control = gate.held();
  }

  RequestResult refuse(std::string problem) {
    messages.warn(problem, problem);
    return {false, std::move(problem)};
  }

  void drive(const StepInfo& info) {
    const EgoState before = core.footing();
    EgoState next = before;
    next.pose.stamp = info.stamp;
    const auto [actuation, gear] = actuators.apply(gate.demandAt(info, before), before);
    const double seconds = gs::toSeconds(info.dt);
    if (is_held_by_collision) {
      next.twist = {};
      next.speed = next.steering_angle_rate = next.acceleration = next.lateral_acceleration = 0;
    } else {
      next = dynamics->advance(next, actuation, seconds);
      next.gear = gear;
      next.steering_angle_rate = actuation.steering_rate;
      next.acceleration = actuation.acceleration;
      next.lateral_acceleration =
          (next.twist.vy - before.twist.vy) / seconds + next.twist.vx * next.twist.wz;
    }
    if (!core.update(next, seconds, scene))
      messages.add(Degradation::StateNotFinite, "not finite",
                   "[VehicleDynamics] the next state is not finite: the vehicle stands where it "
                   "last was");
  }

  void noteTransitions(const StepInfo& info) {
    const bool is_collision = core.isCollision();
    if (is_collision && parameters.simulation.on_collision == OnCollision::Stop)
      is_held_by_collision = true;
    if (is_collision && !was_collision) messages.warn("collision", "[EgoStateCore] collision");
    if (core.isOffroad() && !was_offroad)
      messages.warn("offroad", "[EgoStateCore] the ego is off the drivable area");
    if (!core.isGroundKnown() && was_ground_known)
      messages.add(Degradation::GroundUnknown, "ground",
                   fmt::format("[GroundContact] no ground known at ({:.1f}, {:.1f}): {}",
                               core.state().pose.x, core.state().pose.y,
                               degradedRow(Degradation::GroundUnknown).instead));
    const bool is_timed_out = gate.isTimedOut(info);
    if (is_timed_out && !was_timed_out)
      messages.add(Degradation::ControlTimeout, "timeout",
                   fmt::format("[ControlGate] no command for {} s: {}",
                               parameters.simulation.control_timeout_sec,
                               degradedRow(Degradation::ControlTimeout).instead));
    was_collision = is_collision;
    was_offroad = core.isOffroad();
    was_ground_known = core.isGroundKnown();
    was_timed_out = is_timed_out;
  }

  // Side by side, so that the short steps of one sensor fill the waits of another.
  void sense(const StepInfo& info, StepOutput& output) {
    std::vector<size_t> firing;
    for (size_t i = 0; i < sensors.size(); ++i)
      if (firesAt(info.step, descriptions[i].rate_hz, info.dt)) firing.push_back(i);
    std::vector<SensorResult> results(firing.size());
    const SensorStep seen{info, core.state(), scene};
    gs::parallelFor(firing.size(), 1,
                    [&](size_t i, size_t) { results[i] = sampled(*sensors[firing[i]], seen); });
    for (size_t i = 0; i < firing.size(); ++i) {
      auto& [data, problem] = results[i];
      if (!problem.empty()) noteFailure(descriptions[firing[i]], problem);
      if (data) output.readings.push_back({firing[i], std::move(data)});
    }
  }

  void noteFailure(const SensorDescription& sensor, const std::string& problem) {
    // A problem that has a code says by itself whose it is.
    const bool has_code = gs::findErrorCode(problem.substr(0, problem.find(':'))).has_value();
    const std::string who = has_code ? "" : sensor.id + ": ";
    const std::string text =
        fmt::format("[{}] {}{}: {}", sensor.component, who, problem, sensor.instead);
    messages.add(Degradation::SensorFailed, sensor.kind + "/" + sensor.id + withoutDigits(problem),
                 text);
  }

  void fill(const StepInfo& info, StepOutput& output) const {
    output.info = info;
    output.ego = core.state();
    output.is_collision = core.isCollision();
    output.is_offroad = core.isOffroad();
    output.is_emergency_stop = gate.isTimedOut(info);
    output.speed_limit = core.speedLimit();
    output.state_hash = hash(info);
  }

  SimulationStatus status(const StepInfo& info) const {
    return {.is_collision = core.isCollision(),
            .is_offroad = core.isOffroad(),
            .elapsed_time = gs::toSeconds(info.stamp - clock.start()),
            .message = core.isCollision() ? "collision"
                       : core.isOffroad() ? "off the road"
                                          : "",
            .timing = timing,
            .speed_limit = core.speedLimit()};
  }

  uint64_t hash(const StepInfo& info) const {
    StateHash hash;
    hash.add(static_cast<uint64_t>(info.step));
    hash.add(static_cast<uint64_t>(info.stamp.ns));
    const EgoState& ego = core.footing();
    const auto& [pose, twist, steering, speed, rate, along, across, wheels, turning, gear] = ego;
    for (const double value :
         {pose.x, pose.y, pose.z, pose.qx, pose.qy, pose.qz, pose.qw, twist.vx, twist.vy, twist.vz,
          twist.wx, twist.wy, twist.wz, steering, speed, rate, along, across})
      hash.add(value);
    hash.add(static_cast<uint64_t>(gear));
    hash.add(static_cast<uint64_t>(gate.heardAt().ns));
    if (const auto& held = gate.held()) {
      hash.add(held->steering_angle);
      hash.add(held->steering_angle_velocity);
      hash.add(held->speed);
      hash.add(held->acceleration);
      hash.add(static_cast<uint64_t>(held->mode) * 16 + static_cast<uint64_t>(held->gear));
    }
    actuators.visitState([&](double value) { hash.add(value); });
    core.visitState([&](double value) { hash.add(value); });
    hash.add(static_cast<uint64_t>(core.isCollision() + 2 * core.isOffroad() +
                                   4 * is_held_by_collision));
    for (size_t i = 1; i < scene.instances.size(); ++i) {
      const gs::Rigid3& pose = scene.instances[i].map_from_asset.begin;
      hash.add(static_cast<uint64_t>(scene.instances[i].asset));
      for (const double value : pose.translation) hash.add(value);
      for (const double value : pose.rotation.coeffs()) hash.add(value);
    }
    return hash.value();
  }

  std::shared_ptr<const WorldData> world;
  SimulationParameters parameters;
  Sensors sensors;
  // For what the world decides. Not the pose: its quaternion is exact, angles made of it are not.
  SimulationParameters effective;
  gs::Duration dt;
  SimClock clock;
  ControlGate gate;
  Actuators actuators;
  std::unique_ptr<VehicleDynamicsInterface> dynamics;
  EgoStateCore core;
  FrameNames frames;
  std::vector<SensorDescription> descriptions;  // of `sensors`
  gs::SceneState scene;
  StatusMessages messages;
  StepTiming timing;
  bool is_paused = false;
  // The next step shows where things stand instead of moving them.
  bool is_unmoved_next = true;
  bool is_time_restarted = true;
  bool is_held_by_collision = false;
  bool was_collision = false, was_offroad = false, was_ground_known = true, was_timed_out = false;
};

Simulator::Simulator(std::shared_ptr<const WorldData> world, SimulationParameters parameters,
                     Sensors sensors) {
  requireUsable(parameters, world->bundle);
  state_ = std::make_unique<State>(std::move(world), std::move(parameters), std::move(sensors));
}
Simulator::~Simulator() = default;
Simulator::Simulator(Simulator&&) noexcept = default;
Simulator& Simulator::operator=(Simulator&&) noexcept = default;

// The order of the specification: time, control, motion, judgement and state, sensors.
StepOutput Simulator::step(const std::optional<ControlInput>& control) {
  State& s = *state_;
  if (!s.is_time_restarted) s.clock.advance();
  s.is_time_restarted = false;
  const StepInfo info = s.clock.info(s.is_paused);

  s.messages.setTime(info.stamp);
  StepOutput output;
  s.accept(control, info, output);
  if (s.is_unmoved_next) {
    EgoState unmoved = s.core.footing();
    unmoved.pose.stamp = info.stamp;
    s.core.update(unmoved, 0, s.scene);
  } else {
    s.drive(info);
  }
  s.is_unmoved_next = false;

  s.noteTransitions(info);
  s.sense(info, output);
  s.fill(info, output);
  if (firesAt(info.step, kStatusRateHz, info.dt)) {
    output.status = s.status(info);
    s.messages.moveInto(*output.status);
  }
  return output;
}

StepOutput Simulator::current() const {
  const StepInfo info = state_->clock.info(state_->is_paused);
  StepOutput output;
  state_->fill(info, output);
  output.status = state_->status(info);
  state_->messages.copyInto(*output.status);
  return output;
}

void Simulator::setPaused(bool is_paused) { state_->is_paused = is_paused; }
bool Simulator::isPaused() const { return state_->is_paused; }

RequestResult Simulator::reset(const std::optional<EgoPose>& initial_pose, bool reset_time) {
  EgoState state = state_->initialState();
  if (initial_pose) {
    if (std::string problem = problemWith(*initial_pose); !problem.empty())
      return state_->refuse(std::move(problem));
    state = {};
    state.pose = normalized(*initial_pose);
  }
  if (reset_time) {
    state_->clock.restart();
    state_->is_time_restarted = true;
  }
  state_->is_unmoved_next = true;
  state_->gate.restart(state_->clock.info(false).stamp);
  state_->place(state);
  return {true, state_->core.isOffroad() ? "reset; the ego is off the drivable area" : "reset"};
}

RequestResult Simulator::setEgoPose(const EgoPose& pose, const EgoTwist& twist,
                                    double acceleration) {
  if (std::string problem = problemWith(pose); !problem.empty())
    return state_->refuse(std::move(problem));
  if (!std::isfinite(twist.vx + twist.vy + twist.vz + twist.wx + twist.wy + twist.wz))
    return state_->refuse("[EgoStateCore] INVALID_TRANSFORM: the twist is not finite");
  EgoState state;
  state.pose = normalized(pose);
  state.speed = state_->clampedSpeed(twist.vx);
  const Motion motion = heldMotion(state_->parameters.vehicle, state.speed, twist);
  state.steering_angle = motion.steering_angle;
  state.twist = motion.twist;
  state.acceleration = acceleration;
  state.lateral_acceleration = state.speed * twist.wz;
  state.gear = state.speed < 0 ? Gear::Reverse : Gear::Drive;
  state_->place(state);
  std::string message = "set";
  if (!motion.not_held.empty())
    message += fmt::format("; the vehicle model cannot hold {} of the twist",
                           fmt::join(motion.not_held, ", "));
  if (!state_->core.isGroundKnown())
    message += "; no ground is known there: height and attitude are as given";
  else if (state_->core.isOffroad()) message += "; the ego is off the drivable area";
  return {true, std::move(message)};
}

void Simulator::setScene(gs::SceneState scene) {
  gs::requireScene(scene, state_->world->assets.size() + 1, "simulator");
  state_->scene = std::move(scene);
}

void Simulator::reportTiming(const StepTiming& timing) { state_->timing = timing; }
void Simulator::reportWarning(std::string warning) { state_->messages.warn(warning, warning); }
void Simulator::reportWarning(const std::string& kind, std::string warning) {
  state_->messages.warn(kind, std::move(warning));
}

const WorldData& Simulator::world() const { return *state_->world; }
const SimulationParameters& Simulator::parameters() const { return state_->parameters; }
const SimulationParameters& Simulator::effectiveParameters() const { return state_->effective; }
const FrameNames& Simulator::frames() const { return state_->frames; }
gs::Duration Simulator::dt() const { return state_->dt; }
const std::vector<SensorDescription>& Simulator::sensors() const { return state_->descriptions; }

}  // namespace gs_sim

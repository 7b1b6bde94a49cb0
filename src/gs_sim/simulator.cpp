// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/simulator.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "gs/core/load_config.hpp"
#include "gs_sim/actuators.hpp"
#include "gs_sim/control_gate.hpp"
#include "gs_sim/degraded.hpp"
#include "gs_sim/effective_parameters.hpp"
#include "gs_sim/ego_state_core.hpp"
#include "gs_sim/planar_pose.hpp"
#include "gs_sim/sensor_trigger.hpp"
#include "gs_sim/sim_clock.hpp"
#include "gs_sim/state_hash.hpp"
#include "gs_sim/vehicle_dynamics.hpp"

namespace gs_sim {
namespace {

constexpr double kStatusRateHz = 10;

struct ScheduledSensor {
  std::string id;
  double rate_hz = 0;
};

// Of the calibrated sensors those that were asked for, in the order of their ids.
template <typename Sensor>
std::vector<ScheduledSensor> scheduleFor(const std::map<std::string, Sensor>& calibrated,
                                         const std::vector<std::string>& wanted,
                                         const std::optional<double>& rate_override) {
  std::vector<ScheduledSensor> schedule;
  for (const auto& [id, sensor] : calibrated)
    if (wanted.empty() || std::find(wanted.begin(), wanted.end(), id) != wanted.end())
      schedule.push_back({id, rate_override.value_or(sensor.rate_hz)});
  return schedule;
}

template <typename Sensor>
void checkIds(const std::string& path, const std::vector<std::string>& wanted,
              const std::map<std::string, Sensor>& calibrated, std::vector<gs::Problem>& problems) {
  std::vector<std::string> known;
  for (const auto& [id, sensor] : calibrated) known.push_back(id);
  for (const std::string& id : wanted) {
    if (calibrated.count(id) > 0) continue;
    std::string message = "the world has no '" + id + "'";
    const std::string nearest = gs::nearestWord(id, known);
    if (!nearest.empty()) message += "; did you mean '" + nearest + "'?";
    for (size_t i = 0; i < known.size(); ++i) message += (i == 0 ? " It has: " : ", ") + known[i];
    problems.push_back({gs::Problem::Kind::BadValue, path, 0, std::move(message)});
  }
}

void requireUsable(const SimulationParameters& parameters, const gs::WorldBundle& world) {
  const gs::Calibration& calibration = world.calibration;
  std::vector<gs::Problem> problems = problemsIn(parameters);
  if (parameters.ground.source == GroundSource::Mesh && !world.static_mesh)
    problems.push_back({gs::Problem::Kind::BadValue, "ground.source", 0,
                        "the world has no static mesh to stand on"});
  checkIds("sensors.camera.cameras", parameters.sensors.camera.cameras, calibration.cameras,
           problems);
  checkIds("sensors.lidar.lidars", parameters.sensors.lidar.lidars, calibration.lidars, problems);
  if (!problems.empty()) throw gs::configError("the parameters of the simulation", problems);
}

gs::Stamp stampOf(double seconds) {
  return gs::Stamp() + gs::findDuration(seconds).value_or(gs::Duration());
}

EgoPose normalized(const EgoPose& pose) {
  gs::Rigid3 map_from_base = mapFromBase(pose);
  map_from_base.rotation.normalize();
  return toEgoPose(map_from_base, {});
}

std::vector<std::string> idsOf(const std::vector<ScheduledSensor>& schedule) {
  std::vector<std::string> ids;
  for (const ScheduledSensor& sensor : schedule) ids.push_back(sensor.id);
  return ids;
}

std::vector<std::string> firing(const std::vector<ScheduledSensor>& schedule,
                                const StepInfo& info) {
  std::vector<std::string> ids;
  for (const ScheduledSensor& sensor : schedule)
    if (firesAt(info.step, sensor.rate_hz, info.dt)) ids.push_back(sensor.id);
  return ids;
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
        core(world, effective.vehicle, effective.ground.source) {
    frames = {*effective.frames.map, *effective.frames.odom, *effective.frames.base_link};
    const gs::Calibration& calibration = world->bundle.calibration;
    const auto& [camera, lidar] = parameters.sensors;
    if (camera.enable && sensors.cameras)
      cameras = scheduleFor(calibration.cameras, camera.cameras, camera.rate_override);
    if (lidar.enable && sensors.lidars)
      lidars = scheduleFor(calibration.lidars, lidar.lidars, lidar.rate_override);
    camera_ids = idsOf(cameras);
    lidar_ids = idsOf(lidars);
    for (const auto& [id, spec] : calibration.lidars) lidar_frames[id] = spec.frame_id;
    is_paused = parameters.simulation.start_paused;
    place(initialState());
    for (const std::string& warning : world->warnings)
      messages.warn(warning, "[WorldLoader] " + warning);
  }

  EgoState initialState() const {
    const auto& timebase = world->bundle.timebase.initial_pose;
    EgoState state;
    if (const auto& pose = parameters.simulation.initial_pose)
      state.pose = egoPoseOf({pose->x, pose->y, pose->z, pose->roll, pose->pitch, pose->yaw}, {});
    else
      state.pose =
          toEgoPose({gs::fromXyzw(timebase.orientation).normalized(),
                     gs::Vec3(timebase.position[0], timebase.position[1], timebase.position[2])},
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
    core.place(state);
    actuators.restart();
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
    if (!core.update(next, seconds))
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

  void sense(const StepInfo& info, StepOutput& output) {
    std::vector<std::string> problems;
    if (const auto ids = firing(cameras, info); !ids.empty())
      output.images = fallback.settle(sensors.cameras->render(ids, core.state(), info), ids,
                                      info.stamp, problems);
    for (std::string& problem : std::exchange(problems, {}))
      messages.add(Degradation::CameraFailed, problem, problem);
    if (const auto ids = firing(lidars, info); !ids.empty())
      output.clouds = settleScans(sensors.lidars->generate(ids, core.state(), info), ids,
                                  lidar_frames, info.stamp, problems);
    for (std::string& problem : problems) messages.add(Degradation::LidarFailed, problem, problem);
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
  std::vector<ScheduledSensor> cameras, lidars;
  std::vector<std::string> camera_ids, lidar_ids;
  std::map<std::string, std::string> lidar_frames;
  CameraFallback fallback;
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

  StepOutput output;
  s.accept(control, info, output);
  if (s.is_unmoved_next) {
    EgoState unmoved = s.core.footing();
    unmoved.pose.stamp = info.stamp;
    s.core.update(unmoved, 0);
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
  state.twist.vx = state.speed;
  state.acceleration = acceleration;
  state.lateral_acceleration = state.speed * twist.wz;
  state.gear = state.speed < 0 ? Gear::Reverse : Gear::Drive;
  state_->place(state);
  if (!state_->core.isGroundKnown())
    return {true, "set; no ground is known there: height and attitude are as given"};
  return {true, state_->core.isOffroad() ? "set; the ego is off the drivable area" : "set"};
}

void Simulator::reportTiming(const StepTiming& timing) { state_->timing = timing; }
void Simulator::reportWarning(std::string warning) { state_->messages.warn(warning, warning); }

const WorldData& Simulator::world() const { return *state_->world; }
const SimulationParameters& Simulator::parameters() const { return state_->parameters; }
const SimulationParameters& Simulator::effectiveParameters() const { return state_->effective; }
const FrameNames& Simulator::frames() const { return state_->frames; }
gs::Duration Simulator::dt() const { return state_->dt; }
const std::vector<std::string>& Simulator::cameraIds() const { return state_->camera_ids; }
const std::vector<std::string>& Simulator::lidarIds() const { return state_->lidar_ids; }

}  // namespace gs_sim

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gs/core/image.hpp"
#include "gs/core/rigid3.hpp"
#include "gs/core/time.hpp"
#include "gs/lidar/lidar_scan.hpp"
#include "gs_sim/sensor_data.hpp"

// What the components of the simulator hand to each other. Names are those of the simulator
// interface; SI units, map frame ENU, base_link FLU above the middle of the rear axle: on the
// ground, or where base_link_above_ground.hpp has it.
namespace gs_sim {

struct EgoPose {
  double x = 0, y = 0, z = 0;             // of base_link in the map frame
  double qx = 0, qy = 0, qz = 0, qw = 1;  // unit to 1e-6
  gs::Stamp stamp;

  bool operator==(const EgoPose&) const = default;
};
gs::Rigid3 mapFromBase(const EgoPose& pose);
EgoPose toEgoPose(const gs::Rigid3& map_from_base, gs::Stamp stamp);
// Why nobody can be there, as a line with an error code; empty when one can.
std::string problemWith(const EgoPose& pose);

struct EgoTwist {
  double vx = 0, vy = 0, vz = 0;  // in base_link
  double wx = 0, wy = 0, wz = 0;

  bool operator==(const EgoTwist&) const = default;
};

struct FrameNames {
  std::string map, odom, base_link;
};

enum class Gear : uint8_t { Park = 0, Reverse = 1, Neutral = 2, Drive = 3 };  // VehicleControlCmd

struct EgoState {
  EgoPose pose;
  EgoTwist twist;
  double steering_angle = 0;  // of the front wheels, left positive
  double speed = 0;           // of the vehicle along the road, forward positive

  double steering_angle_rate = 0;
  double acceleration = 0;               // along base_link x, without gravity
  double lateral_acceleration = 0;       // along base_link y
  std::array<double, 4> wheel_speeds{};  // front left, front right, rear left, rear right; rad/s
  // Of base_link, rad/s^2: how much the twist changed over the step. Zero where the ego was put.
  std::array<double, 3> angular_acceleration{};
  Gear gear = Gear::Drive;

  bool operator==(const EgoState&) const = default;
};

// A command as it came over a wire.
struct CommandMessage {
  std::string type;  // "ackermann_msgs/msg/AckermannDriveStamped"
  std::vector<std::byte> cdr;
};

// What a driver asks for; the control gate decides what becomes of it. Not finite: ignored, with a
// warning. control_messages.hpp makes it from the messages of /vehicle/control_cmd.
struct ControlInput {
  enum class Mode : uint8_t {
    Speed,         // `speed` is the target, |acceleration| limits the way there (0: vehicle limits)
    Acceleration,  // `acceleration` is held, `speed` is not looked at
  };
  double steering_angle = 0;
  double steering_angle_velocity = 0;  // limits the way to steering_angle; 0: vehicle limits
  double speed = 0;
  double acceleration = 0;
  gs::Stamp stamp;  // of simulated time; 0: the step it arrives in
  Mode mode = Mode::Speed;
  // With Mode::Acceleration, the way it may move: braking ends at standstill, never beyond.
  Gear gear = Gear::Drive;
  std::shared_ptr<const CommandMessage> message;  // null: nobody sent one

  bool operator==(const ControlInput&) const = default;
};

inline bool drives(Gear gear) { return gear == Gear::Drive || gear == Gear::Reverse; }

// A speed has its direction in its sign, so that only a gear which does not drive says more.
inline Gear gearOf(const ControlInput& command) {
  if (command.mode != ControlInput::Mode::Speed || !drives(command.gear)) return command.gear;
  return command.speed < 0 ? Gear::Reverse : Gear::Drive;
}

// One value for everybody who needs to know when it is.
struct StepInfo {
  int64_t step = 0;  // 0 is the initial state
  gs::Stamp stamp;   // start_time + step * dt, exactly; the stamp of every message of the step
  gs::Duration dt;
  bool is_paused = false;

  bool operator==(const StepInfo&) const = default;
};

// Facts of the wall clock, measured by whoever paces the steps. Zero where nobody measures, as in
// fast runs: a simulation that does not look at the clock gives the same bytes every time.
struct StepTiming {
  double real_time_factor = 0;
  double step_duration_ms = 0;
};

// /sim/status, at 10 Hz. Warnings and errors are those since the status before.
struct SimulationStatus {
  bool is_collision = false;
  bool is_offroad = false;
  double elapsed_time = 0;  // simulated, since the start
  std::string message;      // one line for people; may be empty
  StepTiming timing;
  std::optional<double> speed_limit;  // m/s, of the drivable feature the ego is on
  std::vector<std::string> warnings;
  std::vector<std::string> errors;
};

struct CameraFrame {
  std::string camera_id;  // as in the calibration: "front"
  std::string frame_id;   // "camera_front"
  gs::Stamp stamp;
  gs::Image8 image;          // RGB
  bool is_repeated = false;  // rendering failed: the picture is that of the frame before
};

using gs::LidarScan;

struct StepOutput {
  StepInfo info;
  EgoState ego;
  bool is_collision = false;
  bool is_offroad = false;
  bool is_emergency_stop = false;          // no valid command within control_timeout_sec
  std::optional<double> speed_limit;       // m/s, of the drivable feature the ego is on
  std::optional<ControlInput> control;     // the command that arrived in this step, as accepted
  std::optional<SimulationStatus> status;  // when it is due
  std::vector<SensorReading> readings;     // of the sensors that fired, in the order of the list
  uint64_t state_hash = 0;  // of everything the next step depends on: equal states, equal hashes
};

// The readings of one kind: valuesOf<CameraFrame>(step).
template <typename T>
std::vector<const T*> valuesOf(const StepOutput& step) {
  std::vector<const T*> values;
  for (const SensorReading& reading : step.readings)
    if (const T* value = findValue<T>(reading.data.get())) values.push_back(value);
  return values;
}

}  // namespace gs_sim

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gs/bundle/base_link_above_ground.hpp"
#include "gs/bundle/vehicle_body.hpp"
#include "gs/core/document.hpp"
#include "gs/core/fields.hpp"
#include "gs/render/renderer_kind.hpp"

namespace gs_sim {

enum class DynamicsModel { KinematicBicycle, DynamicBicycle };
constexpr auto enumWords(std::type_identity<DynamicsModel>) {
  return std::to_array<gs::EnumWord<DynamicsModel>>(
      {{DynamicsModel::KinematicBicycle, "kinematic_bicycle"},
       {DynamicsModel::DynamicBicycle, "dynamic_bicycle"}});
}

// The message of /vehicle/control_cmd: AckermannDriveStamped, TwistStamped, VehicleControlCmd.
enum class ControlMode { Ackermann, Twist, Custom };
constexpr auto enumWords(std::type_identity<ControlMode>) {
  return std::to_array<gs::EnumWord<ControlMode>>({{ControlMode::Ackermann, "ackermann"},
                                                   {ControlMode::Twist, "twist"},
                                                   {ControlMode::Custom, "custom"}});
}

enum class OnCollision { Report, Stop };
constexpr auto enumWords(std::type_identity<OnCollision>) {
  return std::to_array<gs::EnumWord<OnCollision>>(
      {{OnCollision::Report, "report"}, {OnCollision::Stop, "stop"}});
}

// Fields of a published point: x y z intensity ring, or Autoware's PointXYZIRCAEDT.
enum class PointLayout { Xyzir, Xyzircaedt };
constexpr auto enumWords(std::type_identity<PointLayout>) {
  return std::to_array<gs::EnumWord<PointLayout>>(
      {{PointLayout::Xyzir, "xyzir"}, {PointLayout::Xyzircaedt, "xyzircaedt"}});
}

// Whether LiDAR rays meet the world's static mesh. Auto: where it has one.
enum class UseMesh { Auto, Yes, No };
constexpr auto enumWords(std::type_identity<UseMesh>) {
  return std::to_array<gs::EnumWord<UseMesh>>(
      {{UseMesh::Auto, "auto"}, {UseMesh::Yes, "true"}, {UseMesh::No, "false"}});
}

// What the vehicle stands on. Mesh: the heightmap and the world's static mesh, so that bridges and
// underpasses have two heights. Auto: the heightmap.
enum class GroundSource { Auto, Heightmap, Mesh };
constexpr auto enumWords(std::type_identity<GroundSource>) {
  return std::to_array<gs::EnumWord<GroundSource>>({{GroundSource::Auto, "auto"},
                                                    {GroundSource::Heightmap, "heightmap"},
                                                    {GroundSource::Mesh, "mesh"}});
}

constexpr double kNoPowerLimit = 1000;  // m/s: beyond any speed

// Metres, seconds, kilograms, radians. Defaults live here and nowhere else; the comment of a field
// is the one that people find in the file.
struct VehicleParameters {
  struct Tire {
    double cornering_stiffness_front = 80000;
    double cornering_stiffness_rear = 80000;
    double friction = 1.0;

    static void fields(auto& self, auto&& visit) {
      visit("cornering_stiffness_front", self.cornering_stiffness_front,
            {.comment = "N/rad, both wheels of the axle together"});
      visit("cornering_stiffness_rear", self.cornering_stiffness_rear, {.comment = "N/rad"});
      visit("friction", self.friction,
            {.comment = "of tire on road; side forces end there", .is_expert = true});
    }
  };

  // Zero: the vehicle follows at once, within its limits.
  struct Actuator {
    double steering_delay = 0, steering_lag = 0;
    double acceleration_delay = 0, acceleration_lag = 0;

    static void fields(auto& self, auto&& visit) {
      visit("steering_delay", self.steering_delay, {.comment = "s before a command takes effect"});
      visit("steering_lag", self.steering_lag, {.comment = "s, time constant of first order"});
      visit("acceleration_delay", self.acceleration_delay, {.comment = "s"});
      visit("acceleration_lag", self.acceleration_lag, {.comment = "s"});
    }
  };

  using Body = gs::VehicleBody;

  double wheelbase = gs::kDefaultWheelbase;
  double track_width = 1.6;
  double wheel_radius = 0.33;
  double mass = 1500;
  double inertia_z = 3000;
  double max_steering_angle = 0.52;
  double max_steering_rate = 0.5;
  double max_speed = 30;
  double max_reverse_speed = 5;
  double max_acceleration = 3;
  double max_deceleration = 5;
  DynamicsModel dynamics_model = DynamicsModel::KinematicBicycle;
  Tire tire;
  std::optional<double> cg_to_rear_axle;
  double cg_height = 0.5;
  std::optional<double> power_limited_above;
  Actuator actuator;
  Body body;
  std::optional<gs::BaseLinkAboveGround> base_link_above_ground;

  static void fields(auto& self, auto&& visit) {
    visit("wheelbase", self.wheelbase, {.comment = "m"});
    visit("track_width", self.track_width, {.comment = "m"});
    visit("wheel_radius", self.wheel_radius, {.comment = "m, rolling; wheel speeds are in rad/s"});
    visit("mass", self.mass, {.comment = "kg"});
    visit("inertia_z", self.inertia_z, {.comment = "kg m^2"});
    visit("max_steering_angle", self.max_steering_angle, {.comment = "rad at the front wheels"});
    visit("max_steering_rate", self.max_steering_rate, {.comment = "rad/s"});
    visit("max_speed", self.max_speed, {.comment = "m/s"});
    visit("max_reverse_speed", self.max_reverse_speed, {.comment = "m/s; 0: never backwards"});
    visit("max_acceleration", self.max_acceleration, {.comment = "m/s^2"});
    visit("max_deceleration", self.max_deceleration, {.comment = "m/s^2, when braking"});
    visit("dynamics_model", self.dynamics_model, {.comment = "moves as"});
    visit("tire", self.tire, {.comment = "of dynamic_bicycle"});
    visit("cg_to_rear_axle", self.cg_to_rear_axle,
          {.comment = "m; absent: half the wheelbase", .example = "1.4", .is_expert = true});
    visit("cg_height", self.cg_height,
          {.comment = "m; braking loads the front tires, 0: no load transfer", .is_expert = true});
    visit("power_limited_above", self.power_limited_above,
          {.comment = "m/s; beyond it max_acceleration falls as 1/speed",
           .example = "8.0",
           .is_expert = true});
    visit("actuator", self.actuator, {.comment = "how steering and drive follow commands"});
    visit("body", self.body, {.comment = "the box that collides"});
    visit("base_link_above_ground", self.base_link_above_ground,
          {.comment = "over the road; absent: as in the world",
           .example = "{height: 0.95, pitch: 0.0, roll: 0.0}",
           .is_expert = true});
  }
};

struct LoopParameters {
  // What is absent is as in the world. Height, roll and pitch give way to those of the ground where
  // it is known.
  struct InitialPose {
    std::optional<double> x, y, z;
    std::optional<double> roll, pitch, yaw;

    bool turns() const { return roll || pitch || yaw; }
    // What is absent here as in `other`.
    InitialPose orElse(const InitialPose& other) const {
      return {x ? x : other.x,
              y ? y : other.y,
              z ? z : other.z,
              roll ? roll : other.roll,
              pitch ? pitch : other.pitch,
              yaw ? yaw : other.yaw};
    }

    static void fields(auto& self, auto&& visit) {
      visit("x", self.x, {.comment = "m, map frame"});
      visit("y", self.y);
      visit("z", self.z);
      visit("roll", self.roll);
      visit("pitch", self.pitch);
      visit("yaw", self.yaw, {.comment = "rad, from east to north"});
    }
  };

  std::optional<double> dt;
  double real_time_factor = 1.0;
  double max_step_time = 0.1;
  std::optional<InitialPose> initial_pose;
  std::optional<double> initial_velocity;
  double control_timeout_sec = 1.0;
  ControlMode control_mode = ControlMode::Ackermann;
  bool start_paused = false;
  std::optional<std::string> replay_control;
  OnCollision on_collision = OnCollision::Report;

  static void fields(auto& self, auto&& visit) {
    visit("dt", self.dt, {.comment = "s; absent: as in the world's timebase", .example = "0.01"});
    visit("real_time_factor", self.real_time_factor,
          {.comment = "simulated over real time; 0: as fast as possible"});
    visit("max_step_time", self.max_step_time,
          {.comment = "s; a step that takes longer is a missed deadline"});
    visit("initial_pose", self.initial_pose,
          {.comment = "what is absent is as in the world",
           .example = "{x: 10.0, y: 0.0, z: 0.0, roll: 0.0, pitch: 0.0, yaw: 0.0}"});
    visit("initial_velocity", self.initial_velocity,
          {.comment = "m/s; absent: as in the world", .example = "0.0"});
    visit("control_timeout_sec", self.control_timeout_sec,
          {.comment = "s without a command before the emergency stop"});
    visit("control_mode", self.control_mode, {.comment = "message of /vehicle/control_cmd"});
    visit("start_paused", self.start_paused, {.comment = "wait for resume or single steps"});
    visit("replay_control", self.replay_control,
          {.comment = "drive as in this log", .example = "drive.mcap"});
    visit("on_collision", self.on_collision, {.comment = "what a collision does"});
  }
};

// Which sensors of a kind are simulated, and how often they fire.
struct SensorChoice {
  bool enable = true;
  std::optional<double> rate_override;
  std::vector<std::string> ids;

  static void fields(auto& self, auto&& visit) { fieldsWithIds(self, visit, "ids"); }
  static void fieldsWithIds(auto& self, auto&& visit, const char* ids_key) {
    visit("enable", self.enable, {.comment = "simulate and publish them"});
    visit("rate_override", self.rate_override,
          {.comment = "Hz for all of them; absent or 0: as calibrated", .example = "10.0"});
    visit(ids_key, self.ids, {.comment = "ids; empty: all of the world"});
  }
};

// The choice of every kind of sensor that has no further parameters, by its name; sensor_kinds.cpp
// lists the kinds.
std::map<std::string, SensorChoice> plainSensorChoices();

struct SensorParameters {
  static constexpr uint64_t kDefaultSeed = 1;

  struct Camera {
    SensorChoice choice;
    gs::RendererKind renderer = gs::RendererKind::Auto;

    static constexpr const char* kIdsKey = "cameras";
    static void fields(auto& self, auto&& visit) {
      SensorChoice::fieldsWithIds(self.choice, visit, kIdsKey);
      visit("renderer", self.renderer,
            {.comment = "auto is cpu: there is no renderer on GPUs yet; reference is slow"});
    }
  };

  struct Raycast {
    bool use_heightmap = true;
    UseMesh use_static_mesh = UseMesh::Auto;
    bool add_noise = false;
    double noise_std = 0.02;
    double dropout = 0;
    std::optional<uint64_t> seed;
    bool motion_during_sweep = false;

    static void fields(auto& self, auto&& visit) {
      visit("use_heightmap", self.use_heightmap, {.comment = "rays hit the ground"});
      visit("use_static_mesh", self.use_static_mesh,
            {.comment = "rays hit the mesh, with auto where there is one"});
      visit("add_noise", self.add_noise, {.comment = "noise_std and dropout apply"});
      visit("noise_std", self.noise_std, {.comment = "m, of a range"});
      visit("dropout", self.dropout, {.comment = "share of points that are lost, 0 to 1"});
      visit("seed", self.seed,
            {.comment = "of noise and dropout; absent: sensors.seed", .example = "1"});
      visit("motion_during_sweep", self.motion_during_sweep,
            {.comment = "the vehicle moves while the sensor turns"});
    }
  };

  struct Lidar {
    SensorChoice choice;
    PointLayout point_layout = PointLayout::Xyzir;
    Raycast raycast;

    static constexpr const char* kIdsKey = "lidars";
    static void fields(auto& self, auto&& visit) {
      SensorChoice::fieldsWithIds(self.choice, visit, kIdsKey);
      visit("point_layout", self.point_layout, {.comment = "fields of a point"});
      visit("raycast", self.raycast, {.comment = "how ranges are made"});
    }
  };

  uint64_t seed = kDefaultSeed;
  Camera camera;
  Lidar lidar;
  std::map<std::string, SensorChoice> plain = plainSensorChoices();

  static void fields(auto& self, auto&& visit) {
    visit("seed", self.seed, {.comment = "of all random numbers of sensors"});
    visit("camera", self.camera);
    visit("lidar", self.lidar);
    for (auto& [kind, choice] : self.plain) visit(kind.c_str(), choice);
  }
};

// The choice of each kind of sensor, and where its ids stand: "sensors.camera.cameras".
struct NamedChoice {
  std::string kind;
  std::string ids_path;
  SensorChoice& choice;
};
std::vector<NamedChoice> choicesIn(SensorParameters& parameters);

struct GroundParameters {
  GroundSource source = GroundSource::Auto;

  static void fields(auto& self, auto&& visit) {
    visit("source", self.source,
          {.comment = "what wheels stand on; mesh: bridges too; auto: heightmap"});
  }
};

// Absent: as in the metadata of the world.
struct FrameParameters {
  std::optional<std::string> map, odom, base_link;

  static void fields(auto& self, auto&& visit) {
    visit("map", self.map, {.comment = "absent: as in the world", .example = "map"});
    visit("odom", self.odom, {.example = "odom"});
    visit("base_link", self.base_link, {.example = "base_link"});
  }
};

// All parameters of a simulation, in the names of the contract. load_parameters.hpp reads them from
// files and the command line.
struct SimulationParameters {
  std::string world;  // folder of the bundle
  VehicleParameters vehicle;
  LoopParameters simulation;
  SensorParameters sensors;
  FrameParameters frames;
  GroundParameters ground;

  static void fields(auto& self, auto&& visit) {
    visit("world", self.world, {.comment = "folder that contains world.yaml"});
    visit("vehicle", self.vehicle, {.comment = "size, limits and behaviour"});
    visit("simulation", self.simulation, {.comment = "time, start and control"});
    visit("sensors", self.sensors, {.comment = "what is simulated of the calibrated sensors"});
    visit("frames", self.frames, {.comment = "names in TF and headers"});
    visit("ground", self.ground, {.comment = "of the vehicle"});
  }
};

std::vector<gs::Problem> problemsIn(const SimulationParameters& parameters);

}  // namespace gs_sim

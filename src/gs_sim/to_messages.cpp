// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/to_messages.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "gs/core/check.hpp"
#include "gs/formats/cdr.hpp"

namespace gs_sim {
namespace {

using namespace gs::msgs;  // NOLINT: this file is where they are made

Time timeOf(gs::Stamp stamp) {
  const gs::SecNanosec time = gs::toSecNanosec(stamp);
  return {time.sec, time.nanosec};
}

Header headerOf(gs::Stamp stamp, const std::string& frame_id) { return {timeOf(stamp), frame_id}; }

Pose poseOf(const EgoPose& pose) {
  return {{pose.x, pose.y, pose.z}, {pose.qx, pose.qy, pose.qz, pose.qw}};
}

Twist twistOf(const EgoTwist& twist) {
  return {{twist.vx, twist.vy, twist.vz}, {twist.wx, twist.wy, twist.wz}};
}

TransformStamped transformOf(gs::Stamp stamp, const std::string& parent, const std::string& child,
                             const Transform& parent_from_child) {
  return {headerOf(stamp, parent), child, parent_from_child};
}

// The truth, but filters refuse a covariance of zero.
std::array<double, 36> nearlyCertain() {
  std::array<double, 36> covariance{};
  for (size_t i = 0; i < 6; ++i) covariance[7 * i] = 1e-6;
  return covariance;
}

struct Distortion {
  const char* name;
  std::vector<double> coefficients;
};
Distortion distortionOf(const gs::CameraIntrinsics& lens) {
  const auto k = [](const std::optional<double>& value) { return value.value_or(0.0); };
  if (lens.model == gs::CameraModel::Fisheye ||
      lens.distortion_model == gs::DistortionModel::Equidistant)
    return {"equidistant", {lens.k1, lens.k2, k(lens.k3), k(lens.k4)}};
  if (lens.distortion_model == gs::DistortionModel::Rational)
    return {"rational_polynomial",
            {lens.k1, lens.k2, lens.p1, lens.p2, k(lens.k3), k(lens.k4), k(lens.k5), k(lens.k6)}};
  return {"plumb_bob", {lens.k1, lens.k2, lens.p1, lens.p2, k(lens.k3)}};
}

// Everything but the pixels.
Image imageHeadOf(const CameraFrame& frame) {
  GS_CHECK(frame.image.channels == 3);
  Image image;
  image.header = headerOf(frame.stamp, frame.frame_id);
  image.height = static_cast<uint32_t>(frame.image.height);
  image.width = static_cast<uint32_t>(frame.image.width);
  image.encoding = "rgb8";
  image.step = 3 * image.width;
  return image;
}

std::vector<PointField> pointFieldsOf(const CloudLayout& layout) {
  constexpr uint8_t kFloat = PointField::kFloat32;
  if (layout.points == PointLayout::Xyzircaedt)
    return {{"x", 0, kFloat, 1},
            {"y", 4, kFloat, 1},
            {"z", 8, kFloat, 1},
            {"intensity", 12, PointField::kUint8, 1},
            {"return_type", 13, PointField::kUint8, 1},
            {"channel", 14, PointField::kUint16, 1},
            {"azimuth", 16, kFloat, 1},
            {"elevation", 20, kFloat, 1},
            {"distance", 24, kFloat, 1},
            {"time_stamp", 28, PointField::kUint32, 1}};
  std::vector<PointField> fields = {{"x", 0, kFloat, 1},
                                    {"y", 4, kFloat, 1},
                                    {"z", 8, kFloat, 1},
                                    {"intensity", 12, kFloat, 1},
                                    {"ring", 16, PointField::kUint16, 1}};
  if (layout.with_time) fields.push_back({"time", 20, kFloat, 1});
  return fields;
}

uint32_t pointStepOf(const CloudLayout& layout) {
  if (layout.points == PointLayout::Xyzircaedt) return 32;
  return layout.with_time ? 24 : 18;  // two bytes of padding keep `time` aligned
}

PointCloud2 cloudHeadOf(const LidarScan& scan, const CloudLayout& layout) {
  PointCloud2 cloud;
  cloud.header = headerOf(scan.stamp, scan.frame_id);
  cloud.height = 1;
  cloud.width = static_cast<uint32_t>(scan.size());
  cloud.point_fields = pointFieldsOf(layout);
  cloud.point_step = pointStepOf(layout);
  cloud.row_step = cloud.point_step * cloud.width;
  cloud.is_dense = true;
  return cloud;
}

template <typename T>
void put(uint8_t* at, T value) {
  std::memcpy(at, &value, sizeof value);
}

void putPosition(uint8_t* at, const LidarScan& scan, size_t i) {
  put(at, scan.x[i]);
  put(at + 4, scan.y[i]);
  put(at + 8, scan.z[i]);
}

void writeXyzir(const LidarScan& scan, bool with_time, uint8_t* at) {
  const uint32_t step = with_time ? 24 : 18;
  for (size_t i = 0; i < scan.size(); ++i, at += step) {
    putPosition(at, scan, i);
    put(at + 12, scan.intensity[i]);
    put(at + 16, scan.ring[i]);
    if (!with_time) continue;
    put(at + 18, uint16_t{0});
    put(at + 20, static_cast<float>(1e-9 * scan.time_offset_ns[i]));
  }
}

void writeXyzircaedt(const LidarScan& scan, uint8_t* at) {
  constexpr uint8_t kSingleStrongest = 1;
  for (size_t i = 0; i < scan.size(); ++i, at += 32) {
    const float x = scan.x[i], y = scan.y[i], z = scan.z[i], flat = std::hypot(x, y);
    putPosition(at, scan, i);
    put(at + 12, static_cast<uint8_t>(std::lround(std::clamp(scan.intensity[i], 0.0f, 255.0f))));
    put(at + 13, kSingleStrongest);
    put(at + 14, scan.ring[i]);
    put(at + 16, std::atan2(y, x));
    put(at + 20, std::atan2(z, flat));
    put(at + 24, std::hypot(flat, z));
    put(at + 28, scan.time_offset_ns[i]);
  }
}

void writePoints(const LidarScan& scan, const CloudLayout& layout, uint8_t* at) {
  if (layout.points == PointLayout::Xyzircaedt) writeXyzircaedt(scan, at);
  else writeXyzir(scan, layout.with_time, at);
}

}  // namespace

Clock clockMessage(const StepInfo& info) { return {timeOf(info.stamp)}; }

TFMessage tfMessage(const StepOutput& step, const FrameNames& frames) {
  const EgoPose& pose = step.ego.pose;
  return {{transformOf(step.info.stamp, frames.map, frames.odom, {}),
           transformOf(step.info.stamp, frames.odom, frames.base_link,
                       {{pose.x, pose.y, pose.z}, {pose.qx, pose.qy, pose.qz, pose.qw}})}};
}

Accel accelOf(const EgoState& ego) {
  const auto& [roll, pitch, yaw] = ego.angular_acceleration;
  return {{ego.acceleration, ego.lateral_acceleration, 0}, {roll, pitch, yaw}};
}

Odometry odometryMessage(const StepOutput& step, const FrameNames& frames) {
  return {headerOf(step.info.stamp, frames.odom),
          frames.base_link,
          {poseOf(step.ego.pose), nearlyCertain()},
          {twistOf(step.ego.twist), nearlyCertain()}};
}

VehicleState vehicleStateMessage(const StepOutput& step, const FrameNames& frames) {
  const EgoState& ego = step.ego;
  VehicleState state;
  state.header = headerOf(step.info.stamp, frames.map);
  state.pose = poseOf(ego.pose);
  state.twist = twistOf(ego.twist);
  state.accel = accelOf(ego);
  state.steering_angle = static_cast<float>(ego.steering_angle);
  state.steering_angle_rate = static_cast<float>(ego.steering_angle_rate);
  state.wheel_speed_fl = static_cast<float>(ego.wheel_speeds[0]);
  state.wheel_speed_fr = static_cast<float>(ego.wheel_speeds[1]);
  state.wheel_speed_rl = static_cast<float>(ego.wheel_speeds[2]);
  state.wheel_speed_rr = static_cast<float>(ego.wheel_speeds[3]);
  state.gear = static_cast<uint8_t>(ego.gear);
  return state;
}

gs::msgs::SimulationStatus statusMessage(const StepInfo& info,
                                         const gs_sim::SimulationStatus& status,
                                         const FrameNames& frames) {
  gs::msgs::SimulationStatus message;
  message.header = headerOf(info.stamp, frames.map);
  message.sim_time = timeOf(info.stamp);
  message.sim_dt = toSeconds(info.dt);
  message.step_count = static_cast<uint64_t>(std::max<int64_t>(0, info.step));
  message.real_time_factor = status.timing.real_time_factor;
  message.step_duration_ms = status.timing.step_duration_ms;
  message.is_collision = status.is_collision;
  message.is_offroad = status.is_offroad;
  message.is_paused = info.is_paused;
  message.warnings = status.warnings;
  message.errors = status.errors;
  message.speed_limit = status.speed_limit.value_or(0);  // every known one is above zero
  return message;
}

TFMessage staticTfMessage(gs::Stamp stamp, const gs::Calibration& calibration,
                          const FrameNames& frames) {
  TFMessage message;
  const auto add = [&](const std::string& frame, const gs::Extrinsics& mount) {
    const auto& t = mount.translation;
    const auto& q = mount.rotation_quat;
    message.transforms.push_back(transformOf(stamp, frames.base_link, frame,
                                             {{t[0], t[1], t[2]}, {q[0], q[1], q[2], q[3]}}));
  };
  gs::forEachMountedSensor(calibration, [&](const std::string&, const std::string& frame,
                                            const gs::Extrinsics& mount) { add(frame, mount); });
  return message;
}

WorldInfo worldInfoMessage(gs::Stamp stamp, const WorldData& world, const FrameNames& frames,
                           const std::vector<SensorDescription>& sensors) {
  const gs::WorldBundle& bundle = world.bundle;
  const auto& extent = bundle.metadata.spatial_extent;
  WorldInfo info;
  info.header = headerOf(stamp, frames.map);
  info.world_id = bundle.index.scene_id;
  info.world_bundle_path = world.bundle_path.string();
  info.source_mcap = bundle.metadata.source.file;
  info.world_version = bundle.index.version;
  info.map_frame = frames.map;
  info.odom_frame = frames.odom;
  info.base_link_frame = frames.base_link;
  info.world_origin = {extent.min_x, extent.min_y, extent.min_z};
  info.world_extent_x = extent.max_x - extent.min_x;
  info.world_extent_y = extent.max_y - extent.min_y;
  info.world_extent_z = extent.max_z - extent.min_z;
  // The message names these two kinds; of the others there is the list of topics.
  for (const SensorDescription& sensor : sensors) {
    if (sensor.kind == "camera") info.available_cameras.push_back(sensor.id);
    if (sensor.kind == "lidar") info.available_lidars.push_back(sensor.id);
  }
  return info;
}

CameraInfo cameraInfoMessage(gs::Stamp stamp, const gs::CameraCalibration& camera) {
  const gs::CameraIntrinsics& lens = camera.intrinsics;
  const Distortion distortion = distortionOf(lens);
  CameraInfo info;
  info.header = headerOf(stamp, camera.frame_id);
  info.height = static_cast<uint32_t>(camera.image_height);
  info.width = static_cast<uint32_t>(camera.image_width);
  info.distortion_model = distortion.name;
  info.d = distortion.coefficients;
  info.k = {lens.fx, 0, lens.cx, 0, lens.fy, lens.cy, 0, 0, 1};
  info.r = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  info.p = {lens.fx, 0, lens.cx, 0, 0, lens.fy, lens.cy, 0, 0, 0, 1, 0};
  return info;
}

CloudLayout cloudLayoutOf(const SensorParameters::Lidar& parameters) {
  return {parameters.point_layout, parameters.raycast.motion_during_sweep};
}

Image imageMessage(const CameraFrame& frame) {
  Image image = imageHeadOf(frame);
  image.data = frame.image.pixels;
  return image;
}

PointCloud2 cloudMessage(const LidarScan& scan, const CloudLayout& layout) {
  PointCloud2 cloud = cloudHeadOf(scan, layout);
  cloud.data.resize(cloud.row_step);
  writePoints(scan, layout, cloud.data.data());
  return cloud;
}

// Both messages end with their large sequence, or nearly: encoded empty, it needs its length
// corrected and its elements put behind.
void encodeImage(const CameraFrame& frame, std::vector<std::byte>& out) {
  gs::encodeCdr(imageHeadOf(frame), out);
  const auto size = static_cast<uint32_t>(frame.image.pixels.size());
  std::memcpy(out.data() + out.size() - sizeof size, &size, sizeof size);
  const auto pixels = std::as_bytes(std::span(frame.image.pixels));
  out.insert(out.end(), pixels.begin(), pixels.end());
}

void encodeCloud(const LidarScan& scan, const CloudLayout& layout, std::vector<std::byte>& out) {
  const PointCloud2 cloud = cloudHeadOf(scan, layout);
  gs::encodeCdr(cloud, out);
  const size_t begin = out.size() - 1;  // is_dense comes after the points
  const uint32_t size = cloud.row_step;
  std::memcpy(out.data() + begin - sizeof size, &size, sizeof size);
  out.resize(begin + size + 1);
  writePoints(scan, layout, reinterpret_cast<uint8_t*>(out.data() + begin));
  out.back() = std::byte{1};
}

}  // namespace gs_sim

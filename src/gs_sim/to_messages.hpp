// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "gs/bundle/world_bundle.hpp"
#include "gs/msgs/gs_sim_msgs.hpp"
#include "gs/msgs/nav_msgs.hpp"
#include "gs/msgs/rosgraph_msgs.hpp"
#include "gs/msgs/sensor_msgs.hpp"
#include "gs/msgs/tf2_msgs.hpp"
#include "gs_sim/config.hpp"
#include "gs_sim/sensor.hpp"
#include "gs_sim/types.hpp"
#include "gs_sim/world_loader.hpp"

// The simulator's values as ROS messages, one function per topic: the only conversion there is, for
// the wire, the recorder and the browser. Pure functions. Every stamp is that of the step.
namespace gs_sim {

gs::msgs::Clock clockMessage(const StepInfo& info);                                    // /clock
gs::msgs::TFMessage tfMessage(const StepOutput& step, const FrameNames& frames);       // /tf
gs::msgs::Odometry odometryMessage(const StepOutput& step, const FrameNames& frames);  // /odom
// As of the ego's motion, in base_link: what /vehicle/state and Autoware's topics say of it.
gs::msgs::Accel accelOf(const EgoState& ego);
// /vehicle/state, pose in the map frame.
gs::msgs::VehicleState vehicleStateMessage(const StepOutput& step, const FrameNames& frames);
// /sim/status; `status` is that of the step.
gs::msgs::SimulationStatus statusMessage(const StepInfo& info, const SimulationStatus& status,
                                         const FrameNames& frames);

// /tf_static and /sim/world_info, once. `stamp` is that of the first step.
gs::msgs::TFMessage staticTfMessage(gs::Stamp stamp, const gs::Calibration& calibration,
                                    const FrameNames& frames);
// world_origin is the lowest corner of the world's extent, map frame.
gs::msgs::WorldInfo worldInfoMessage(gs::Stamp stamp, const WorldData& world,
                                     const FrameNames& frames,
                                     const std::vector<SensorDescription>& sensors);

// /camera/<id>/camera_info. plumb_bob with five coefficients, equidistant with four, or
// rational_polynomial with eight; R is the identity, P repeats K.
gs::msgs::CameraInfo cameraInfoMessage(gs::Stamp stamp, const gs::CameraCalibration& camera);

// What a point consists of. xyzir: x y z intensity float32, ring uint16; with_time appends time
// float32, s after the stamp, for sweeps during which the vehicle moves. xyzircaedt: Autoware's
// PointXYZIRCAEDT, 32 bytes.
struct CloudLayout {
  PointLayout points = PointLayout::Xyzir;
  bool with_time = false;
};
CloudLayout cloudLayoutOf(const SensorParameters::Lidar& parameters);

// Images and clouds are large. As messages they cost a copy; whoever needs their bytes only
// (gs::encodeCdr of the message) gets them here in one pass, into memory that is kept.
gs::msgs::Image imageMessage(const CameraFrame& frame);
gs::msgs::PointCloud2 cloudMessage(const LidarScan& scan, const CloudLayout& layout);
void encodeImage(const CameraFrame& frame, std::vector<std::byte>& out);
void encodeCloud(const LidarScan& scan, const CloudLayout& layout, std::vector<std::byte>& out);

}  // namespace gs_sim

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "gs/bundle/map_geodesy.hpp"
#include "gs/core/linear.hpp"
#include "gs/formats/mcap_reader.hpp"
#include "gs_builder/clock_check.hpp"

// What a log says about the vehicle's motion besides its poses: inertial sensors, satellites,
// wheels. Messages that are not finite are counted and left out.
namespace gs_builder {

struct ImuTopic {
  std::string frame_id;
  std::vector<LoggedStamp> stamps;
  std::vector<gs::Vec3> turn_rate;       // rad/s, in the sensor's frame
  std::vector<gs::Vec3> specific_force;  // m/s^2
  // Of one value, as the first message has them; 0: it does not say.
  double turn_rate_variance = 0, specific_force_variance = 0;
  size_t invalid = 0;
};

struct GnssTopic {
  std::string frame_id;
  std::vector<LoggedStamp> stamps;  // of valid fixes
  std::vector<gs::GeoPoint> fixes;
  double horizontal_variance = 0, vertical_variance = 0;  // of the first valid fix; 0: unknown
  size_t without_fix = 0;                                 // said so, or made no sense
};

struct TwistTopic {
  std::string type, frame_id;
  bool is_odometry = false;  // nav_msgs/Odometry: frame_id is where its poses are
  std::vector<LoggedStamp> stamps;
  std::vector<double> speed;     // m/s, forwards
  std::vector<double> yaw_rate;  // rad/s, to the left
  size_t invalid = 0;
};

struct MotionTopics {
  std::map<std::string, ImuTopic> imus;  // by topic
  std::map<std::string, GnssTopic> gnss;
  std::map<std::string, TwistTopic> twists;
};

// What kind of motion sensor sends messages of this type: "imu", "gnss", "twist", or nothing.
// Odometry is a pose first and not among them.
std::string motionKindOf(const std::string& ros_type);

// Adds a message of the log, if it is of a type that counts here.
void addMotionMessage(const gs::LogMessage& message, MotionTopics& topics);

}  // namespace gs_builder

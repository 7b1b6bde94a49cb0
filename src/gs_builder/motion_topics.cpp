// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/motion_topics.hpp"

#include <cmath>

#include "gs/formats/cdr.hpp"
#include "gs/msgs/autoware_vehicle_msgs.hpp"
#include "gs/msgs/geometry_msgs.hpp"
#include "gs/msgs/nav_msgs.hpp"
#include "gs/msgs/sensor_msgs.hpp"

namespace gs_builder {
namespace {

// Autoware called its package so before 2023; the message is the same.
constexpr const char* kOldVelocityReport = "autoware_auto_vehicle_msgs/msg/VelocityReport";

LoggedStamp stampOf(const gs::LogMessage& message, const gs::msgs::Header& header) {
  return {message.log_time, gs::fromSecNanosec({header.stamp.sec, header.stamp.nanosec})};
}

gs::Vec3 vectorOf(const gs::msgs::Vector3& v) { return {v.x, v.y, v.z}; }

// The mean of the diagonal where it says something: ROS writes -1 or zeros for "unknown".
double varianceOf(const std::array<double, 9>& covariance, size_t first, size_t count) {
  double sum = 0;
  for (size_t i = first; i < first + count; ++i) {
    const double variance = covariance[4 * i];
    if (!(variance > 0) || !std::isfinite(variance)) return 0;
    sum += variance;
  }
  return sum / static_cast<double>(count);
}

void addImu(const gs::LogMessage& message, ImuTopic& topic) {
  const auto imu = gs::findCdr<gs::msgs::Imu>(message.data);
  if (!imu) return;  // counted by the survey
  const gs::Vec3 turn_rate = vectorOf(imu->angular_velocity);
  const gs::Vec3 force = vectorOf(imu->linear_acceleration);
  if (!turn_rate.allFinite() || !force.allFinite()) {
    ++topic.invalid;
    return;
  }
  if (topic.stamps.empty()) {
    topic.frame_id = imu->header.frame_id;
    topic.turn_rate_variance = varianceOf(imu->angular_velocity_covariance, 0, 3);
    topic.specific_force_variance = varianceOf(imu->linear_acceleration_covariance, 0, 3);
  }
  topic.stamps.push_back(stampOf(message, imu->header));
  topic.turn_rate.push_back(turn_rate);
  topic.specific_force.push_back(force);
}

void addFix(const gs::LogMessage& message, GnssTopic& topic) {
  const auto fix = gs::findCdr<gs::msgs::NavSatFix>(message.data);
  if (!fix) return;
  if (topic.frame_id.empty()) topic.frame_id = fix->header.frame_id;
  if (fix->status.status < 0 || !(std::abs(fix->latitude) <= 90) ||
      !(std::abs(fix->longitude) <= 180) || !std::isfinite(fix->altitude)) {
    ++topic.without_fix;
    return;
  }
  if (topic.stamps.empty() &&
      fix->position_covariance_type != gs::msgs::NavSatFix::kCovarianceTypeUnknown) {
    topic.horizontal_variance = varianceOf(fix->position_covariance, 0, 2);
    topic.vertical_variance = varianceOf(fix->position_covariance, 2, 1);
  }
  topic.stamps.push_back(stampOf(message, fix->header));
  topic.fixes.push_back({fix->latitude, fix->longitude, fix->altitude});
}

void addTwist(const gs::LogMessage& message, const gs::msgs::Header& header, double speed,
              double yaw_rate, MotionTopics& topics) {
  TwistTopic& topic = topics.twists[message.topic.name];
  if (topic.type.empty()) {
    topic.type = message.topic.type;
    topic.frame_id = header.frame_id;
    topic.is_odometry = topic.type == gs::msgs::Odometry::kRosType;
  }
  if (!std::isfinite(speed) || !std::isfinite(yaw_rate)) {
    ++topic.invalid;
    return;
  }
  topic.stamps.push_back(stampOf(message, header));
  topic.speed.push_back(speed);
  topic.yaw_rate.push_back(yaw_rate);
}

}  // namespace

std::string motionKindOf(const std::string& ros_type) {
  if (ros_type == gs::msgs::Imu::kRosType) return "imu";
  if (ros_type == gs::msgs::NavSatFix::kRosType) return "gnss";
  const bool is_twist = ros_type == gs::msgs::TwistStamped::kRosType ||
                        ros_type == gs::msgs::TwistWithCovarianceStamped::kRosType ||
                        ros_type == gs::msgs::VelocityReport::kRosType ||
                        ros_type == kOldVelocityReport;
  return is_twist ? "twist" : "";
}

void addMotionMessage(const gs::LogMessage& message, MotionTopics& topics) {
  const std::string& type = message.topic.type;
  const auto add = [&](const gs::msgs::Header& header, const gs::msgs::Twist& twist) {
    addTwist(message, header, twist.linear.x, twist.angular.z, topics);
  };
  if (type == gs::msgs::Imu::kRosType) addImu(message, topics.imus[message.topic.name]);
  else if (type == gs::msgs::NavSatFix::kRosType) addFix(message, topics.gnss[message.topic.name]);
  else if (type == gs::msgs::Odometry::kRosType) {
    if (const auto m = gs::findCdr<gs::msgs::Odometry>(message.data))
      add(m->header, m->twist.twist);
  } else if (type == gs::msgs::TwistStamped::kRosType) {
    if (const auto m = gs::findCdr<gs::msgs::TwistStamped>(message.data)) add(m->header, m->twist);
  } else if (type == gs::msgs::TwistWithCovarianceStamped::kRosType) {
    if (const auto m = gs::findCdr<gs::msgs::TwistWithCovarianceStamped>(message.data))
      add(m->header, m->twist.twist);
  } else if (type == gs::msgs::VelocityReport::kRosType || type == kOldVelocityReport) {
    if (const auto m = gs::findCdr<gs::msgs::VelocityReport>(message.data))
      addTwist(message, m->header, m->longitudinal_velocity, m->heading_rate, topics);
  }
}

}  // namespace gs_builder

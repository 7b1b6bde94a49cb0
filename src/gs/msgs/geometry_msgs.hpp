// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>

#include "gs/msgs/std_msgs.hpp"

// SI units; quaternions in the order x y z w.
namespace gs::msgs {

// geometry_msgs/msg/Point.
struct Point {
  static constexpr const char* kRosType = "geometry_msgs/msg/Point";

  double x = 0;
  double y = 0;
  double z = 0;

  static void fields(auto& self, auto&& visit) {
    visit("x", self.x);
    visit("y", self.y);
    visit("z", self.z);
  }
  bool operator==(const Point&) const = default;
};

// geometry_msgs/msg/Vector3.
struct Vector3 {
  static constexpr const char* kRosType = "geometry_msgs/msg/Vector3";

  double x = 0;
  double y = 0;
  double z = 0;

  static void fields(auto& self, auto&& visit) {
    visit("x", self.x);
    visit("y", self.y);
    visit("z", self.z);
  }
  bool operator==(const Vector3&) const = default;
};

// geometry_msgs/msg/Quaternion.
struct Quaternion {
  static constexpr const char* kRosType = "geometry_msgs/msg/Quaternion";

  double x = 0;
  double y = 0;
  double z = 0;
  double w = 1;

  static void fields(auto& self, auto&& visit) {
    visit("x", self.x);
    visit("y", self.y);
    visit("z", self.z);
    visit("w", self.w);
  }
  bool operator==(const Quaternion&) const = default;
};

// geometry_msgs/msg/Pose.
struct Pose {
  static constexpr const char* kRosType = "geometry_msgs/msg/Pose";

  Point position;
  Quaternion orientation;

  static void fields(auto& self, auto&& visit) {
    visit("position", self.position);
    visit("orientation", self.orientation);
  }
  bool operator==(const Pose&) const = default;
};

// geometry_msgs/msg/Twist.
struct Twist {
  static constexpr const char* kRosType = "geometry_msgs/msg/Twist";

  Vector3 linear;
  Vector3 angular;

  static void fields(auto& self, auto&& visit) {
    visit("linear", self.linear);
    visit("angular", self.angular);
  }
  bool operator==(const Twist&) const = default;
};

// geometry_msgs/msg/Accel.
struct Accel {
  static constexpr const char* kRosType = "geometry_msgs/msg/Accel";

  Vector3 linear;
  Vector3 angular;

  static void fields(auto& self, auto&& visit) {
    visit("linear", self.linear);
    visit("angular", self.angular);
  }
  bool operator==(const Accel&) const = default;
};

// geometry_msgs/msg/Transform.
struct Transform {
  static constexpr const char* kRosType = "geometry_msgs/msg/Transform";

  Vector3 translation;
  Quaternion rotation;

  static void fields(auto& self, auto&& visit) {
    visit("translation", self.translation);
    visit("rotation", self.rotation);
  }
  bool operator==(const Transform&) const = default;
};

// geometry_msgs/msg/TransformStamped.
struct TransformStamped {
  static constexpr const char* kRosType = "geometry_msgs/msg/TransformStamped";

  Header header;
  std::string child_frame_id;
  Transform transform;

  static void fields(auto& self, auto&& visit) {
    visit("header", self.header);
    visit("child_frame_id", self.child_frame_id);
    visit("transform", self.transform);
  }
  bool operator==(const TransformStamped&) const = default;
};

// geometry_msgs/msg/PoseStamped.
struct PoseStamped {
  static constexpr const char* kRosType = "geometry_msgs/msg/PoseStamped";

  Header header;
  Pose pose;

  static void fields(auto& self, auto&& visit) {
    visit("header", self.header);
    visit("pose", self.pose);
  }
  bool operator==(const PoseStamped&) const = default;
};

// geometry_msgs/msg/TwistStamped.
struct TwistStamped {
  static constexpr const char* kRosType = "geometry_msgs/msg/TwistStamped";

  Header header;
  Twist twist;

  static void fields(auto& self, auto&& visit) {
    visit("header", self.header);
    visit("twist", self.twist);
  }
  bool operator==(const TwistStamped&) const = default;
};

// geometry_msgs/msg/PoseWithCovariance.
struct PoseWithCovariance {
  static constexpr const char* kRosType = "geometry_msgs/msg/PoseWithCovariance";

  Pose pose;
  std::array<double, 36> covariance{};

  static void fields(auto& self, auto&& visit) {
    visit("pose", self.pose);
    visit("covariance", self.covariance);
  }
  bool operator==(const PoseWithCovariance&) const = default;
};

// geometry_msgs/msg/PoseWithCovarianceStamped.
struct PoseWithCovarianceStamped {
  static constexpr const char* kRosType = "geometry_msgs/msg/PoseWithCovarianceStamped";

  Header header;
  PoseWithCovariance pose;

  static void fields(auto& self, auto&& visit) {
    visit("header", self.header);
    visit("pose", self.pose);
  }
  bool operator==(const PoseWithCovarianceStamped&) const = default;
};

// geometry_msgs/msg/TwistWithCovariance.
struct TwistWithCovariance {
  static constexpr const char* kRosType = "geometry_msgs/msg/TwistWithCovariance";

  Twist twist;
  std::array<double, 36> covariance{};

  static void fields(auto& self, auto&& visit) {
    visit("twist", self.twist);
    visit("covariance", self.covariance);
  }
  bool operator==(const TwistWithCovariance&) const = default;
};

// geometry_msgs/msg/TwistWithCovarianceStamped.
struct TwistWithCovarianceStamped {
  static constexpr const char* kRosType = "geometry_msgs/msg/TwistWithCovarianceStamped";

  Header header;
  TwistWithCovariance twist;

  static void fields(auto& self, auto&& visit) {
    visit("header", self.header);
    visit("twist", self.twist);
  }
  bool operator==(const TwistWithCovarianceStamped&) const = default;
};

// geometry_msgs/msg/AccelWithCovariance.
struct AccelWithCovariance {
  static constexpr const char* kRosType = "geometry_msgs/msg/AccelWithCovariance";

  Accel accel;
  std::array<double, 36> covariance{};

  static void fields(auto& self, auto&& visit) {
    visit("accel", self.accel);
    visit("covariance", self.covariance);
  }
  bool operator==(const AccelWithCovariance&) const = default;
};

// geometry_msgs/msg/AccelWithCovarianceStamped.
struct AccelWithCovarianceStamped {
  static constexpr const char* kRosType = "geometry_msgs/msg/AccelWithCovarianceStamped";

  Header header;
  AccelWithCovariance accel;

  static void fields(auto& self, auto&& visit) {
    visit("header", self.header);
    visit("accel", self.accel);
  }
  bool operator==(const AccelWithCovarianceStamped&) const = default;
};

}  // namespace gs::msgs

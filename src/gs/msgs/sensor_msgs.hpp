// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "gs/msgs/geometry_msgs.hpp"
#include "gs/msgs/std_msgs.hpp"

namespace gs::msgs {

// sensor_msgs/msg/Image.
struct Image {
  static constexpr const char* kRosType = "sensor_msgs/msg/Image";

  Header header;
  uint32_t height = 0;
  uint32_t width = 0;
  std::string encoding;
  uint8_t is_bigendian = 0;
  uint32_t step = 0;
  std::vector<uint8_t> data;

  static void fields(auto& self, auto&& visit) {
    visit("header", self.header);
    visit("height", self.height);
    visit("width", self.width);
    visit("encoding", self.encoding);
    visit("is_bigendian", self.is_bigendian);
    visit("step", self.step);
    visit("data", self.data);
  }
  bool operator==(const Image&) const = default;
};

// sensor_msgs/msg/CompressedImage.
struct CompressedImage {
  static constexpr const char* kRosType = "sensor_msgs/msg/CompressedImage";

  Header header;
  std::string format;
  std::vector<uint8_t> data;

  static void fields(auto& self, auto&& visit) {
    visit("header", self.header);
    visit("format", self.format);
    visit("data", self.data);
  }
  bool operator==(const CompressedImage&) const = default;
};

// sensor_msgs/msg/RegionOfInterest.
struct RegionOfInterest {
  static constexpr const char* kRosType = "sensor_msgs/msg/RegionOfInterest";

  uint32_t x_offset = 0;
  uint32_t y_offset = 0;
  uint32_t height = 0;
  uint32_t width = 0;
  bool do_rectify = false;

  static void fields(auto& self, auto&& visit) {
    visit("x_offset", self.x_offset);
    visit("y_offset", self.y_offset);
    visit("height", self.height);
    visit("width", self.width);
    visit("do_rectify", self.do_rectify);
  }
  bool operator==(const RegionOfInterest&) const = default;
};

// sensor_msgs/msg/CameraInfo.
struct CameraInfo {
  static constexpr const char* kRosType = "sensor_msgs/msg/CameraInfo";

  Header header;
  uint32_t height = 0;
  uint32_t width = 0;
  std::string distortion_model;
  std::vector<double> d;
  std::array<double, 9> k{};
  std::array<double, 9> r{};
  std::array<double, 12> p{};
  uint32_t binning_x = 0;
  uint32_t binning_y = 0;
  RegionOfInterest roi;

  static void fields(auto& self, auto&& visit) {
    visit("header", self.header);
    visit("height", self.height);
    visit("width", self.width);
    visit("distortion_model", self.distortion_model);
    visit("d", self.d);
    visit("k", self.k);
    visit("r", self.r);
    visit("p", self.p);
    visit("binning_x", self.binning_x);
    visit("binning_y", self.binning_y);
    visit("roi", self.roi);
  }
  bool operator==(const CameraInfo&) const = default;
};

// sensor_msgs/msg/PointField.
struct PointField {
  static constexpr const char* kRosType = "sensor_msgs/msg/PointField";
  static constexpr uint8_t kInt8 = 1;
  static constexpr uint8_t kUint8 = 2;
  static constexpr uint8_t kInt16 = 3;
  static constexpr uint8_t kUint16 = 4;
  static constexpr uint8_t kInt32 = 5;
  static constexpr uint8_t kUint32 = 6;
  static constexpr uint8_t kFloat32 = 7;
  static constexpr uint8_t kFloat64 = 8;

  std::string name;
  uint32_t offset = 0;
  uint8_t datatype = 0;
  uint32_t count = 0;

  static void constants(auto&& visit) {
    visit("INT8", kInt8);
    visit("UINT8", kUint8);
    visit("INT16", kInt16);
    visit("UINT16", kUint16);
    visit("INT32", kInt32);
    visit("UINT32", kUint32);
    visit("FLOAT32", kFloat32);
    visit("FLOAT64", kFloat64);
  }
  static void fields(auto& self, auto&& visit) {
    visit("name", self.name);
    visit("offset", self.offset);
    visit("datatype", self.datatype);
    visit("count", self.count);
  }
  bool operator==(const PointField&) const = default;
};

// sensor_msgs/msg/PointCloud2.
struct PointCloud2 {
  static constexpr const char* kRosType = "sensor_msgs/msg/PointCloud2";

  Header header;
  uint32_t height = 0;
  uint32_t width = 0;
  std::vector<PointField> point_fields;  // `fields` in ROS
  bool is_bigendian = false;
  uint32_t point_step = 0;
  uint32_t row_step = 0;
  std::vector<uint8_t> data;
  bool is_dense = false;

  static void fields(auto& self, auto&& visit) {
    visit("header", self.header);
    visit("height", self.height);
    visit("width", self.width);
    visit("fields", self.point_fields);
    visit("is_bigendian", self.is_bigendian);
    visit("point_step", self.point_step);
    visit("row_step", self.row_step);
    visit("data", self.data);
    visit("is_dense", self.is_dense);
  }
  bool operator==(const PointCloud2&) const = default;
};

// sensor_msgs/msg/Imu.
struct Imu {
  static constexpr const char* kRosType = "sensor_msgs/msg/Imu";

  Header header;
  Quaternion orientation;
  std::array<double, 9> orientation_covariance{};
  Vector3 angular_velocity;
  std::array<double, 9> angular_velocity_covariance{};
  Vector3 linear_acceleration;
  std::array<double, 9> linear_acceleration_covariance{};

  static void fields(auto& self, auto&& visit) {
    visit("header", self.header);
    visit("orientation", self.orientation);
    visit("orientation_covariance", self.orientation_covariance);
    visit("angular_velocity", self.angular_velocity);
    visit("angular_velocity_covariance", self.angular_velocity_covariance);
    visit("linear_acceleration", self.linear_acceleration);
    visit("linear_acceleration_covariance", self.linear_acceleration_covariance);
  }
  bool operator==(const Imu&) const = default;
};

// sensor_msgs/msg/JointState. An array is empty where nothing is known of it.
struct JointState {
  static constexpr const char* kRosType = "sensor_msgs/msg/JointState";

  Header header;
  std::vector<std::string> name;
  std::vector<double> position;  // rad or m
  std::vector<double> velocity;  // rad/s or m/s
  std::vector<double> effort;    // N m or N

  static void fields(auto& self, auto&& visit) {
    visit("header", self.header);
    visit("name", self.name);
    visit("position", self.position);
    visit("velocity", self.velocity);
    visit("effort", self.effort);
  }
  bool operator==(const JointState&) const = default;
};

// sensor_msgs/msg/NavSatStatus.
struct NavSatStatus {
  static constexpr const char* kRosType = "sensor_msgs/msg/NavSatStatus";
  static constexpr int8_t kStatusNoFix = -1;
  static constexpr int8_t kStatusFix = 0;
  static constexpr int8_t kStatusSbasFix = 1;
  static constexpr int8_t kStatusGbasFix = 2;
  static constexpr uint16_t kServiceGps = 1;
  static constexpr uint16_t kServiceGlonass = 2;
  static constexpr uint16_t kServiceCompass = 4;
  static constexpr uint16_t kServiceGalileo = 8;

  int8_t status = 0;
  uint16_t service = 0;

  static void constants(auto&& visit) {
    visit("STATUS_NO_FIX", kStatusNoFix);
    visit("STATUS_FIX", kStatusFix);
    visit("STATUS_SBAS_FIX", kStatusSbasFix);
    visit("STATUS_GBAS_FIX", kStatusGbasFix);
    visit("SERVICE_GPS", kServiceGps);
    visit("SERVICE_GLONASS", kServiceGlonass);
    visit("SERVICE_COMPASS", kServiceCompass);
    visit("SERVICE_GALILEO", kServiceGalileo);
  }
  static void fields(auto& self, auto&& visit) {
    visit("status", self.status);
    visit("service", self.service);
  }
  bool operator==(const NavSatStatus&) const = default;
};

// sensor_msgs/msg/NavSatFix.
struct NavSatFix {
  static constexpr const char* kRosType = "sensor_msgs/msg/NavSatFix";
  static constexpr uint8_t kCovarianceTypeUnknown = 0;
  static constexpr uint8_t kCovarianceTypeApproximated = 1;
  static constexpr uint8_t kCovarianceTypeDiagonalKnown = 2;
  static constexpr uint8_t kCovarianceTypeKnown = 3;

  Header header;
  NavSatStatus status;
  double latitude = 0;
  double longitude = 0;
  double altitude = 0;
  std::array<double, 9> position_covariance{};
  uint8_t position_covariance_type = 0;

  static void constants(auto&& visit) {
    visit("COVARIANCE_TYPE_UNKNOWN", kCovarianceTypeUnknown);
    visit("COVARIANCE_TYPE_APPROXIMATED", kCovarianceTypeApproximated);
    visit("COVARIANCE_TYPE_DIAGONAL_KNOWN", kCovarianceTypeDiagonalKnown);
    visit("COVARIANCE_TYPE_KNOWN", kCovarianceTypeKnown);
  }
  static void fields(auto& self, auto&& visit) {
    visit("header", self.header);
    visit("status", self.status);
    visit("latitude", self.latitude);
    visit("longitude", self.longitude);
    visit("altitude", self.altitude);
    visit("position_covariance", self.position_covariance);
    visit("position_covariance_type", self.position_covariance_type);
  }
  bool operator==(const NavSatFix&) const = default;
};

}  // namespace gs::msgs

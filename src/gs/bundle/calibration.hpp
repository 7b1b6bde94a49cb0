// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gs/bundle/extrinsics.hpp"
#include "gs/bundle/gnss_calibration.hpp"
#include "gs/bundle/imu_calibration.hpp"
#include "gs/bundle/wheel_odometry_calibration.hpp"
#include "gs/core/fields.hpp"

namespace gs {

// Axes of a camera frame. opencv: x right, y down, z forward. ros: x right, y up, z backward.
enum class CameraConvention { OpenCv, Ros };
enum class CameraModel { Pinhole, Fisheye };
enum class DistortionModel { RadTan, Rational, Equidistant };

constexpr auto enumWords(std::type_identity<CameraConvention>) {
  return std::to_array<EnumWord<CameraConvention>>(
      {{CameraConvention::OpenCv, "opencv"}, {CameraConvention::Ros, "ros"}});
}
constexpr auto enumWords(std::type_identity<CameraModel>) {
  return std::to_array<EnumWord<CameraModel>>(
      {{CameraModel::Pinhole, "pinhole"}, {CameraModel::Fisheye, "fisheye"}});
}
constexpr auto enumWords(std::type_identity<DistortionModel>) {
  return std::to_array<EnumWord<DistortionModel>>({{DistortionModel::RadTan, "radtan"},
                                                   {DistortionModel::Rational, "rational"},
                                                   {DistortionModel::Equidistant, "equidistant"}});
}

struct CameraIntrinsics {
  CameraModel model = CameraModel::Pinhole;
  double fx = 0, fy = 0, cx = 0, cy = 0;  // px
  DistortionModel distortion_model = DistortionModel::RadTan;
  // radtan: k1 k2 p1 p2 [k3]; rational adds k4 k5 k6; equidistant: k1 k2 k3 k4, no p.
  double k1 = 0, k2 = 0, p1 = 0, p2 = 0;
  std::optional<double> k3, k4, k5, k6;

  bool operator==(const CameraIntrinsics&) const = default;
  static void fields(auto& self, auto&& visit) {
    visit("model", self.model);
    visit("fx", self.fx, {.is_required = true});
    visit("fy", self.fy, {.is_required = true});
    visit("cx", self.cx, {.is_required = true});
    visit("cy", self.cy, {.is_required = true});
    visit("distortion_model", self.distortion_model);
    visit("k1", self.k1);
    visit("k2", self.k2);
    visit("p1", self.p1);
    visit("p2", self.p2);
    visit("k3", self.k3);
    visit("k4", self.k4);
    visit("k5", self.k5);
    visit("k6", self.k6);
  }
};

struct CameraCalibration {
  std::string frame_id;
  int image_width = 0;
  int image_height = 0;
  CameraConvention camera_convention = CameraConvention::OpenCv;
  CameraIntrinsics intrinsics;
  Extrinsics extrinsics;
  double rate_hz = 12;

  bool operator==(const CameraCalibration&) const = default;
  static void fields(auto& self, auto&& visit) {
    visit("frame_id", self.frame_id, {.is_required = true});
    visit("image_width", self.image_width, {.is_required = true});
    visit("image_height", self.image_height, {.is_required = true});
    // Required: a guess here would mirror every image.
    visit("camera_convention", self.camera_convention, {.is_required = true});
    visit("intrinsics", self.intrinsics, {.is_required = true});
    visit("extrinsics", self.extrinsics, {.is_required = true});
    visit("rate_hz", self.rate_hz, {.is_required = true});
  }
};

struct LidarSpec {
  std::string model = "generic";
  // A table of rays (lidar_rays.hpp), by its path in the bundle, for a sensor that does not turn;
  // what says how it turns is not looked at then.
  std::optional<std::string> pattern;
  int channels = 0;
  double horizontal_resolution_deg = 0.2;
  std::array<double, 2> vertical_fov_deg{-25, 15};
  // Elevation of each channel where they are not evenly spread over vertical_fov; one per channel.
  std::vector<double> vertical_angles_deg;
  // m: how far above the origin of its frame each listed channel begins; absent: all begin there.
  std::optional<std::vector<double>> vertical_offsets;
  double max_range = 200;
  double min_range = 0.5;
  // The intensity of a surface that answers fully, in the numbers of the log; absent: 255.
  std::optional<double> intensity_max;
  // What most surfaces answer, in the same numbers; absent: not known.
  std::optional<double> usual_intensity;

  bool operator==(const LidarSpec&) const = default;
  static void fields(auto& self, auto&& visit) {
    visit("model", self.model);
    visit("pattern", self.pattern);
    const bool turns = !self.pattern;  // it was read just above
    visit("channels", self.channels, {.is_required = turns});
    visit("horizontal_resolution", self.horizontal_resolution_deg, {.is_required = turns});
    visit("vertical_fov", self.vertical_fov_deg, {.is_required = turns});
    visit("vertical_angles_deg", self.vertical_angles_deg);
    visit("vertical_offsets", self.vertical_offsets);
    visit("max_range", self.max_range, {.is_required = true});
    visit("min_range", self.min_range, {.is_required = true});
    visit("intensity_max", self.intensity_max);
    visit("usual_intensity", self.usual_intensity);
  }
};

struct LidarCalibration {
  std::string frame_id;
  Extrinsics extrinsics;
  LidarSpec spec;
  double rate_hz = 20;

  bool operator==(const LidarCalibration&) const = default;
  static void fields(auto& self, auto&& visit) {
    visit("frame_id", self.frame_id, {.is_required = true});
    visit("extrinsics", self.extrinsics, {.is_required = true});
    visit("spec", self.spec, {.is_required = true});
    visit("rate_hz", self.rate_hz, {.is_required = true});
  }
};

// sensors/calibration.yaml, the one truth about the sensors; keys are short ids ("front", "top").
struct Calibration {
  std::string version = "1.0.0";
  std::map<std::string, CameraCalibration> cameras;
  std::map<std::string, LidarCalibration> lidars;
  // Since 1.2.0; a world may have none of these.
  std::map<std::string, ImuCalibration> imus;
  std::map<std::string, GnssCalibration> gnss;
  std::map<std::string, WheelOdometryCalibration> wheel_odometry;

  bool operator==(const Calibration&) const = default;

  // Every section, in the order of the file: visit("cameras", cameras), ...
  static void sections(auto& self, auto&& visit) {
    visit("cameras", self.cameras);
    visit("lidars", self.lidars);
    visit("imus", self.imus);
    visit("gnss", self.gnss);
    visit("wheel_odometry", self.wheel_odometry);
  }

  static void fields(auto& self, auto&& visit) {
    visit("version", self.version, {.is_required = true});
    visit("cameras", self.cameras, {.is_required = true});
    visit("lidars", self.lidars, {.is_required = true});
    // Read where they are there, not written when empty: older worlds keep their bytes.
    const auto visitOptional = [&visit]<typename Section>(const char* name, Section& section) {
      if (!std::is_const_v<Section> || !section.empty()) visit(name, section);
    };
    visitOptional("imus", self.imus);
    visitOptional("gnss", self.gnss);
    visitOptional("wheel_odometry", self.wheel_odometry);
  }
};

// visit(section, id, sensor) for every sensor, whatever its kind.
void forEachSensor(const Calibration& calibration, auto&& visit) {
  Calibration::sections(calibration, [&visit](const char* section, const auto& sensors) {
    for (const auto& [id, sensor] : sensors) visit(section, id, sensor);
  });
}

// visit(id, frame_id, extrinsics) for every sensor that has a place on the vehicle.
void forEachMountedSensor(const Calibration& calibration, auto&& visit) {
  forEachSensor(calibration, [&visit](const char*, const std::string& id, const auto& sensor) {
    if constexpr (requires { sensor.extrinsics; }) visit(id, sensor.frame_id, sensor.extrinsics);
  });
}

}  // namespace gs

// SPDX-License-Identifier: Apache-2.0
// The rules of calibration.yaml and tf_static.json.
#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "gs/bundle/checks.hpp"

namespace gs {
namespace {

constexpr double kManyPoints = 200'000;  // of a sweep

bool isPositive(double value) { return std::isfinite(value) && value > 0; }

bool isDeviation(double value, double limit) { return value >= 0 && value <= limit; }

template <typename List>
bool allFinite(const List& values) {
  return std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
}

bool isSensorId(const std::string& id) {
  return !id.empty() && std::isalpha(static_cast<unsigned char>(id.front())) &&
         std::all_of(id.begin(), id.end(),
                     [](unsigned char c) { return std::isalnum(c) || c == '_'; });
}

// "cam_0", "camera1": a number says nothing about where the sensor sits.
bool isNumbered(const std::string& id) {
  const size_t letters = id.find_last_not_of("0123456789");
  if (letters == std::string::npos || letters + 1 == id.size()) return false;
  const std::string stem = id.substr(0, id.find_last_not_of("0123456789_") + 1);
  return stem == "cam" || stem == "camera" || stem == "lidar" || stem == "sensor";
}

void checkMount(const std::string& where, const Extrinsics& extrinsics, FileReporter& reporter) {
  if (!allFinite(extrinsics.translation))
    reporter.add("calibration.translation", where + ".extrinsics.translation", "is not finite");
  if (!isUnit(extrinsics.rotation_quat))
    reporter.add("calibration.quaternion", where + ".extrinsics.rotation_quat",
                 "is not a unit quaternion x, y, z, w");
}

// What all sensors have in common. `where` is "cameras.front".
void checkSensor(const std::string& where, const std::string& id, const auto& sensor,
                 std::set<std::string>& frames, FileReporter& reporter) {
  if (!isSensorId(id))
    reporter.add("calibration.id", where,
                 "has an id that is not letters, digits and underscores after a first letter");
  else if (isNumbered(id))
    reporter.add("calibration.id_style", where, "says no position; call it front, left, top, ...");
  if (sensor.frame_id.empty() || !frames.insert(sensor.frame_id).second)
    reporter.add("calibration.frame_id", where + ".frame_id",
                 sensor.frame_id.empty() ? "is empty" : "is the frame of another sensor too");
  if constexpr (requires { sensor.extrinsics; }) checkMount(where, sensor.extrinsics, reporter);
  if (!isPositive(sensor.rate_hz))
    reporter.add("calibration.rate", where + ".rate_hz", fmt::format("= {} Hz", sensor.rate_hz));
}

// What each kind has of its own.
void checkKind(const std::string& where, const CameraCalibration& camera, FileReporter& reporter) {
  const CameraIntrinsics& lens = camera.intrinsics;
  if (camera.image_width < 1 || camera.image_height < 1 || camera.image_width > 16384 ||
      camera.image_height > 16384)
    reporter.add("calibration.image_size", where + ".image_width",
                 fmt::format("and image_height: {} x {} is no image size", camera.image_width,
                             camera.image_height));
  if (!isPositive(lens.fx) || !isPositive(lens.fy))
    reporter.add("calibration.focal_length", where + ".intrinsics.fx",
                 fmt::format("= {}, fy = {} must be positive", lens.fx, lens.fy));
  if (!(lens.cx >= 0 && lens.cx <= camera.image_width && lens.cy >= 0 &&
        lens.cy <= camera.image_height))
    reporter.add("calibration.principal_point", where + ".intrinsics.cx",
                 fmt::format("= {}, cy = {} lies outside the image", lens.cx, lens.cy));
  const auto finite = [](const std::optional<double>& k) { return !k || std::isfinite(*k); };
  const bool is_finite = allFinite(std::array{lens.k1, lens.k2, lens.p1, lens.p2}) &&
                         finite(lens.k3) && finite(lens.k4) && finite(lens.k5) && finite(lens.k6);
  const bool is_fisheye = lens.model == CameraModel::Fisheye;
  const bool is_equidistant = lens.distortion_model == DistortionModel::Equidistant;
  if (!is_finite || is_fisheye != is_equidistant)
    reporter.add("calibration.distortion", where + ".intrinsics.distortion_model",
                 is_finite ? fmt::format("'{}' does not go with model '{}'",
                                         wordOf(lens.distortion_model), wordOf(lens.model))
                           : "has coefficients that are not finite");
}

// How a LiDAR turns.
void checkTurn(const std::string& where, const LidarSpec& spec, FileReporter& reporter) {
  const bool has_table = !spec.vertical_angles_deg.empty();
  const auto channels = static_cast<size_t>(std::max(0, spec.channels));
  if (channels < 1 || channels > 4096 || (has_table && spec.vertical_angles_deg.size() != channels))
    reporter.add("calibration.lidar_channels", where + ".channels",
                 fmt::format("= {} with {} vertical angles", spec.channels,
                             spec.vertical_angles_deg.size()));
  if (const auto& offsets = spec.vertical_offsets;
      offsets && (offsets->size() != spec.vertical_angles_deg.size() ||
                  !std::all_of(offsets->begin(), offsets->end(),
                               [](double height) { return std::abs(height) <= 10; })))
    reporter.add("calibration.lidar_channels", where + ".vertical_offsets",
                 fmt::format("has {} heights for {} vertical angles, or one above 10 m",
                             offsets->size(), spec.vertical_angles_deg.size()));
  const auto isElevation = [](double deg) { return deg >= -90 && deg <= 90; };
  if (!(isElevation(spec.vertical_fov_deg[0]) && isElevation(spec.vertical_fov_deg[1]) &&
        spec.vertical_fov_deg[0] < spec.vertical_fov_deg[1]) ||
      !std::all_of(spec.vertical_angles_deg.begin(), spec.vertical_angles_deg.end(), isElevation))
    reporter.add("calibration.lidar_fov", where + ".vertical_fov",
                 fmt::format("[{}, {}] or the listed angles are not elevations in degrees",
                             spec.vertical_fov_deg[0], spec.vertical_fov_deg[1]));
  const double step = spec.horizontal_resolution_deg;
  if (!(step > 0 && step <= 360))
    reporter.add("calibration.lidar_resolution", where + ".horizontal_resolution",
                 fmt::format("= {} degrees", step));
  else if (const double points = std::round(360.0 / step) * spec.channels; points > kManyPoints)
    reporter.add("calibration.lidar_points", where,
                 fmt::format("asks for {:.0f} points a sweep", points));
}

void checkKind(const std::string& sensor, const LidarCalibration& lidar, FileReporter& reporter) {
  const LidarSpec& spec = lidar.spec;
  const std::string where = sensor + ".spec";
  if (!spec.pattern) checkTurn(where, spec, reporter);
  if (!isPositive(spec.intensity_max.value_or(1)) || !isPositive(spec.usual_intensity.value_or(1)))
    reporter.add("calibration.lidar_intensity", where + ".intensity_max",
                 "and usual_intensity must be positive");
  if (!(spec.min_range >= 0 && spec.min_range < spec.max_range && std::isfinite(spec.max_range)))
    reporter.add("calibration.lidar_range", where + ".min_range",
                 fmt::format("= {} must be below max_range = {}", spec.min_range, spec.max_range));
}

void checkKind(const std::string& where, const ImuCalibration& imu, FileReporter& reporter) {
  const ImuSpec& spec = imu.spec;
  for (const auto& [key, value] : {std::pair("gyro_noise_density", spec.gyro_noise_density),
                                   {"gyro_random_walk", spec.gyro_random_walk},
                                   {"accel_noise_density", spec.accel_noise_density},
                                   {"accel_random_walk", spec.accel_random_walk}})
    if (!isDeviation(value, 100))
      reporter.add("calibration.imu_noise", fmt::format("{}.spec.{}", where, key),
                   fmt::format("= {}", value));
  const auto isBias = [](double value) { return std::abs(value) <= 100; };
  for (const auto& [key, bias] :
       {std::pair("gyro_bias", spec.gyro_bias), {"accel_bias", spec.accel_bias}})
    if (!std::all_of(bias.begin(), bias.end(), isBias))
      reporter.add("calibration.imu_bias", fmt::format("{}.spec.{}", where, key),
                   fmt::format("= [{}]", fmt::join(bias, ", ")));
}

void checkKind(const std::string& where, const GnssCalibration& gnss, FileReporter& reporter) {
  const GnssSpec& spec = gnss.spec;
  if (!isDeviation(spec.horizontal_std, 1e4) || !isDeviation(spec.vertical_std, 1e4))
    reporter.add(
        "calibration.gnss_noise", where + ".spec.horizontal_std",
        fmt::format("= {} m, vertical_std = {} m", spec.horizontal_std, spec.vertical_std));
  for (size_t i = 0; i < spec.outages.size(); ++i) {
    const GnssOutage& area = spec.outages[i];
    if (!allFinite(std::array{area.x_min, area.y_min, area.x_max, area.y_max}) ||
        area.x_min > area.x_max || area.y_min > area.y_max)
      reporter.add("calibration.gnss_outage", fmt::format("{}.spec.outages[{}]", where, i),
                   fmt::format("reaches from ({}, {}) to ({}, {})", area.x_min, area.y_min,
                               area.x_max, area.y_max));
  }
}

void checkKind(const std::string& where, const WheelOdometryCalibration& wheels,
               FileReporter& reporter) {
  const WheelOdometrySpec& spec = wheels.spec;
  if (!(spec.speed_scale >= 0.1 && spec.speed_scale <= 10) || !(std::abs(spec.yaw_rate_bias) <= 10))
    reporter.add(
        "calibration.wheel_odometry_drift", where + ".spec.speed_scale",
        fmt::format("= {}, yaw_rate_bias = {} rad/s", spec.speed_scale, spec.yaw_rate_bias));
  if (!isDeviation(spec.speed_noise_std, 100) || !isDeviation(spec.yaw_rate_noise_std, 100))
    reporter.add("calibration.wheel_odometry_noise", where + ".spec.speed_noise_std",
                 fmt::format("= {} m/s, yaw_rate_noise_std = {} rad/s", spec.speed_noise_std,
                             spec.yaw_rate_noise_std));
}

bool isNear(double a, double b) { return std::abs(a - b) <= 1e-6; }

// q and -q are the same rotation.
bool isSameRotation(const std::array<double, 4>& a, const StaticTransforms::Rotation& b) {
  const auto matches = [&](double sign) {
    return isNear(a[0], sign * b.x) && isNear(a[1], sign * b.y) && isNear(a[2], sign * b.z) &&
           isNear(a[3], sign * b.w);
  };
  return matches(1) || matches(-1);
}

void checkTransformOf(const std::string& frame, const Extrinsics& expected,
                      const std::string& base_link_frame, const StaticTransforms& transforms,
                      FileReporter& reporter) {
  const auto found = std::find_if(
      transforms.transforms.begin(), transforms.transforms.end(), [&](const auto& entry) {
        return entry.child_frame_id == frame && entry.header.frame_id == base_link_frame;
      });
  if (found == transforms.transforms.end()) {
    reporter.add("tf_static.missing", "transforms",
                 fmt::format("has none from {} to {}", base_link_frame, frame));
    return;
  }
  const auto& t = found->transform.translation;
  if (isNear(expected.translation[0], t.x) && isNear(expected.translation[1], t.y) &&
      isNear(expected.translation[2], t.z) &&
      isSameRotation(expected.rotation_quat, found->transform.rotation))
    return;
  const auto& q = found->transform.rotation;
  reporter.add(
      "tf_static.differs", fmt::format("transforms[{}]", found - transforms.transforms.begin()),
      fmt::format("{} -> {} is ({}, {}, {}), ({}, {}, {}, {}); calibration.yaml says "
                  "({}), ({}) and is right",
                  base_link_frame, frame, t.x, t.y, t.z, q.x, q.y, q.z, q.w,
                  fmt::join(expected.translation, ", "), fmt::join(expected.rotation_quat, ", ")));
}

}  // namespace

void checkCalibration(const Calibration& calibration, FileReporter& reporter) {
  checkVersion(calibration.version, reporter);
  if (calibration.cameras.empty() || calibration.lidars.empty())
    reporter.add("calibration.sensors", calibration.cameras.empty() ? "cameras" : "lidars",
                 "is empty");
  std::set<std::string> frames;
  forEachSensor(calibration, [&](const char* section, const std::string& id, const auto& sensor) {
    const std::string where = fmt::format("{}.{}", section, id);
    checkSensor(where, id, sensor, frames, reporter);
    checkKind(where, sensor, reporter);
  });
}

void checkGnssOrigin(const Calibration& calibration, const Metadata::CoordinateSystem& system,
                     FileReporter& reporter) {
  if (!calibration.gnss.empty() && !system.origin_lat)
    reporter.add("calibration.gnss_origin", "gnss",
                 "cannot locate anything: metadata.json has no origin_lat, origin_lon, origin_alt");
}

void checkLidarRays(const LidarRayTable& table, double rate_hz, FileReporter& reporter) {
  if (!table.rows.empty() && isPositive(rate_hz) && !(table.rows.back().time_sec * rate_hz < 1))
    reporter.add("lidar_rays.time",
                 fmt::format("the last ray leaves after {} s, a sweep at {} Hz lasts {} s",
                             table.rows.back().time_sec, rate_hz, 1 / rate_hz));
  if (static_cast<double>(table.rows.size()) > kManyPoints)
    reporter.add("calibration.lidar_points",
                 fmt::format("asks for {} points a sweep", table.rows.size()));
}

void checkStaticTransforms(const StaticTransforms& transforms, FileReporter& reporter) {
  checkVersion(transforms.version, reporter);
  std::set<std::string> children;
  for (size_t i = 0; i < transforms.transforms.size(); ++i) {
    const auto& entry = transforms.transforms[i];
    const std::string where = fmt::format("transforms[{}]", i);
    if (!children.insert(entry.child_frame_id).second)
      reporter.add("tf_static.duplicate", where + ".child_frame_id",
                   fmt::format("'{}' stands twice", entry.child_frame_id));
    const auto& q = entry.transform.rotation;  // JSON cannot say infinity: no such check is needed
    if (!isUnit({q.x, q.y, q.z, q.w}))
      reporter.add("tf_static.quaternion", where + ".transform.rotation",
                   "is not a unit quaternion");
  }
}

void checkTransformsMatch(const Calibration& calibration, const std::string& base_link_frame,
                          const StaticTransforms& transforms, FileReporter& reporter) {
  forEachMountedSensor(
      calibration, [&](const std::string&, const std::string& frame, const Extrinsics& expected) {
        checkTransformOf(frame, expected, base_link_frame, transforms, reporter);
      });
}

void checkSensorLists(const Metadata& metadata, const Calibration& calibration,
                      FileReporter& reporter) {
  const auto compare = [&](const char* key, std::vector<std::string> listed, const auto& actual) {
    std::vector<std::string> ids;
    for (const auto& [id, sensor] : actual) ids.push_back(id);
    std::sort(listed.begin(), listed.end());
    if (listed != ids)
      reporter.add("metadata.sensors", fmt::format("sensors.{}", key),
                   fmt::format("lists [{}], calibration.yaml has [{}]", fmt::join(listed, ", "),
                               fmt::join(ids, ", ")));
  };
  compare("cameras", metadata.sensors.cameras, calibration.cameras);
  compare("lidars", metadata.sensors.lidars, calibration.lidars);
}

void checkRates(const Timebase& timebase, const Calibration& calibration, FileReporter& reporter) {
  const auto compare = [&](const char* key, double rate, const auto& sensors) {
    const bool is_known =
        sensors.empty() || std::any_of(sensors.begin(), sensors.end(), [&](const auto& sensor) {
          return isNear(sensor.second.rate_hz, rate);
        });
    if (!is_known)
      reporter.add("timebase.rates_differ", fmt::format("sensor_rates.{}", key),
                   fmt::format("= {} Hz is the rate of no sensor in calibration.yaml", rate));
  };
  compare("camera", timebase.sensor_rates.camera, calibration.cameras);
  compare("lidar", timebase.sensor_rates.lidar, calibration.lidars);
  forEachSensor(calibration, [&](const char*, const std::string& id, const auto& sensor) {
    if (sensor.rate_hz * timebase.simulation.dt > 1 + 1e-9)
      reporter.add("calibration.rate_step", "simulation.dt",
                   fmt::format("= {} s is too long for {} at {} Hz", timebase.simulation.dt, id,
                               sensor.rate_hz));
  });
}

}  // namespace gs

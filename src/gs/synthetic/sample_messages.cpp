// SPDX-License-Identifier: Apache-2.0
#include "gs/synthetic/sample_messages.hpp"

#include <cmath>
#include <cstring>
#include <numbers>

namespace gs {
namespace {

constexpr double kGravity = 9.80665;

msgs::Vector3 vectorFor(const Vec3& v) { return {v.x(), v.y(), v.z()}; }

msgs::Quaternion quaternionFor(const Quat& q) { return {q.x(), q.y(), q.z(), q.w()}; }

template <size_t N>
std::array<double, N * N> diagonal(const std::array<double, N>& values) {
  std::array<double, N * N> matrix{};
  for (size_t i = 0; i < N; ++i) matrix[i * N + i] = values[i];
  return matrix;
}

std::vector<double> distortionFor(const CameraIntrinsics& lens) {
  const auto k = [](const std::optional<double>& value) { return value.value_or(0.0); };
  switch (lens.distortion_model) {
    case DistortionModel::Equidistant: return {lens.k1, lens.k2, k(lens.k3), k(lens.k4)};
    case DistortionModel::Rational:
      return {lens.k1, lens.k2, lens.p1, lens.p2, k(lens.k3), k(lens.k4), k(lens.k5), k(lens.k6)};
    case DistortionModel::RadTan: break;
  }
  return {lens.k1, lens.k2, lens.p1, lens.p2, k(lens.k3)};
}

const char* distortionNameFor(DistortionModel model) {
  switch (model) {
    case DistortionModel::Equidistant: return "equidistant";
    case DistortionModel::Rational: return "rational_polynomial";
    case DistortionModel::RadTan: break;
  }
  return "plumb_bob";
}

template <typename T>
void put(uint8_t* at, const T& value) {
  std::memcpy(at, &value, sizeof value);
}

}  // namespace

msgs::Header headerFor(Stamp stamp, std::string frame_id) {
  const SecNanosec time = toSecNanosec(stamp);
  return {.stamp = {time.sec, time.nanosec}, .frame_id = std::move(frame_id)};
}

msgs::TransformStamped transformFor(Stamp stamp, const std::string& parent,
                                    const std::string& child, const Rigid3& parent_from_child) {
  return {.header = headerFor(stamp, parent),
          .child_frame_id = child,
          .transform = {.translation = vectorFor(parent_from_child.translation),
                        .rotation = quaternionFor(parent_from_child.rotation)}};
}

msgs::TFMessage staticTransformsFor(Stamp stamp, const Calibration& rig,
                                    const std::string& bracket) {
  msgs::TFMessage message;
  const auto add = [&](const std::string& frame, const Rigid3& base_from_sensor) {
    message.transforms.push_back(transformFor(stamp, "base_link", frame, base_from_sensor));
  };
  for (const auto& [id, camera] : rig.cameras)
    add(camera.frame_id, camera.extrinsics.baseFromSensor());
  for (const auto& [id, lidar] : rig.lidars) add(lidar.frame_id, lidar.extrinsics.baseFromSensor());
  const Rigid3 base_from_bracket{fromRollPitchYaw(0.1, -0.2, 0.3), Vec3(0.2, -0.1, 0.4)};
  const auto addHanging = [&](const auto& sensor) {
    const Rigid3 base_from_sensor = sensor.extrinsics.baseFromSensor();
    if (bracket.empty()) return add(sensor.frame_id, base_from_sensor);
    message.transforms.push_back(transformFor(stamp, bracket, sensor.frame_id,
                                              base_from_bracket.inverse() * base_from_sensor));
  };
  if (!bracket.empty()) add(bracket, base_from_bracket);
  for (const auto& [id, imu] : rig.imus) addHanging(imu);
  for (const auto& [id, gnss] : rig.gnss) addHanging(gnss);
  if (rig.imus.empty()) add("imu_link", Rigid3{});
  if (rig.gnss.empty()) add("gnss_link", Rigid3{});
  return message;
}

msgs::CameraInfo cameraInfoFor(Stamp stamp, const CameraCalibration& camera) {
  const CameraIntrinsics& lens = camera.intrinsics;
  msgs::CameraInfo info;
  info.header = headerFor(stamp, camera.frame_id);
  info.height = static_cast<uint32_t>(camera.image_height);
  info.width = static_cast<uint32_t>(camera.image_width);
  info.distortion_model = distortionNameFor(lens.distortion_model);
  info.d = distortionFor(lens);
  info.k = {lens.fx, 0, lens.cx, 0, lens.fy, lens.cy, 0, 0, 1};
  info.r = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  info.p = {lens.fx, 0, lens.cx, 0, 0, lens.fy, lens.cy, 0, 0, 0, 1, 0};
  return info;
}

msgs::CompressedImage jpegImageFor(Stamp stamp, const std::string& frame_id, Bytes jpeg) {
  return {
      .header = headerFor(stamp, frame_id),
      .format = "jpeg",
      .data = std::vector<uint8_t>(reinterpret_cast<const uint8_t*>(jpeg.data()),
                                   reinterpret_cast<const uint8_t*>(jpeg.data()) + jpeg.size())};
}

msgs::PointCloud2 pointCloudFor(Stamp stamp, const std::string& frame_id,
                                const std::vector<LidarReturn>& returns,
                                const CloudTraits& traits) {
  using Field = msgs::PointField;
  msgs::PointCloud2 cloud;
  cloud.header = headerFor(stamp, frame_id);
  cloud.height = 1;
  cloud.width = static_cast<uint32_t>(returns.size());
  cloud.point_fields = {{"x", 0, Field::kFloat32, 1},
                        {"y", 4, Field::kFloat32, 1},
                        {"z", 8, Field::kFloat32, 1},
                        {"intensity", 12, Field::kFloat32, 1}};
  uint32_t step = 16;
  const auto append = [&](const char* name, uint8_t type) {
    cloud.point_fields.push_back({name, step, type, 1});
    step += 4;  // two bytes of padding behind `ring` keep `time` aligned
    return step - 4;
  };
  const uint32_t ring_at = traits.has_ring ? append("ring", Field::kUint16) : 0;
  const uint32_t time_at = traits.has_time ? append("time", Field::kFloat32) : 0;
  cloud.point_step = step;
  cloud.row_step = step * cloud.width;
  cloud.is_dense = true;
  cloud.data.resize(cloud.row_step);
  for (size_t i = 0; i < returns.size(); ++i) {
    uint8_t* at = cloud.data.data() + step * i;
    const LidarReturn& point = returns[i];
    put(at, point.x);
    put(at + 4, point.y);
    put(at + 8, point.z);
    put(at + 12, point.intensity);
    if (traits.has_ring) put(at + ring_at, point.ring);
    if (traits.has_time) put(at + time_at, point.time);
  }
  return cloud;
}

msgs::Odometry odometryFor(Stamp stamp, const std::string& frame_id, const Rigid3& frame_from_base,
                           const DriveMotion::Derivatives& motion) {
  msgs::Odometry odometry;
  odometry.header = headerFor(stamp, frame_id);
  odometry.child_frame_id = "base_link";
  const Vec3& p = frame_from_base.translation;
  odometry.pose.pose = {{p.x(), p.y(), p.z()}, quaternionFor(frame_from_base.rotation)};
  odometry.pose.covariance = diagonal<6>({1e-4, 1e-4, 1e-4, 1e-6, 1e-6, 1e-6});
  odometry.twist.twist = {vectorFor(motion.linear), vectorFor(motion.angular)};
  odometry.twist.covariance = odometry.pose.covariance;
  return odometry;
}

msgs::Imu imuFor(Stamp stamp, const Rigid3& map_from_base, const DriveMotion::Derivatives& motion) {
  msgs::Imu imu;
  imu.header = headerFor(stamp, "imu_link");
  imu.orientation = quaternionFor(map_from_base.rotation);
  imu.orientation_covariance = diagonal<3>({1e-6, 1e-6, 1e-6});
  imu.angular_velocity = vectorFor(motion.angular);
  imu.angular_velocity_covariance = diagonal<3>({1e-6, 1e-6, 1e-6});
  const Vec3 up_in_base = map_from_base.rotation.conjugate() * Vec3::UnitZ();
  imu.linear_acceleration = vectorFor(motion.acceleration + kGravity * up_in_base);
  imu.linear_acceleration_covariance = diagonal<3>({1e-4, 1e-4, 1e-4});
  return imu;
}

msgs::NavSatFix navSatFixFor(Stamp stamp, const Vec3& p_in_map) {
  // The WGS 84 ellipsoid's radii at the origin: over a few hundred metres a plane is exact to mm.
  constexpr double kSemiMajor = 6378137.0, kEccentricity2 = 6.69437999014e-3;
  const double latitude = kSampleOrigin.latitude * std::numbers::pi / 180;
  const double w2 = 1 - kEccentricity2 * std::sin(latitude) * std::sin(latitude);
  const double meridian = kSemiMajor * (1 - kEccentricity2) / (w2 * std::sqrt(w2));
  const double normal = kSemiMajor / std::sqrt(w2);
  constexpr double kDegrees = 180 / std::numbers::pi;
  msgs::NavSatFix fix;
  fix.header = headerFor(stamp, "gnss_link");
  fix.status.service = msgs::NavSatStatus::kServiceGps;
  fix.latitude = kSampleOrigin.latitude + p_in_map.y() / meridian * kDegrees;
  fix.longitude = kSampleOrigin.longitude + p_in_map.x() / (normal * std::cos(latitude)) * kDegrees;
  fix.altitude = kSampleOrigin.altitude + p_in_map.z();
  fix.position_covariance = diagonal<3>({1e-4, 1e-4, 4e-4});
  fix.position_covariance_type = msgs::NavSatFix::kCovarianceTypeDiagonalKnown;
  return fix;
}

}  // namespace gs

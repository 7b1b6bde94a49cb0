// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "gs/bundle/calibration.hpp"
#include "gs/core/bytes.hpp"
#include "gs/core/time.hpp"
#include "gs/msgs/nav_msgs.hpp"
#include "gs/msgs/sensor_msgs.hpp"
#include "gs/msgs/tf2_msgs.hpp"
#include "gs/synthetic/drive_motion.hpp"
#include "gs/synthetic/drive_options.hpp"
#include "gs/synthetic/lidar_sweep.hpp"

// Our values as the ROS messages a car would log. Pure functions: no clock, no state.
namespace gs {

msgs::Header headerFor(Stamp stamp, std::string frame_id);
msgs::TransformStamped transformFor(Stamp stamp, const std::string& parent,
                                    const std::string& child, const Rigid3& parent_from_child);
// base_link -> every sensor; IMUs and antennas over `bracket`, if it has a name. A rig without them
// has imu_link and gnss_link at base_link.
msgs::TFMessage staticTransformsFor(Stamp stamp, const Calibration& rig,
                                    const std::string& bracket = {});
msgs::CameraInfo cameraInfoFor(Stamp stamp, const CameraCalibration& camera);
msgs::CompressedImage jpegImageFor(Stamp stamp, const std::string& frame_id, Bytes jpeg);
// x y z intensity float32; as the traits say ring uint16, time float32 (s since the stamp).
msgs::PointCloud2 pointCloudFor(Stamp stamp, const std::string& frame_id,
                                const std::vector<LidarReturn>& returns,
                                const CloudTraits& traits = {});
msgs::Odometry odometryFor(Stamp stamp, const std::string& frame_id, const Rigid3& frame_from_base,
                           const DriveMotion::Derivatives& motion);
// At base_link: what an IMU feels is the acceleration minus gravity.
msgs::Imu imuFor(Stamp stamp, const Rigid3& map_from_base, const DriveMotion::Derivatives& motion);
msgs::NavSatFix navSatFixFor(Stamp stamp, const Vec3& p_in_map);

// Where the map's origin lies: degrees, degrees, metres.
struct GeoOrigin {
  double latitude = 35.681236, longitude = 139.767125, altitude = 40.0;
};
constexpr GeoOrigin kSampleOrigin{};

}  // namespace gs

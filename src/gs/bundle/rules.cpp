// SPDX-License-Identifier: Apache-2.0
#include "gs/bundle/rules.hpp"

#include <array>

#include "gs/core/check.hpp"

namespace gs {
namespace {

constexpr Severity kError = Severity::Error;
constexpr Severity kWarning = Severity::Warning;

// Grouped by file, in the order in which validate looks at them.
constexpr auto kRules = std::to_array<Rule>({
    // paths and files
    {"path.relative", kError,
     "Paths in world.yaml are relative; absolute ones break a moved bundle."},
    {"path.slashes", kError, "Paths in world.yaml use forward slashes and are not empty."},
    {"path.inside", kError, "Paths stay inside the bundle, also after following symbolic links."},
    {"file.missing", kError, "Every required file that world.yaml names exists."},
    {"file.unreadable", kError, "Every file can be read and has a sane size."},
    {"file.missing_optional", kWarning, "An optional file that world.yaml names exists."},
    {"file.name", kWarning, "File names are lower case with underscores and have an extension."},
    {"bundle.size", kWarning, "A bundle holds at most 2 GB."},
    // all YAML and JSON files
    {"document.syntax", kError, "YAML and JSON files can be parsed."},
    {"document.duplicate_key", kError, "A key stands at most once in a map."},
    {"document.missing_key", kError, "Required keys are there."},
    {"document.wrong_type", kError, "Values have the type and the words of the schema."},
    {"document.unknown_key", kWarning, "Keys are known; a newer version may have added them."},
    {"version.format", kError, "`version` reads MAJOR.MINOR.PATCH."},
    {"version.unsupported", kError, "The major version is one this program reads."},
    {"version.newer", kWarning, "The minor version is not newer than this program."},
    // world.yaml, metadata.json
    {"world.scene_id", kError, "The scene has an id."},
    {"metadata.scene_id", kWarning, "metadata.json names the same scene as world.yaml."},
    {"metadata.created_at", kWarning, "created_at is an ISO 8601 time."},
    {"metadata.source", kWarning,
     "Source size and duration are not negative; md5 is 32 hex digits."},
    {"metadata.frames", kError, "The map, odom and base_link frames have three different names."},
    {"metadata.convention", kWarning, "The convention is 'ROS2 REP-103 (FLU)'."},
    {"metadata.origin_set", kError,
     "origin_lat, origin_lon and origin_alt stand together or not at all; origin_yaw with them."},
    {"metadata.origin_range", kError,
     "The origin lies on Earth: |lat| <= 90, |lon| <= 180, |yaw| <= 2 pi."},
    {"metadata.extent", kError, "The spatial extent is finite and min < max on every axis."},
    {"metadata.units", kError, "The extent is in meters."},
    {"metadata.sensors", kError,
     "metadata.json lists exactly the cameras and LiDARs of calibration.yaml."},
    // gaussians/
    {"render_config.format", kError, "gaussian_format is 'splat_ply'."},
    {"render_config.sh_degree", kError, "sh_degree is 0, 1, 2 or 3."},
    {"render_config.color", kError, "White balance and gamma are positive, exposure is finite."},
    {"render_config.background", kError, "background_color is within 0 and 1."},
    {"render_config.planes", kError, "0 < near_plane < far_plane."},
    {"gaussians.header", kError, "The PLY header can be read."},
    {"gaussians.format", kError,
     "The PLY is binary_little_endian; other formats are imported first."},
    {"gaussians.property_missing", kError, "The PLY has every required property, as float."},
    {"gaussians.sh_count", kError, "The number of f_rest_* is that of render_config's sh_degree."},
    {"gaussians.truncated", kError, "The PLY holds as many splats as its header promises."},
    {"gaussians.trailing_bytes", kWarning, "Nothing follows the last splat."},
    {"gaussians.property_order", kWarning, "Properties stand in the order of the conventions."},
    {"gaussians.non_finite", kError, "No value of a splat is NaN or infinite."},
    {"gaussians.quaternion", kError, "Rotations are unit quaternions to 1e-6."},
    {"gaussians.empty", kError, "There is at least one splat."},
    {"gaussians.count", kWarning, "There are 100 to 5,000,000 splats."},
    {"sky.invalid", kError, "The sky is a readable PNG."},
    {"sky.shape", kError, "The sky is equirectangular: twice as wide as high, in colour."},
    // geometry/
    {"heightmap.dimensions", kError, "width and height are positive and at most 32768."},
    {"heightmap.resolution", kError, "The resolution is positive and finite."},
    {"heightmap.origin", kError, "The origin is finite."},
    {"heightmap.origin_z", kWarning,
     "origin.z is 0: samples are heights in the map frame already."},
    {"heightmap.size", kError, "heightmap.bin holds exactly width * height float32 values."},
    {"heightmap.infinite", kError, "Samples are finite, or NaN where there is no ground."},
    {"heightmap.no_ground", kError, "At least one sample is not NaN."},
    {"heightmap.range", kError, "min_height <= every sample <= max_height."},
    {"heightmap.large", kWarning, "At most 4096 x 4096 samples."},
    {"drivable.collection", kError, "drivable.geojson is a GeoJSON FeatureCollection."},
    {"drivable.geometry", kError, "Features are Polygons or MultiPolygons."},
    {"drivable.ring", kError, "Rings are closed, have four finite positions or more."},
    {"drivable.type", kError, "Every feature has properties.type 'drivable'."},
    {"drivable.priority", kError, "priority is a whole number."},
    {"drivable.speed_limit", kWarning,
     "speed_limit is a positive number; speed_limit_unit is m/s (the default) or km/h."},
    {"drivable.orientation", kWarning, "Outer rings run counter-clockwise, holes clockwise."},
    {"drivable.invalid", kError, "Polygons do not cross themselves; holes lie inside."},
    {"drivable.crs", kWarning, "The coordinate system is named map_frame."},
    {"drivable.empty", kWarning,
     "There is a drivable feature; otherwise everything is off the road."},
    {"mesh.invalid", kError, "The static mesh is a readable binary glTF 2.0 of triangles."},
    {"mesh.empty", kWarning, "The static mesh has triangles."},
    {"mesh.large", kWarning, "At most 10,000,000 triangles."},
    // sensors/
    {"calibration.sensors", kWarning, "There is at least one camera and one LiDAR."},
    {"calibration.id", kError,
     "Sensor ids are letters, digits and underscores, starting with a letter."},
    {"calibration.id_style", kWarning,
     "Sensor ids name a position ('front'), not a number ('cam_0')."},
    {"calibration.frame_id", kError, "Every sensor has a frame of its own."},
    {"calibration.image_size", kError, "Images are 1 to 16384 pixels wide and high."},
    {"calibration.focal_length", kError, "fx and fy are positive and finite."},
    {"calibration.principal_point", kWarning, "The principal point lies in the image."},
    {"calibration.distortion", kError,
     "Distortion is finite; fisheye uses equidistant, pinhole does not."},
    {"calibration.rate", kError, "rate_hz is positive and finite."},
    {"calibration.rate_step", kWarning, "No sensor is faster than the simulation step."},
    {"calibration.translation", kError, "Sensor positions are finite."},
    {"calibration.quaternion", kError, "Sensor rotations are unit quaternions to 1e-6."},
    {"calibration.lidar_channels", kError,
     "A LiDAR has 1 to 4096 channels, one angle and height each where listed."},
    {"calibration.lidar_resolution", kError,
     "horizontal_resolution is above 0 and at most 360 degrees."},
    {"calibration.lidar_fov", kError, "-90 <= vertical_fov[0] < vertical_fov[1] <= 90 degrees."},
    {"calibration.lidar_range", kError, "0 <= min_range < max_range."},
    {"calibration.lidar_intensity", kError, "intensity_max and usual_intensity are positive."},
    {"calibration.lidar_points", kWarning, "A sweep has at most 200,000 points."},
    {"calibration.imu_noise", kError, "Noise and random walk of an IMU are 0 to 100."},
    {"calibration.imu_bias", kError, "Biases of an IMU are within -100 and 100."},
    {"calibration.gnss_noise", kError, "Deviations of a GNSS receiver are 0 to 10,000 m."},
    {"calibration.gnss_outage", kError,
     "An outage of GNSS is a rectangle of the map: finite, min <= max."},
    {"calibration.gnss_origin", kError,
     "A world with GNSS says in metadata.json where the map's origin lies on Earth."},
    {"calibration.wheel_odometry_drift", kError,
     "speed_scale is 0.1 to 10, yaw_rate_bias within -10 and 10 rad/s."},
    {"calibration.wheel_odometry_noise", kError, "Deviations of wheel odometry are 0 to 100."},
    {"lidar_rays.format", kError,
     "A LiDAR's table of rays has the columns azimuth_deg, elevation_deg, time_sec, ring."},
    {"lidar_rays.range", kError,
     "Rays have azimuths within 360 degrees, elevations within 90, rings below 65536."},
    {"lidar_rays.time", kError,
     "Rays stand in the order of time, and the last one leaves before the sweep ends."},
    {"lidar_rays.count", kError, "A table of rays has 1 to 16777216 of them."},
    {"tf_static.missing", kError,
     "Every mounted sensor has its transform from base_link in tf_static.json."},
    {"tf_static.differs", kError, "tf_static.json equals calibration.yaml to 1e-6."},
    {"tf_static.duplicate", kError, "A frame has one parent: no child_frame_id stands twice."},
    {"tf_static.quaternion", kError, "Rotations are unit quaternions to 1e-6."},
    // sim/
    {"timebase.dt", kError, "dt is between 0.1 ms and 1 s."},
    {"timebase.start_time", kError, "start_time is finite, not negative, and fits nanoseconds."},
    {"timebase.rates", kError, "sensor_rates are positive and finite."},
    {"timebase.rates_differ", kWarning, "sensor_rates appear among the rates of calibration.yaml."},
    {"timebase.pose", kError, "The initial position and velocity are finite."},
    {"timebase.quaternion", kError, "The initial orientation is a unit quaternion to 1e-6."},
    {"timebase.base_link", kError,
     "base_link is -0.5 to 4 m above the ground and tilted by at most 15 degrees."},
    // files against each other
    {"start.off_map", kWarning, "The ego starts on known ground."},
    {"start.offroad", kWarning, "The ego starts inside the drivable area."},
    {"drivable.off_map", kWarning, "The drivable area lies on the heightmap."},
});

}  // namespace

std::span<const Rule> allRules() { return kRules; }

const Rule& ruleAt(std::string_view id) {
  for (const Rule& rule : kRules)
    if (rule.id == id) return rule;
  GS_CHECK(id == "one of rules.cpp");
  return kRules[0];
}

}  // namespace gs

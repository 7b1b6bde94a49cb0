// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gs/bundle/base_link_above_ground.hpp"
#include "gs/bundle/calibration.hpp"
#include "gs/core/document.hpp"
#include "gs/core/fields.hpp"

namespace gs_builder {

// How raw (uncompressed) camera images are stored; JPEG in the log is always kept byte for byte.
enum class ImageFormat { Png, Jpg };
constexpr auto enumWords(std::type_identity<ImageFormat>) {
  return std::to_array<gs::EnumWord<ImageFormat>>(
      {{ImageFormat::Png, "png"}, {ImageFormat::Jpg, "jpg"}});
}

// How the points of a moving LiDAR are brought to one moment. Auto: by the time of each point where
// the cloud has one; otherwise by azimuth, if that makes the drive's walls sharper than leaving
// them alone (some logs are compensated already).
enum class MotionCompensation { Auto, PointTime, Off };
constexpr auto enumWords(std::type_identity<MotionCompensation>) {
  return std::to_array<gs::EnumWord<MotionCompensation>>({{MotionCompensation::Auto, "auto"},
                                                          {MotionCompensation::PointTime, "time"},
                                                          {MotionCompensation::Off, "off"}});
}

// config.yaml: which log, which topics, which stages. Defaults live here and nowhere else; the
// comment of a field is the one that people find in the file. Everything but `version` may be
// absent: sensors that are not named are found in the log by message type.
struct PipelineConfig {
  struct Input {
    std::optional<std::string> mcap_file;
    std::optional<std::string> extrinsics_file;

    static void fields(auto& self, auto&& visit) {
      visit("mcap_file", self.mcap_file,
            {.comment = "drive log; --input wins. Relative to this file",
             .example = "\"drive.mcap\""});
      visit("extrinsics_file", self.extrinsics_file,
            {.comment = "mounts that the log lacks; --extrinsics wins",
             .example = "\"mounts.yaml\""});
    }
  };

  struct Output {
    std::optional<std::string> world_bundle_dir;
    std::optional<std::string> scene_id;

    static void fields(auto& self, auto&& visit) {
      visit("world_bundle_dir", self.world_bundle_dir,
            {.comment = "bundle folder; --output wins. Relative to this file",
             .example = "\"worlds/my_scene\""});
      visit("scene_id", self.scene_id,
            {.comment = "absent: the name of the bundle folder", .example = "\"my_scene\""});
    }
  };

  struct Topics {
    std::map<std::string, std::string> cameras;
    std::map<std::string, std::string> camera_infos;
    std::map<std::string, std::string> lidars;
    std::map<std::string, std::string> imus;
    std::map<std::string, std::string> gnss;
    std::map<std::string, std::string> wheel_odometry;
    std::optional<std::string> odom;
    std::string tf = "/tf";
    std::string tf_static = "/tf_static";

    static void fields(auto& self, auto&& visit) {
      visit("cameras", self.cameras,
            {.comment = "id: image topic", .example = "{front: /camera/front/image_raw}"});
      visit(
          "camera_infos", self.camera_infos,
          {.comment = "absent: beside the image", .example = "{front: /camera/front/camera_info}"});
      visit("lidars", self.lidars,
            {.comment = "id: point cloud topic", .example = "{top: /lidar/top/points}"});
      visit("imus", self.imus, {.comment = "id: Imu topic", .example = "{main: /imu/data}"});
      visit("gnss", self.gnss, {.comment = "id: NavSatFix topic", .example = "{main: /gnss/fix}"});
      visit("wheel_odometry", self.wheel_odometry,
            {.comment = "id: topic with speeds (Twist, VelocityReport)",
             .example = "{main: /vehicle/twist}"});
      visit("odom", self.odom,
            {.comment = "ego pose; absent: found by type, else from TF", .example = "/odom"});
      visit("tf", self.tf, {.comment = "moving transforms"});
      visit("tf_static", self.tf_static, {.comment = "fixed transforms"});
    }
  };

  struct Frames {
    std::string map = "map";
    std::string odom = "odom";
    std::string base_link = "base_link";
    std::map<std::string, std::string> cameras;
    std::map<std::string, std::string> lidars;
    std::map<std::string, std::string> imus;
    std::map<std::string, std::string> gnss;

    static void fields(auto& self, auto&& visit) {
      visit("map", self.map, {.comment = "world, ENU"});
      visit("odom", self.odom, {.comment = "odometry"});
      visit("base_link", self.base_link, {.comment = "vehicle, FLU"});
      visit("cameras", self.cameras,
            {.comment = "id: frame; absent: the frame_id of its messages",
             .example = "{front: camera_front}"});
      visit("lidars", self.lidars,
            {.comment = "id: frame; absent: the frame_id of its messages",
             .example = "{top: lidar_top}"});
      visit("imus", self.imus,
            {.comment = "id: frame; absent: the frame_id of its messages",
             .example = "{main: imu_link}",
             .is_expert = true});
      visit("gnss", self.gnss,
            {.comment = "id: frame of the antenna; absent: the frame_id of its messages",
             .example = "{main: gnss_link}",
             .is_expert = true});
    }
  };

  struct TimeRange {
    double start_sec = 0.0;
    std::optional<double> duration_sec;

    static void fields(auto& self, auto&& visit) {
      visit("start_sec", self.start_sec, {.comment = "s after the first message"});
      visit("duration_sec", self.duration_sec,
            {.comment = "s; absent: to the end of the log", .example = "60.0"});
    }
  };

  struct Origin {
    std::optional<double> latitude;
    std::optional<double> longitude;
    std::optional<double> altitude;
    std::optional<double> yaw;

    static void fields(auto& self, auto&& visit) {
      visit("latitude", self.latitude, {.comment = "degrees north", .example = "35.681236"});
      visit("longitude", self.longitude, {.comment = "degrees east", .example = "139.767125"});
      visit("altitude", self.altitude, {.comment = "m", .example = "40.0"});
      visit("yaw", self.yaw,
            {.comment = "rad, of the map's x axis from east to the left; absent: 0",
             .example = "0.1",
             .is_expert = true});
    }
  };

  struct Ingest {
    ImageFormat image_format = ImageFormat::Png;
    int jpeg_quality = 95;
    std::optional<double> camera_rate_hz;
    std::optional<double> lidar_rate_hz;
    MotionCompensation motion_compensation = MotionCompensation::Auto;
    bool follow_ground = true;
    bool motion_sensors = true;
    std::optional<gs::BaseLinkAboveGround> base_link_above_ground;

    static void fields(auto& self, auto&& visit) {
      visit("image_format", self.image_format, {.comment = "raw camera images are stored as"});
      visit("jpeg_quality", self.jpeg_quality,
            {.comment = "1..100, when image_format is jpg", .is_expert = true});
      visit("camera_rate_hz", self.camera_rate_hz,
            {.comment = "Hz, of cameras in the simulator; absent: as recorded",
             .example = "12.0",
             .is_expert = true});
      visit("lidar_rate_hz", self.lidar_rate_hz,
            {.comment = "Hz, of LiDARs in the simulator; absent: as recorded",
             .example = "20.0",
             .is_expert = true});
      visit("motion_compensation", self.motion_compensation,
            {.comment = "of LiDAR points", .is_expert = true});
      visit("follow_ground", self.follow_ground,
            {.comment = "poses without height get it from the ground", .is_expert = true});
      visit("motion_sensors", self.motion_sensors,
            {.comment = "put IMU, GNSS and wheel odometry of the log into the world",
             .is_expert = true});
      visit("base_link_above_ground", self.base_link_above_ground,
            {.comment = "absent: measured",
             .example = "{height: 0.95, pitch: 0.0, roll: 0.0}",
             .is_expert = true});
    }
  };

  // The log must be at least this good; what is between a gate and what a good world wants is a
  // warning in the build report.
  struct Quality {
    static constexpr double kGoodRateHz = 10.0;
    static constexpr double kGoodDurationSec = 30.0;

    double min_rate_hz = 8.0;
    double min_duration_sec = 10.0;
    double max_sync_offset_sec = 0.05;
    double max_pose_wander_m = 1.0;

    static void fields(auto& self, auto&& visit) {
      visit("min_rate_hz", self.min_rate_hz, {.comment = "Hz, of every camera and LiDAR"});
      visit("min_duration_sec", self.min_duration_sec, {.comment = "s recorded"});
      visit("max_sync_offset_sec", self.max_sync_offset_sec,
            {.comment = "s between sensors of one frame"});
      visit("max_pose_wander_m", self.max_pose_wander_m,
            {.comment = "m that ego poses may leave what the LiDAR saw"});
    }
  };

  struct Pipeline {
    bool enable_mcap_ingest = true;
    bool enable_calibration_builder = true;
    bool enable_drivesim_converter = true;
    bool enable_gs_training = true;
    bool enable_gs_export = true;
    bool enable_geometry_builder = true;
    bool enable_world_bundle_packer = true;
    bool enable_validation = true;
    bool enable_twin_report = true;

    static void fields(auto& self, auto&& visit) {
      visit("enable_mcap_ingest", self.enable_mcap_ingest, {.comment = "unpack the log"});
      visit("enable_calibration_builder", self.enable_calibration_builder,
            {.comment = "intrinsics and sensor poses"});
      visit("enable_drivesim_converter", self.enable_drivesim_converter,
            {.comment = "images and poses for the trainer"});
      visit("enable_gs_training", self.enable_gs_training, {.comment = "train the Gaussians"});
      visit("enable_gs_export", self.enable_gs_export,
            {.comment = "Gaussians as the simulator reads them"});
      visit("enable_geometry_builder", self.enable_geometry_builder,
            {.comment = "ground, drivable area, mesh"});
      visit("enable_world_bundle_packer", self.enable_world_bundle_packer,
            {.comment = "put the bundle together"});
      visit("enable_validation", self.enable_validation, {.comment = "check the finished bundle"});
      visit("enable_twin_report", self.enable_twin_report,
            {.comment = "measure the world, write twin_report.html"});
    }
  };

  std::string version = "1.0.0";
  Input input;
  Output output;
  Topics topics;
  Frames frames;
  TimeRange time_range;
  Origin origin;
  Ingest ingest;
  std::map<std::string, gs::LidarSpec> lidar_specs;
  Quality quality;
  Pipeline pipeline;

  static void fields(auto& self, auto&& visit) {
    visit("version", self.version,
          {.is_required = true, .comment = "required: of this file's format"});
    visit("input", self.input, {.comment = "what is read"});
    visit("output", self.output, {.comment = "what is made"});
    visit("topics", self.topics, {.comment = "absent sensors are found in the log by type"});
    visit("frames", self.frames, {.comment = "TF names"});
    visit("time_range", self.time_range, {.comment = "part of the log to use"});
    visit("origin", self.origin,
          {.comment = "of the map on Earth: all three, or none (then NavSatFix)"});
    visit("ingest", self.ingest, {.comment = "how the log is unpacked"});
    visit("lidar_specs", self.lidar_specs,
          {.comment = "id: spec as in calibration.yaml; absent: seen from the clouds",
           .example = "{}",
           .is_expert = true});
    visit("quality", self.quality,
          {.comment = "what the log must offer; below 10 Hz or 30 s is a warning"});
    visit("pipeline", self.pipeline, {.comment = "a stage that is off keeps its last result"});
  }
};

std::vector<gs::Problem> problemsIn(const PipelineConfig& config);
void resolvePaths(PipelineConfig& config, const std::filesystem::path& folder);
std::vector<gs::Problem> missingFilesOf(const PipelineConfig& config);

}  // namespace gs_builder

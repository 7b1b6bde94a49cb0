// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "gs/bundle/metadata.hpp"
#include "gs/bundle/static_transforms.hpp"
#include "gs/core/file.hpp"
#include "gs/core/write_fields.hpp"
#include "gs_builder/camera_calibration.hpp"
#include "gs_builder/ego_trajectory.hpp"
#include "gs_builder/read_document.hpp"
#include "gs_builder/recorded_sensors.hpp"
#include "gs_builder/stage.hpp"
#include "gs_builder/tf_file.hpp"

// calibration_builder: one truth about the sensors (calibration.yaml), and what derives from it.
namespace gs_builder {
namespace fs = std::filesystem;
namespace {

// The tree of the log. Moving transforms can be many and are seldom part of a mount: they are read
// only when a sensor is not reached without them.
class Mounts {
 public:
  Mounts(fs::path tf_folder, std::string base_frame, gs::Stamp at,
         std::vector<std::string>& warnings)
      : folder_(std::move(tf_folder)),
        base_frame_(std::move(base_frame)),
        at_(at),
        warnings_(warnings) {
    readTfFile(folder_ / "tf_static.json", TfKind::Static, static_tree_);
    static_tree_.settle();
  }

  // Empty when no transforms lead to the frame.
  std::optional<gs::Rigid3> find(const std::string& name, const std::string& frame) {
    if (frame == base_frame_) return gs::Rigid3();
    if (const auto mount = static_tree_.find(base_frame_, frame, at_)) return mount;
    if (!is_complete_) {
      readTfFile(folder_ / "tf_static.json", TfKind::Static, tree_);
      readTfFile(folder_ / "tf.json", TfKind::Moving, tree_);
      tree_.settle();
      is_complete_ = true;
    }
    const auto mount = tree_.find(base_frame_, frame, at_);
    if (mount)
      warnings_.push_back(name +
                          ": its mount is part of /tf, not /tf_static; taken as it was at the "
                          "start of the drive");
    return mount;
  }

  gs::Rigid3 baseFromSensor(const std::string& name, const std::string& frame) {
    const auto mount = find(name, frame);
    if (!mount)
      throw gs::Error({.code = gs::ErrorCode::TfMissing,
                       .component = "calibration_builder",
                       .message = fmt::format("no transforms lead from '{}' to '{}' ({})",
                                              base_frame_, frame, name),
                       .details = {{"sensor", name},
                                   {"frame", frame},
                                   {"base_link_frame", base_frame_},
                                   {"ancestors", tree_.ancestorsOf(frame)},
                                   {"loop", tree_.findLoop()}},
                       .suggestion = "Record /tf_static from the start, or name the right frame in "
                                     "frames.cameras or frames.lidars of config.yaml."});
    return *mount;
  }

 private:
  fs::path folder_;
  std::string base_frame_;
  gs::Stamp at_;
  std::vector<std::string>& warnings_;
  TfTree static_tree_, tree_;
  bool is_complete_ = false;
};

gs::Extrinsics extrinsicsOf(const gs::Rigid3& base_from_sensor) {
  const gs::Vec3& t = base_from_sensor.translation;
  return {.translation = {t.x(), t.y(), t.z()},
          .rotation_quat = gs::toXyzw(base_from_sensor.rotation)};
}

void warnOfFarSensors(const std::string& name, const gs::Extrinsics& mount,
                      std::vector<std::string>& warnings) {
  const auto& t = mount.translation;
  const double distance = std::sqrt(t[0] * t[0] + t[1] * t[1] + t[2] * t[2]);
  if (distance > 20)
    warnings.push_back(fmt::format("{}: sits {:.0f} m from base_link", name, distance));
}

// Frames keep the names that the log has for them, as far as no two sensors share one and none is
// the map's or the vehicle's; a camera whose frame had to be turned gets a frame of its own.
class FrameNames {
 public:
  explicit FrameNames(const RecordedSensors& sensors)
      : taken_{sensors.map_frame, sensors.odom_frame, sensors.base_frame} {}

  std::string of(const std::string& sensor, const std::string& recorded) {
    std::string name = recorded.empty() || taken_.contains(recorded) ? sensor : recorded;
    while (!taken_.insert(name).second) name += "_own";
    return name;
  }

 private:
  std::set<std::string> taken_;
};

// As wanted, else as recorded, else as usual (the log was unpacked before rates were kept).
double rateOf(const std::optional<double>& wanted, const std::optional<double>& recorded,
              double usual) {
  if (wanted) return *wanted;
  return recorded.value_or(0) > 0 ? *recorded : usual;
}

gs::Metadata::CoordinateSystem coordinatesOf(const RecordedSensors& sensors,
                                             const PipelineConfig::Origin& given) {
  gs::Metadata::CoordinateSystem system{.map_frame = sensors.map_frame,
                                        .odom_frame = sensors.odom_frame,
                                        .base_link_frame = sensors.base_frame};
  if (given.latitude && given.longitude && given.altitude) {
    system.origin_lat = given.latitude;
    system.origin_lon = given.longitude;
    system.origin_alt = given.altitude;
    system.origin_yaw = given.yaw;
  } else if (sensors.origin) {
    system.origin_lat = sensors.origin->latitude;
    system.origin_lon = sensors.origin->longitude;
    system.origin_alt = sensors.origin->altitude;
    system.origin_yaw = sensors.origin->yaw;
  }
  return system;
}

// Sensors that a world can do without: one whose mount is not known is left out with a warning.
template <typename Recorded, typename Section>
void addMotionSensors(const char* kind, const Recorded& recorded, Mounts& mounts,
                      FrameNames& frames, Section& section, std::vector<std::string>& warnings) {
  using Sensor = typename Section::mapped_type;
  for (const auto& sensor : recorded) {
    const std::string name = fmt::format("{}_{}", kind, sensor.id);
    Sensor described;
    described.spec = sensor.spec;
    described.rate_hz = rateOf({}, sensor.rate_hz, described.rate_hz);
    if constexpr (requires { described.extrinsics; }) {
      const auto mount = mounts.find(name, sensor.frame);
      if (!mount) {
        warnings.push_back(
            fmt::format("{}: left out, no transforms lead to '{}'", name, sensor.frame));
        continue;
      }
      described.extrinsics = extrinsicsOf(*mount);
      warnOfFarSensors(name, described.extrinsics, warnings);
    }
    described.frame_id = frames.of(name, sensor.frame);
    section[sensor.id] = described;
  }
}

}  // namespace

void runCalibrationBuilder(StageContext& context) {
  const fs::path ingest = context.input("00_mcap_ingest");
  const auto sensors = readDocument<RecordedSensors>(ingest / "raw_extract/sensors.json");
  const EgoTrajectory trajectory = readPosesCsv(ingest / "raw_extract/poses.csv");
  const gs::Stamp start = trajectory.empty() ? gs::Stamp{} : trajectory.poses().front().stamp;
  Mounts mounts(ingest / "raw_extract/tf", sensors.base_frame, start, context.warnings);

  gs::Calibration calibration;
  const PipelineConfig::Ingest& wanted = context.config.pipeline.ingest;
  FrameNames frames(sensors);
  for (const RecordedSensors::Camera& camera : sensors.cameras) {
    const std::string name = "camera_" + camera.id;
    const OpticalMount mount = opticalMountOf(mounts.baseFromSensor(name, camera.frame));
    if (mount.was_turned)
      context.warnings.push_back(name + ": frame '" + camera.frame +
                                 "' is no optical frame; its x axis is taken for the view");
    calibration.cameras[camera.id] = {
        .frame_id = frames.of(name, mount.was_turned ? "" : camera.frame),
        .image_width = camera.image_width,
        .image_height = camera.image_height,
        .camera_convention = gs::CameraConvention::OpenCv,
        .intrinsics = camera.intrinsics,
        .extrinsics = extrinsicsOf(mount.base_from_camera),
        .rate_hz = rateOf(wanted.camera_rate_hz, camera.rate_hz, gs::CameraCalibration().rate_hz)};
    warnOfFarSensors(name, calibration.cameras[camera.id].extrinsics, context.warnings);
  }
  for (const RecordedSensors::Lidar& lidar : sensors.lidars) {
    const std::string name = "lidar_" + lidar.id;
    calibration.lidars[lidar.id] = {
        .frame_id = frames.of(name, lidar.frame),
        .extrinsics = extrinsicsOf(mounts.baseFromSensor(name, lidar.frame)),
        .spec = lidar.spec,
        .rate_hz = rateOf(wanted.lidar_rate_hz, lidar.rate_hz, gs::LidarCalibration().rate_hz)};
    const gs::LidarSpec& spec = lidar.spec;
    if (spec.vertical_offsets || spec.intensity_max || spec.usual_intensity)
      calibration.version = "1.1.0";
    warnOfFarSensors(name, calibration.lidars[lidar.id].extrinsics, context.warnings);
  }

  const gs::Metadata::CoordinateSystem system =
      coordinatesOf(sensors, context.config.pipeline.origin);
  addMotionSensors("imu", sensors.imus, mounts, frames, calibration.imus, context.warnings);
  if (system.origin_lat)
    addMotionSensors("gnss", sensors.gnss, mounts, frames, calibration.gnss, context.warnings);
  addMotionSensors("wheel_odom", sensors.wheel_odometry, mounts, frames, calibration.wheel_odometry,
                   context.warnings);
  if (!calibration.imus.empty() || !calibration.gnss.empty() || !calibration.wheel_odometry.empty())
    calibration.version = "1.2.0";

  const fs::path folder = context.workspace.dir("01_calibration");
  gs::writeFile(folder / "calibration.yaml", gs::toYamlText(gs::toJson(calibration)));
  gs::writeFile(folder / "tf_static.json",
                gs::toText(gs::toJson(deriveStaticTransforms(calibration, sensors.base_frame))));
  nlohmann::ordered_json metadata;
  metadata["version"] = "1.0.0";
  metadata["coordinate_system"] = gs::toJson(system);
  gs::writeFile(folder / "metadata.json", gs::toText(metadata));
}

}  // namespace gs_builder

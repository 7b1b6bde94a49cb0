// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <fmt/format.h>

#include "gs/bundle/timebase.hpp"
#include "gs/core/file.hpp"
#include "gs/core/parallel.hpp"
#include "gs/core/write_fields.hpp"
#include "gs/formats/pcd.hpp"
#include "gs_builder/doctor.hpp"
#include "gs_builder/frame_extraction.hpp"
#include "gs_builder/lidar_spec.hpp"
#include "gs_builder/map_origin.hpp"
#include "gs_builder/motion_noise.hpp"
#include "gs_builder/road_contact.hpp"
#include "gs_builder/stage.hpp"
#include "gs_builder/sweep_timing.hpp"
#include "gs_builder/tf_file.hpp"
#include "gs_builder/timeline.hpp"

// mcap_ingest: the log as files. The first pass over the log (digestLog) finds out where the
// vehicle was and which messages count; the second one unpacks them, a batch at a time, so that
// memory does not grow with the log.
namespace gs_builder {
namespace fs = std::filesystem;
namespace {

std::shared_ptr<const LogDigest> digestOf(const StageContext& context) {
  if (context.digest) return context.digest;
  return std::make_shared<LogDigest>(
      digestLog(context.log.path, context.config.pipeline,
                [&](double fraction) { context.progress(0.4 * fraction); }));
}

std::optional<MapOrigin> originOf(const LogDigest& digest, const Diagnosis& diagnosis,
                                  std::vector<std::string>& warnings) {
  std::vector<FixInMap> fixes;
  for (const auto& [topic, gnss] : digest.motion.gnss)
    for (size_t i = 0; i < gnss.fixes.size(); ++i) {
      const gs::Stamp stamp = gnss.stamps[i].stamp;
      const auto pose = diagnosis.ego.trajectory.at(stamp);
      if (!pose) continue;
      const auto base_from_antenna =
          digest.tf.find(diagnosis.plan.base_frame, gnss.frame_id, stamp);
      fixes.push_back(
          {gnss.fixes[i], *pose * base_from_antenna.value_or(gs::Rigid3()).translation});
    }
  auto origin = findMapOrigin(fixes);
  constexpr double kMaxSpread = 10;  // m: more than satellites are wrong by
  if (origin && origin->spread > kMaxSpread) {
    warnings.push_back(fmt::format(
        "satellite fixes disagree by {:.0f} m on where the map's origin is; no origin is written",
        origin->spread));
    origin.reset();
  }
  if (origin && origin->yaw)
    warnings.push_back(fmt::format(
        "the map is turned against east by {:.2f} degrees, as its satellite fixes show; written as "
        "origin_yaw",
        *origin->yaw * 180 / std::numbers::pi));
  return origin;
}

template <typename Spec>
void addMotionSensor(const std::string& kind, const MotionSensorPlan& plan,
                     const NoiseEstimate<Spec>& noise,
                     std::vector<RecordedSensors::MotionSensor<Spec>>& sensors,
                     StageContext& context) {
  sensors.push_back({plan.id, plan.topic, plan.frame, noise.spec, noise.source, plan.rate_hz});
  if (!noise.warning.empty())
    context.warnings.push_back(fmt::format("{} {}: {}", kind, plan.id, noise.warning));
  context.statistics["motion_sensors"][fmt::format("{} {}", kind, plan.id)] = {
      {"topic", plan.topic}, {"rate_hz", plan.rate_hz}, {"noise_from", noise.source}};
}

// How the motion sensors of the plan err; the origin must be known.
void describeMotionSensors(const LogDigest& digest, const Diagnosis& diagnosis,
                           RecordedSensors& sensors, StageContext& context) {
  const EgoTrajectory& trajectory = diagnosis.ego.trajectory;
  const std::vector<Standstill> standstills = findStandstills(trajectory);
  for (const MotionSensorPlan& imu : diagnosis.plan.imus)
    addMotionSensor("imu", imu,
                    estimateImu(digest.motion.imus.at(imu.topic), standstills, imu.rate_hz),
                    sensors.imus, context);
  for (const MotionSensorPlan& gnss : diagnosis.plan.gnss) {
    const GnssTopic& topic = digest.motion.gnss.at(gnss.topic);
    const auto mount =
        digest.tf.find(diagnosis.plan.base_frame, gnss.frame, topic.stamps.front().stamp);
    // Without a place on Earth there are no poses to compare with.
    addMotionSensor("gnss", gnss,
                    estimateGnss(topic, sensors.origin ? trajectory : EgoTrajectory(),
                                 mount.value_or(gs::Rigid3()).translation,
                                 sensors.origin.value_or(MapOrigin()).anchor()),
                    sensors.gnss, context);
  }
  for (const MotionSensorPlan& wheels : diagnosis.plan.wheel_odometry)
    addMotionSensor("wheel odometry", wheels,
                    estimateWheelOdometry(digest.motion.twists.at(wheels.topic), trajectory),
                    sensors.wheel_odometry, context);
  if (!context.statistics.contains("motion_sensors")) return;
  context.statistics["standstill_sec"] = totalOf(standstills);
}

gs::Timebase timebaseFor(const Timeline& timeline, const EgoTrajectory& trajectory,
                         const RoadContact& road, const Frameset& frameset) {
  gs::Stamp first{std::numeric_limits<int64_t>::max()};
  for (const auto& [name, sensor] : timeline.sensors)
    first = std::min(first, sensor.stamps.front());
  gs::Timebase timebase;
  timebase.sensor_rates = {.camera = frameset.camera_rate_hz, .lidar = frameset.lidar_rate_hz};
  const gs::Rigid3 pose = trajectory.at(first).value_or(trajectory.poses().front().map_from_base);
  const gs::Vec3 velocity = trajectory.velocityAt(first);
  timebase.initial_pose.position = {pose.translation.x(), pose.translation.y(),
                                    pose.translation.z()};
  timebase.initial_pose.orientation = gs::toXyzw(pose.rotation);
  timebase.initial_pose.velocity = {velocity.x(), velocity.y(), velocity.z()};
  if (road.is_known) {
    timebase.version = "1.1.0";
    timebase.base_link_above_ground = road.above_ground;
  }
  return timebase;
}

// When a sweep is half done, after its stamp.
double sweepMiddle(const std::vector<gs::LidarPoints>& scans) {
  double sum = 0;
  size_t count = 0;
  for (const gs::LidarPoints& scan : scans) {
    if (scan.time_offset.empty()) continue;
    const auto [begin, end] = std::minmax_element(scan.time_offset.begin(), scan.time_offset.end());
    sum += 0.5 * (static_cast<double>(*begin) + *end);
    ++count;
  }
  return count == 0 ? 0.0 : sum / static_cast<double>(count);
}

BaseScans scansOf(const SensorTimeline& lidar, const fs::path& folder) {
  return {lidar.stamps, [&lidar, folder](size_t i) {
            return gs::readPcd(*gs::openFile(folder / lidar.files[i])).positions;
          }};
}

RoadContact roadContact(const EgoTrajectory& trajectory, const BaseScans& scans,
                        const PipelineConfig::Ingest& ingest, std::vector<std::string>& warnings) {
  RoadContact road = findRoadContact(ingest.base_link_above_ground, trajectory, scans);
  if (!road.is_known)
    warnings.push_back(
        "base_link: the LiDAR does not show how high it is above the road; taken to be on it "
        "(ingest.base_link_above_ground of config.yaml says otherwise)");
  return road;
}

// Poses that know no height get it from the ground, where that is wanted.
EgoTrajectory finalTrajectory(const EgoTrajectory& given, const BaseScans& scans,
                              const RoadContact& road, const PipelineConfig::Ingest& ingest,
                              std::vector<std::string>& warnings) {
  if (!ingest.follow_ground || !isPlanar(given)) return given;
  const FollowedGround found = followGroundBelow(road.above_ground, given, scans);
  warnings.push_back(fmt::format(
      "ego pose: its height never changes; it was found from the ground in {} of {} scans "
      "({:.2f} m between lowest and highest)",
      found.aligned_scans, scans.stamps.size(), found.height_range));
  return found.trajectory;
}

// The part of the drive that was unpacked, and a second more at each end.
EgoTrajectory cutTo(const Timeline& timeline, const EgoTrajectory& trajectory) {
  constexpr gs::Duration kMore{1'000'000'000};
  gs::Stamp first{std::numeric_limits<int64_t>::max()}, last{0};
  for (const auto& [name, sensor] : timeline.sensors) {
    first = std::min(first, sensor.stamps.front());
    last = std::max(last, sensor.stamps.back());
  }
  std::vector<StampedPose> poses;
  for (const StampedPose& pose : trajectory.poses())
    if (pose.stamp >= first - kMore && pose.stamp <= last + kMore) poses.push_back(pose);
  return EgoTrajectory(std::move(poses));
}

void requireFrames(const Timeline& timeline) {
  for (const auto& [name, sensor] : timeline.sensors)
    if (sensor.stamps.empty())
      throw gs::Error({.code = gs::ErrorCode::InsufficientData,
                       .component = "mcap_ingest",
                       .message = "no frame of " + name + " could be unpacked",
                       .details = {{"sensor", name}, {"topic", sensor.topic}},
                       .suggestion = "Look at the sensor's messages with 'gs-inspect log', or "
                                     "leave it out of topics in config.yaml."});
}

}  // namespace

void runMcapIngest(StageContext& context) {
  const PipelineConfig& config = context.config.pipeline;
  const auto digest = digestOf(context);
  const Diagnosis diagnosis = diagnose(*digest, config, context.workers);
  if (!diagnosis.isFit()) throwFatal(diagnosis.findings, "mcap_ingest");
  context.warnings = diagnosis.findings.warnings();

  const fs::path folder = context.workspace.dir("00_mcap_ingest");
  gs::createDirectories(folder / "raw_extract/tf");
  const std::map<std::string, SweepTiming> timing =
      findSweepTimings(context.log.path, *digest, diagnosis, config);
  const ExtractedFrames frames = extractFrames(
      context.log.path, *digest, diagnosis, timing, config.ingest, folder,
      [&](double fraction) { context.progress(context.digest ? fraction : 0.4 + 0.6 * fraction); });
  requireFrames(frames.timeline);
  context.warnings.insert(context.warnings.end(), frames.warnings.begin(), frames.warnings.end());

  RecordedSensors sensors{.map_frame = diagnosis.plan.map_frame,
                          .odom_frame = diagnosis.plan.odom_frame,
                          .base_frame = diagnosis.plan.base_frame};
  const auto rate_of = [&](const std::string& name) {
    return std::optional(recordedRateHz(frames.timeline.sensors.at(name).stamps));
  };
  for (const CameraPlan& camera : diagnosis.plan.cameras) {
    sensors.cameras.push_back(diagnosis.cameras.at(camera.id));
    sensors.cameras.back().rate_hz = rate_of(camera.name());
  }
  for (const LidarPlan& lidar : diagnosis.plan.lidars) {
    const auto given = config.lidar_specs.find(lidar.id);
    LidarGuess guess;
    if (given != config.lidar_specs.end()) guess.spec = given->second;
    else guess = inferLidarSpec(frames.samples.at(lidar.id));
    for (const std::string& warning : guess.warnings)
      context.warnings.push_back(lidar.subject() + ": " + warning +
                                 "; lidar_specs of config.yaml says what it is");
    setIntensityScale(digest->lidars.at(lidar.topic).max_intensity, frames.samples.at(lidar.id),
                      guess.spec);
    const SweepTiming& sweep = timing.at(lidar.id);
    sensors.lidars.push_back({.id = lidar.id,
                              .topic = lidar.topic,
                              .frame = lidar.frame,
                              .motion_compensation = toString(sweep),
                              .sweep_middle = sweepMiddle(frames.samples.at(lidar.id)),
                              .spec = guess.spec,
                              .rate_hz = rate_of(lidar.name())});
  }
  const BaseScans lidar =
      scansOf(frames.timeline.sensors.at(diagnosis.plan.lidars.front().name()), folder);
  const RoadContact road =
      roadContact(diagnosis.ego.trajectory, lidar, config.ingest, context.warnings);
  const EgoTrajectory trajectory = cutTo(
      frames.timeline,
      finalTrajectory(diagnosis.ego.trajectory, lidar, road, config.ingest, context.warnings));
  sensors.origin = originOf(*digest, diagnosis, context.warnings);
  describeMotionSensors(*digest, diagnosis, sensors, context);

  const Timeline& timeline = frames.timeline;
  const Frameset frameset = resample(timeline, config.ingest);
  gs::writeFile(folder / "raw_extract/poses.csv", toPosesCsv(trajectory));
  gs::writeFile(folder / "raw_extract/tf/tf.json", toTfText(digest->tf, TfKind::Moving));
  gs::writeFile(folder / "raw_extract/tf/tf_static.json", toTfText(digest->tf, TfKind::Static));
  gs::writeFile(folder / "raw_extract/sensors.json", gs::toText(gs::toJson(sensors)));
  gs::writeFile(folder / "timeline.json", toTimelineText(timeline));
  gs::writeFile(folder / "frameset.json", toFramesetText(frameset));
  gs::writeFile(folder / "timebase.yaml",
                gs::toYamlText(gs::toJson(timebaseFor(timeline, trajectory, road, frameset))));

  size_t images = 0, scans = 0;
  for (const auto& [name, sensor] : timeline.sensors)
    (sensor.is_camera ? images : scans) += sensor.stamps.size();
  context.statistics["num_frames"] = frameset.frames.size();
  context.statistics["num_cameras"] = diagnosis.plan.cameras.size();
  context.statistics["num_lidars"] = diagnosis.plan.lidars.size();
  context.statistics["num_images"] = images;
  context.statistics["num_lidar_scans"] = scans;
  context.statistics["num_lidar_points"] = frames.lidar_points;
  context.statistics["num_dropped_images"] = frames.dropped_images;
  context.statistics["num_dropped_scans"] = frames.dropped_scans;
  context.statistics["num_non_finite_points"] = frames.non_finite_points;
  context.statistics["trajectory_length_m"] = trajectory.length();
  context.statistics["base_link_above_ground"] = gs::toJson(road.above_ground);
  context.statistics["duration_sec"] = diagnosis.duration;
}

}  // namespace gs_builder

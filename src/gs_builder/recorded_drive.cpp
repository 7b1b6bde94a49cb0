// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/recorded_drive.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "gs/core/error.hpp"
#include "gs/formats/cdr.hpp"
#include "gs/formats/image_codec.hpp"
#include "gs/formats/mcap_reader.hpp"
#include "gs/formats/point_cloud2.hpp"
#include "gs/msgs/sensor_msgs.hpp"
#include "gs_builder/doctor.hpp"
#include "gs_builder/motion_compensation.hpp"
#include "gs_builder/road_contact.hpp"
#include "gs_builder/sweep_timing.hpp"

namespace gs_builder {
namespace {

// Where a frame's message is in the log.
struct MessagePlace {
  gs::Stamp log_time;
  size_t same_time = 0;  // messages of the topic before it that were logged at the same time
};

struct LidarMount {
  gs::Rigid3 base_from_lidar;
  SweepTiming timing;
};

[[noreturn]] void failFrame(const std::string& topic, size_t index, const std::string& why) {
  throw gs::Error({.code = gs::ErrorCode::InputInvalid,
                   .component = "recorded_drive",
                   .message = fmt::format("frame {} of {}: {}", index, topic, why),
                   .details = {{"topic", topic}, {"frame", static_cast<int64_t>(index)}},
                   .suggestion = "Look at the log with 'gs-inspect log'."});
}

// Only what makes a log unusable counts here; how good it is was judged when the world was built.
PipelineConfig withoutGates(PipelineConfig config) {
  config.quality = {.min_rate_hz = 0,
                    .min_duration_sec = 0,
                    .max_sync_offset_sec = 1e9,
                    .max_pose_wander_m = 1e9};
  return config;
}

}  // namespace

gs::Image8 toRgb(gs::Image8 image) {
  if (image.channels == 3) return image;
  gs::Image8 rgb(image.width, image.height, 3);
  const size_t pixels = static_cast<size_t>(image.width) * image.height;
  for (size_t i = 0; i < pixels; ++i)
    for (size_t c = 0; c < 3; ++c)
      rgb.pixels[3 * i + c] = image.pixels[image.channels * i + (image.channels < 3 ? 0 : c)];
  return rgb;
}

struct RecordedDrive::State {
  explicit State(const std::filesystem::path& log)
      : reader(log, {.on_problem = [](const gs::McapProblem&) {}}) {}

  gs::LogReader reader;
  Timeline timeline;
  std::map<std::string, std::vector<MessagePlace>> places;  // by sensor name, one per frame
  std::map<std::string, LidarMount> lidars;
  EgoTrajectory given;  // what sweeps are compensated with, as in mcap_ingest
  EgoTrajectory trajectory;
  PoseFit pose_fit;

  void addSensor(const std::string& name, const std::string& topic, bool is_camera,
                 const LogDigest& digest, const Diagnosis& diagnosis) {
    const std::vector<LoggedStamp>& logged = digest.sensor_stamps.at(topic);
    const FrameChoice& choice = diagnosis.frames.at(topic);
    SensorTimeline& sensor = timeline.sensors[name];
    sensor.is_camera = is_camera;
    sensor.topic = topic;
    size_t same_time = 0;
    for (size_t i = 0; i < logged.size() && i < choice.stamps.size(); ++i) {
      same_time = i > 0 && logged[i].log_time == logged[i - 1].log_time ? same_time + 1 : 0;
      if (!choice.stamps[i]) continue;
      sensor.stamps.push_back(*choice.stamps[i]);
      sensor.files.push_back(std::to_string(sensor.files.size()));
      places[name].push_back({logged[i].log_time, same_time});
    }
    if (sensor.stamps.empty())
      throw gs::Error({.code = gs::ErrorCode::InsufficientData,
                       .component = "recorded_drive",
                       .message = "the log has no frame of " + name,
                       .details = {{"sensor", name}, {"topic", topic}},
                       .suggestion = "Check the log with 'gs-world-builder doctor'."});
  }

  // Calls visit(message) with the one message of a frame.
  template <typename Visit>
  void read(const std::string& name, size_t index, const Visit& visit) const {
    const auto found = places.find(name);
    if (found == places.end() || index >= found->second.size())
      failFrame(name, index, "there is no such frame");
    const MessagePlace& place = found->second[index];
    const std::string& topic = timeline.sensors.at(name).topic;
    size_t number = 0;
    bool is_found = false;
    reader.read({.topics = {topic}, .start = place.log_time, .end = place.log_time},
                [&](const gs::LogMessage& message) {
                  if (number++ != place.same_time) return;
                  is_found = true;
                  visit(message);
                });
    if (!is_found) failFrame(topic, index, "its message is not in the log any more");
  }
};

RecordedDrive::RecordedDrive(const std::filesystem::path& log, PipelineConfig config,
                             const std::function<void(double)>& progress) {
  config = withoutGates(std::move(config));
  const LogDigest digest = digestLog(log, config, progress);
  const Diagnosis diagnosis = diagnose(digest, config, 1);
  if (!diagnosis.isFit()) throwFatal(diagnosis.findings, "recorded_drive");
  state_ = std::make_unique<State>(log);
  for (const CameraPlan& camera : diagnosis.plan.cameras)
    state_->addSensor(camera.name(), camera.image_topic, true, digest, diagnosis);
  const auto timing = findSweepTimings(log, digest, diagnosis, config);
  state_->given = state_->trajectory = diagnosis.ego.trajectory;
  state_->pose_fit = diagnosis.pose_fits.front();
  for (const LidarPlan& lidar : diagnosis.plan.lidars) {
    state_->addSensor(lidar.name(), lidar.topic, false, digest, diagnosis);
    state_->lidars[lidar.name()] = {*digest.tf.find(diagnosis.plan.base_frame, lidar.frame,
                                                    diagnosis.frames.at(lidar.topic).first),
                                    timing.at(lidar.id)};
  }
  if (config.ingest.follow_ground && isPlanar(state_->given)) {
    const std::string name = diagnosis.plan.lidars.front().name();
    const BaseScans scans{state_->timeline.sensors.at(name).stamps,
                          [&](size_t i) { return loadScan(name, i); }};
    const RoadContact road =
        findRoadContact(config.ingest.base_link_above_ground, state_->given, scans);
    state_->trajectory = followGroundBelow(road.above_ground, state_->given, scans).trajectory;
  }
}

RecordedDrive::~RecordedDrive() = default;

const Timeline& RecordedDrive::timeline() const { return state_->timeline; }
const EgoTrajectory& RecordedDrive::trajectory() const { return state_->trajectory; }
const PoseFit& RecordedDrive::poseFit() const { return state_->pose_fit; }

gs::Image8 RecordedDrive::loadImage(const std::string& camera, size_t frame_index) const {
  gs::Image8 image;
  state_->read(camera, frame_index, [&](const gs::LogMessage& message) {
    std::string problem;
    if (message.topic.type == gs::msgs::CompressedImage::kRosType) {
      const auto compressed = gs::findCdr<gs::msgs::CompressedImage>(message.data, &problem);
      if (!compressed) failFrame(camera, frame_index, problem);
      image = gs::decodeCompressedImage(std::as_bytes(std::span(compressed->data)), camera,
                                        gs::DamagedJpeg::Accept);
    } else {
      const auto raw = gs::findCdr<gs::msgs::Image>(message.data, &problem);
      if (!raw) failFrame(camera, frame_index, problem);
      image = gs::decodeRawImage(gs::viewImage(*raw), camera);
    }
  });
  return toRgb(std::move(image));
}

std::vector<std::array<float, 3>> RecordedDrive::loadScan(const std::string& lidar,
                                                          size_t frame_index) const {
  std::vector<std::array<float, 3>> points;
  state_->read(lidar, frame_index, [&](const gs::LogMessage& message) {
    std::string problem;
    const auto cloud = gs::findCdr<gs::msgs::PointCloud2>(message.data, &problem);
    if (!cloud) failFrame(lidar, frame_index, problem);
    const LidarMount& mount = state_->lidars.at(lidar);
    gs::LidarPoints scan = gs::decodePointCloud(gs::viewPointCloud(*cloud), lidar);
    setSweepTimes(mount.timing, scan);
    auto in_base = pointsInBase(scan, state_->timeline.sensors.at(lidar).stamps[frame_index],
                                mount.base_from_lidar, state_->given);
    if (!in_base) failFrame(lidar, frame_index, "the ego pose is not known");
    points = std::move(*in_base);
  });
  return points;
}

}  // namespace gs_builder

// SPDX-License-Identifier: Apache-2.0
#include "gs/synthetic/sample_drive.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include <fmt/format.h>

#include "gs/bundle/drivable_file.hpp"
#include "gs/core/error.hpp"
#include "gs/core/file.hpp"
#include "gs/core/read_fields.hpp"
#include "gs/core/write_fields.hpp"
#include "gs/formats/cdr.hpp"
#include "gs/formats/glb.hpp"
#include "gs/formats/jpeg.hpp"
#include "gs/formats/mcap_writer.hpp"
#include "gs/formats/png.hpp"
#include "gs/formats/ros_schema.hpp"
#include "gs/synthetic/drive_lidar.hpp"
#include "gs/synthetic/drive_motion_sensors.hpp"
#include "gs/synthetic/sample_messages.hpp"
#include "gs/synthetic/town_renderer.hpp"

namespace gs {
namespace fs = std::filesystem;
namespace {

constexpr double kOdometryRate = 100, kImuRate = 100, kNavSatRate = 5, kMapFromOdomRate = 10,
                 kMoverRate = 20;

fs::path truthFolderOf(const fs::path& log) { return log.string() + ".truth"; }

// Messages into a log; a topic's schema and channel are made when it is first used.
class MessageLog {
 public:
  explicit MessageLog(const fs::path& path) : writer_(path) {}

  template <typename Message>
  void write(const std::string& topic, Stamp stamp, const Message& message) {
    auto found = channels_.find(topic);
    if (found == channels_.end()) {
      const uint16_t schema =
          writer_.addSchema(Message::kRosType, "ros2msg", rosSchemaText<Message>());
      found = channels_.emplace(topic, Channel{writer_.addChannel(schema, topic, "cdr"), 0}).first;
    }
    const std::vector<std::byte> bytes = encodeCdr(message);
    writer_.write({.channel_id = found->second.id,
                   .sequence = found->second.count++,
                   .log_time = stamp,
                   .publish_time = stamp,
                   .data = bytes});
  }
  void close() { writer_.close(); }

 private:
  struct Channel {
    uint16_t id;
    uint32_t count;
  };
  McapWriter writer_;
  std::map<std::string, Channel> channels_;
};

SampleDriveOptions completed(SampleDriveOptions options) {
  if (options.rig.cameras.empty() && options.rig.lidars.empty()) options.rig = makeSampleRig();
  return options;
}

// The drive as it is logged: one method per sensor, called in the order of time.
class DriveRecorder {
 public:
  DriveRecorder(const fs::path& log, const SampleDriveTruth& truth)
      : truth_(truth),
        options_(truth.options),
        renderer_(truth.town),
        log_(log),
        folder_(truthFolderOf(log)),
        rng_(truth.options.seed) {
    for (const auto& [id, camera] : options_.rig.cameras) {
      rays_.emplace(id, makeRayTable({camera.image_width, camera.image_height, camera.intrinsics}));
      fs::create_directories(folder_ / "moving" / camera.frame_id);
    }
    for (const Thing thing :
         {Thing::Thin, Thing::Parked, Thing::Moving, Thing::OwnCar, Thing::Stray}) {
      fs::create_directories(folder_ / wordOf(thing));
      for (const auto& [id, lidar] : options_.rig.lidars) points_on_[lidar.frame_id][thing];
    }
  }

  void run(const std::function<void(double)>& progress) {
    log_.write("/tf_static", kSampleDriveStart,
               staticTransformsFor(kSampleDriveStart, options_.rig, options_.bracket_frame));
    const std::vector<Event> events = schedule();
    for (size_t i = 0; i < events.size(); ++i) {
      events[i].record();
      if (progress && i % 64 == 0)
        progress(static_cast<double>(i) / static_cast<double>(events.size()));
    }
    log_.close();
    for (const auto& [frame, texts] : points_on_)
      for (const auto& [thing, text] : texts)
        writeFileAtomically(folder_ / wordOf(thing) / (frame + ".csv"), text);
    writePoses();
    writeMovers();
  }

 private:
  struct Event {
    Duration at;
    int rank;  // of the sensor, so that equal times have one order
    std::function<void()> record;
  };

  // `time_of` gives the time of message k, `record` writes it.
  template <typename TimeOf, typename Record>
  void each(std::vector<Event>& events, const TimeOf& time_of, const Record& record) const {
    const int rank = events.empty() ? 0 : events.back().rank + 1;
    for (int64_t k = 0; toSeconds(time_of(k)) < options_.seconds; ++k)
      events.push_back({time_of(k), rank, [=, at = time_of(k)] { record(at, k); }});
  }
  template <typename Record>
  void every(std::vector<Event>& events, double rate_hz, const Record& record) const {
    each(
        events, [=](int64_t k) { return timeOf(k, rate_hz); }, record);
  }

  std::vector<Event> schedule() {
    std::vector<Event> events;
    every(events, kMapFromOdomRate, [this](Duration at, int64_t) { recordMapFromOdom(at); });
    every(events, kOdometryRate, [this](Duration at, int64_t k) { recordOdometry(at, k); });
    scheduleMotionSensors(events);
    for (const auto& [id, lidar] : options_.rig.lidars)
      each(
          events, [&, id = id](int64_t k) { return lidarTime(options_, id, k); },
          [this, id = id](Duration, int64_t k) { recordLidar(id, k); });
    for (const auto& [id, camera] : options_.rig.cameras)
      each(
          events, [&, id = id](int64_t k) { return cameraTime(options_, id, k); },
          [this, id = id](Duration at, int64_t k) { recordCamera(id, at, k); });
    std::stable_sort(events.begin(), events.end(), [](const Event& a, const Event& b) {
      return std::tie(a.at, a.rank) < std::tie(b.at, b.rank);
    });
    return events;
  }

  // What the rig says; a rig that says nothing has an ideal IMU and receiver.
  void scheduleMotionSensors(std::vector<Event>& events) {
    if (options_.rig.imus.empty())
      every(events, kImuRate, [this](Duration at, int64_t) { recordIdealImu(at); });
    for (const auto& [id, imu] : options_.rig.imus) {
      imus_.emplace(id, DriveImu(options_, id));
      every(events, imu.rate_hz, [this, id = id](Duration at, int64_t k) {
        const Stamp now = kSampleDriveStart + at;
        log_.write(topicOf(options_.names.imu, id), now,
                   imus_.at(id).measure(truth_.motion, toSeconds(at),
                                        now + imuStampError(options_, id, k)));
      });
    }
    if (options_.rig.gnss.empty())
      every(events, kNavSatRate, [this](Duration at, int64_t) { recordIdealNavSat(at); });
    for (const auto& [id, gnss] : options_.rig.gnss)
      every(events, gnss.rate_hz, [this, id = id](Duration at, int64_t k) {
        const Stamp now = kSampleDriveStart + at;
        log_.write(topicOf(options_.names.navsat, id), now,
                   driveFix(options_, id, truth_.motion, toSeconds(at), now, k));
      });
    for (const auto& [id, wheels] : options_.rig.wheel_odometry)
      every(events, wheels.rate_hz, [this, id = id](Duration at, int64_t k) {
        const Stamp now = kSampleDriveStart + at;
        log_.write(topicOf(options_.names.twist, id), now,
                   driveTwist(options_, id, truth_.motion, toSeconds(at), now, k));
      });
  }

  static std::string topicOf(const std::string& pattern, const std::string& id) {
    return fmt::format(fmt::runtime(pattern), id);
  }

  // A slow slide and turn of odometry against the map, as wheel slip and gyro bias give it.
  Rigid3 odomFromMap(double t) const {
    if (!options_.has_odometry_drift) return {};
    const double distance = truth_.motion.distanceAt(t);
    return {fromRollPitchYaw(0, 0, 2e-4 * distance),
            Vec3(0.005 * distance, -0.003 * distance, 0.0)};
  }

  Rigid3 odomFromBase(double t, int64_t k) const {
    Rigid3 pose = truth_.motion.mapFromBase(t);
    if (options_.has_odometry_drift) pose = odomFromMap(t) * pose;  // else exact, to the last bit
    if (!options_.has_odometry_noise) return pose;
    Rng rng = rng_.fork(static_cast<uint64_t>(k));
    const auto turn = [&] { return 0.05 * std::numbers::pi / 180 * rng.normal(); };
    const Rigid3 noise{fromRollPitchYaw(turn(), turn(), turn()),
                       0.01 * Vec3(rng.normal(), rng.normal(), rng.normal())};
    return pose * noise;
  }

  void recordMapFromOdom(Duration at) {
    const Stamp stamp = kSampleDriveStart + at;
    const Rigid3 map_from_odom = odomFromMap(toSeconds(at)).inverse();
    log_.write("/tf", stamp, msgs::TFMessage{{transformFor(stamp, "map", "odom", map_from_odom)}});
  }

  void recordOdometry(Duration at, int64_t k) {
    const Stamp stamp = kSampleDriveStart + at;
    const double t = toSeconds(at);
    const Rigid3 pose = odomFromBase(t, k);
    log_.write("/tf", stamp, msgs::TFMessage{{transformFor(stamp, "odom", "base_link", pose)}});
    const DriveMotion::Derivatives motion = truth_.motion.derivativesAt(t);
    log_.write(options_.names.odometry, stamp, odometryFor(stamp, "odom", pose, motion));
    if (options_.odometry_wander > 0)
      log_.write(options_.names.wandering_odometry, stamp,
                 odometryFor(stamp, "map", wanderingPose(t), motion));
  }

  // What a satellite receiver between houses makes of the pose: smooth, sure of itself, and off by
  // odometry_wander at the end, each seed in its own direction.
  Rigid3 wanderingPose(double t) const {
    const double done = t / options_.seconds;
    const double away = options_.odometry_wander * (1 - std::cos(std::numbers::pi * done)) / 2;
    const double angle = 2 * std::numbers::pi * rng_.fork(0x3a).uniform() + 1.5 * done;
    Rigid3 pose = truth_.motion.mapFromBase(t);
    pose.translation += away * Vec3(std::cos(angle), std::sin(angle), 0);
    return pose;
  }

  void recordIdealImu(Duration at) {
    const Stamp stamp = kSampleDriveStart + at;
    const double t = toSeconds(at);
    log_.write(options_.names.imu, stamp,
               imuFor(stamp, truth_.motion.mapFromBase(t), truth_.motion.derivativesAt(t)));
  }

  void recordIdealNavSat(Duration at) {
    const Stamp stamp = kSampleDriveStart + at;
    log_.write(options_.names.navsat, stamp,
               navSatFixFor(stamp, truth_.motion.mapFromBase(toSeconds(at)).translation));
  }

  void recordLidar(const std::string& id, int64_t k) {
    const std::string& frame = options_.rig.lidars.at(id).frame_id;
    const auto [stamp, returns] = scanDrive(truth_, renderer_, id, k);
    log_.write(topicOf(options_.names.lidar, id), stamp,
               pointCloudFor(stamp, frame, returns, options_.clouds));
    for (auto& [thing, text] : points_on_[frame]) {
      text += std::to_string(stamp.ns);
      for (size_t i = 0; i < returns.size(); ++i)
        if (returns[i].thing == thing) text += "," + std::to_string(i);
      text += "\n";
    }
  }

  void recordCamera(const std::string& id, Duration at, int64_t k) {
    const CameraCalibration& camera = options_.rig.cameras.at(id);
    const Stamp stamp = kSampleDriveStart + at;
    const double t = toSeconds(at);
    const Rigid3 map_from_camera =
        truth_.motion.mapFromBase(t) * camera.extrinsics.baseFromSensor();
    const double phase = static_cast<double>(rng_.fork(camera.frame_id.size()).uniform());
    const double exposure =
        options_.has_exposure_drift ? 1 + 0.15 * std::sin(t / 3 + 6.28 * phase) : 1.0;
    const TrueView view = renderer_.renderView(
        rays_.at(id), map_from_camera, t,
        {.exposure = exposure, .has_moving_objects = options_.has_moving_objects},
        options_.has_moving_objects);
    const std::string topic = topicOf(options_.names.camera, id);
    log_.write(topic + "/camera_info", stamp, cameraInfoFor(stamp, camera));
    log_.write(topic + "/image_raw/compressed", stamp,
               jpegImageFor(stamp, camera.frame_id, encodeJpeg(view.rgb, options_.jpeg_quality)));
    if (std::any_of(view.moving.pixels.begin(), view.moving.pixels.end(),
                    [](uint8_t pixel) { return pixel != 0; }))
      writeFileAtomically(folder_ / "moving" / camera.frame_id / fmt::format("{:06}.png", k),
                          encodePng(view.moving));
  }

  void writePoses() const {
    std::string text = "timestamp_ns,x,y,z,qx,qy,qz,qw\n";
    for (int64_t k = 0; toSeconds(timeOf(k, kOdometryRate)) < options_.seconds; ++k) {
      const Duration at = timeOf(k, kOdometryRate);
      const Rigid3 pose = truth_.motion.mapFromBase(toSeconds(at));
      const auto q = toXyzw(pose.rotation);
      text += fmt::format("{},{},{},{},{},{},{},{}\n", (kSampleDriveStart + at).ns,
                          pose.translation.x(), pose.translation.y(), pose.translation.z(), q[0],
                          q[1], q[2], q[3]);
    }
    writeFileAtomically(folder_ / "poses.csv", text);
  }

  // Where every moving thing is, with the box around it in its own frame.
  void writeMovers() const {
    std::string text =
        "timestamp_ns,mover,x,y,z,qx,qy,qz,qw,low_x,low_y,low_z,high_x,high_y,high_z\n";
    for (int64_t k = 0; toSeconds(timeOf(k, kMoverRate)) < options_.seconds; ++k) {
      const Duration at = timeOf(k, kMoverRate);
      const auto boxes = truth_.town.movingBoxes(toSeconds(at));
      for (size_t i = 0; i < boxes.size(); ++i) {
        const auto q = toXyzw(boxes[i].map_from_box.rotation);
        text += fmt::format("{},{}", (kSampleDriveStart + at).ns, i);
        for (const double value : boxes[i].map_from_box.translation)
          text += fmt::format(",{:.4f}", value);
        for (const double value : q) text += fmt::format(",{:.6f}", value);
        for (const double value : boxes[i].low) text += fmt::format(",{:.3f}", value);
        for (const double value : boxes[i].high) text += fmt::format(",{:.3f}", value);
        text += "\n";
      }
    }
    writeFileAtomically(folder_ / "movers.csv", text);
  }

  const SampleDriveTruth& truth_;
  const SampleDriveOptions& options_;
  TownRenderer renderer_;
  MessageLog log_;
  fs::path folder_;
  Rng rng_;
  std::map<std::string, RayTable> rays_;
  std::map<std::string, DriveImu> imus_;
  std::map<std::string, std::map<Thing, std::string>> points_on_;  // by frame: indices per scan
};

}  // namespace

SampleDriveTruth::SampleDriveTruth(const SampleDriveOptions& asked)
    : options(completed(asked)),
      town(Town::make({.seed = options.seed,
                       .has_moving_objects = options.has_moving_objects,
                       .traits = options.town,
                       .route_start = options.route_start,
                       .ego_speed = options.speed})),
      motion(town.route(), [town = town](double x, double y) { return town.groundHeight(x, y); },
             {.speed = options.speed,
              .standstill = options.standstill,
              .base_above_ground = options.base_above_ground}) {}

SampleDriveTruth readSampleDriveTruth(const fs::path& log) {
  const fs::path file = truthFolderOf(log) / "drive.json";
  std::vector<Problem> problems;
  const auto root = parseDocument(readTextFile(file, 1 << 20), DocumentFormat::Json, problems);
  SampleDriveOptions options;
  if (root) options = readFields<SampleDriveOptions>(*root, problems);
  if (!problems.empty())
    throw Error({.code = ErrorCode::InputInvalid,
                 .component = "sample_drive",
                 .message = "'" + file.string() + "': " + toString(problems.front()),
                 .suggestion = "Make the drive again with gs-make-test-data drive."});
  return SampleDriveTruth(options);
}

void writeSampleDrive(const fs::path& log, const SampleDriveOptions& options,
                      const std::function<void(double)>& progress) {
  const SampleDriveTruth truth(options);
  const fs::path folder = truthFolderOf(log);
  fs::remove_all(folder);
  fs::create_directories(folder / "moving");
  writeFileAtomically(folder / "drive.json", toText(toJson(truth.options)));
  writeFileAtomically(folder / "mesh.glb", encodeGlb(truth.town.staticMesh()));
  writeFileAtomically(folder / "drivable.geojson", writeDrivable(truth.town.drivable()));
  DriveRecorder(log, truth).run(progress);
}

}  // namespace gs

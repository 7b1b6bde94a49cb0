// SPDX-License-Identifier: Apache-2.0
// The traits of preset `real`, looked for in the log as a reader finds them.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <numbers>
#include <tuple>

#include <gmock/gmock.h>

#include "gs/core/testing/temp_dir.hpp"
#include "gs/formats/cdr.hpp"
#include "gs/formats/mcap_reader.hpp"
#include "gs/msgs/nav_msgs.hpp"
#include "gs/msgs/sensor_msgs.hpp"
#include "gs/msgs/tf2_msgs.hpp"
#include "gs/synthetic/drive_lidar.hpp"
#include "gs/synthetic/mover_sweep.hpp"
#include "gs/synthetic/sample_drive.hpp"

namespace gs {
namespace {

using ::testing::ElementsAre;

// Two seconds with small images and few columns, everything else as the preset has it.
SampleDriveOptions shortDrive() {
  SampleDriveOptions options = driveOptionsFor(DrivePreset::Real, 3);
  options.seconds = 2;
  for (auto& [id, camera] : options.rig.cameras) {
    camera.image_width = 100;
    camera.image_height = 38;
    camera.intrinsics.fx = camera.intrinsics.fy = 58;
    camera.intrinsics.cx = 49.5;
    camera.intrinsics.cy = 17.5;
  }
  options.rig.lidars["velodyne"].spec.horizontal_resolution_deg = 2;
  return options;
}

// Written once for all tests of this file.
struct WrittenDrive {
  WrittenDrive() { writeSampleDrive(log, shortDrive()); }
  testing::TempDir dir;
  std::filesystem::path log = dir / "real.mcap";
};
const std::filesystem::path& drive() {
  static const WrittenDrive written;
  return written.log;
}

template <typename Message>
std::vector<Message> messagesOf(const std::string& topic) {
  std::vector<Message> messages;
  LogReader(drive()).read({.topics = {topic}}, [&](const LogMessage& message) {
    messages.push_back(decodeCdr<Message>(message.data, topic));
  });
  return messages;
}

double secondsOf(const msgs::Header& header) {
  return toSeconds(fromSecNanosec({header.stamp.sec, header.stamp.nanosec}) - kSampleDriveStart);
}

struct Point {
  float x, y, z, intensity;
};
std::vector<Point> pointsOf(const msgs::PointCloud2& cloud) {
  std::vector<Point> points(cloud.width);
  std::memcpy(points.data(), cloud.data.data(), cloud.data.size());
  return points;
}

// Forwards and to the left, from where the wheels were half a moment before and after.
Vec3 accelerationOf(const DriveMotion& motion, double t) {
  constexpr double kStep = 0.2;
  const Rigid3 now = motion.mapFromFootprint(t);
  const Vec3 before = motion.mapFromFootprint(t - kStep).translation;
  const Vec3 after = motion.mapFromFootprint(t + kStep).translation;
  return now.rotation.inverse() * ((after - 2 * now.translation + before) / (kStep * kStep));
}

TEST(RealDrive, BaseLinkIsHighAboveTheRoadTiltedAndLeansOnItsSprings) {
  const SampleDriveTruth truth = readSampleDriveTruth(drive());
  EXPECT_TRUE(truth.options == shortDrive());
  const auto poses = messagesOf<msgs::Odometry>("/wheel/odometry");
  ASSERT_EQ(poses.size(), 200u);
  double largest_lean = 0;
  for (const msgs::Odometry& odometry : poses) {
    const double t = secondsOf(odometry.header);
    const Rigid3 footprint = truth.motion.mapFromFootprint(t);
    const auto& p = odometry.pose.pose.position;
    const auto& q = odometry.pose.pose.orientation;
    const Rigid3 base = footprint.inverse() * Rigid3{Quat(q.w, q.x, q.y, q.z), Vec3(p.x, p.y, p.z)};
    EXPECT_NEAR(base.translation.z(), 0.95, 1e-3);
    const RollPitchYaw tilt = toRollPitchYaw(base.rotation);
    const Vec3 acceleration = accelerationOf(truth.motion, t);
    EXPECT_NEAR(tilt.pitch * 180 / std::numbers::pi, -0.4 - 0.2 * acceleration.x(), 0.05);
    EXPECT_NEAR(tilt.roll * 180 / std::numbers::pi, -0.9 + 0.5 * acceleration.y(), 0.05);
    largest_lean = std::max(largest_lean, std::abs(acceleration.x()) + acceleration.norm());
  }
  EXPECT_GT(largest_lean, 0.5);  // m/s^2: a drive without any would show nothing
}

TEST(RealDrive, OneOdometryWandersAndTheOtherAgreesWithTf) {
  const auto good = messagesOf<msgs::Odometry>("/wheel/odometry");
  const auto wandering = messagesOf<msgs::Odometry>("/oxts/odometry");
  ASSERT_EQ(good.size(), wandering.size());
  double largest = 0, step = 0, before = 0;
  for (size_t i = 0; i < good.size(); ++i) {
    const auto &a = good[i].pose.pose.position, &b = wandering[i].pose.pose.position;
    const double away = std::hypot(a.x - b.x, a.y - b.y);
    largest = std::max(largest, away);
    step = std::max(step, std::abs(away - before));
    before = away;
  }
  EXPECT_NEAR(largest, 2.6, 0.05);
  EXPECT_LT(step, 0.05);  // smoothly
  size_t compared = 0;
  for (const msgs::TFMessage& message : messagesOf<msgs::TFMessage>("/tf"))
    for (const msgs::TransformStamped& transform : message.transforms) {
      if (transform.child_frame_id != "base_link") continue;
      EXPECT_EQ(transform.transform.translation.x, good[compared].pose.pose.position.x);
      ++compared;
    }
  EXPECT_EQ(compared, good.size());
}

TEST(RealDrive, MotionSensorsHangOnABracketAndTheImusClockTrembles) {
  EXPECT_EQ(messagesOf<msgs::NavSatFix>("/oxts/fix").size(), 20u);
  EXPECT_EQ(messagesOf<msgs::TwistStamped>("/vehicle/twist").size(), 100u);
  const auto imu = messagesOf<msgs::Imu>("/oxts/imu");
  ASSERT_EQ(imu.size(), 200u);
  double largest = 0;
  for (size_t k = 0; k < imu.size(); ++k) {
    const double error = std::abs(secondsOf(imu[k].header) - 0.01 * static_cast<double>(k));
    EXPECT_LE(error, 0.0015001);
    largest = std::max(largest, error);
  }
  EXPECT_GT(largest, 0.0005);
  const auto mounts = messagesOf<msgs::TFMessage>("/tf_static");
  std::map<std::string, std::pair<std::string, Rigid3>> parents;
  for (const msgs::TransformStamped& transform : mounts.at(0).transforms) {
    const auto& t = transform.transform.translation;
    const auto& q = transform.transform.rotation;
    parents[transform.child_frame_id] = {transform.header.frame_id,
                                         {Quat(q.w, q.x, q.y, q.z), Vec3(t.x, t.y, t.z)}};
  }
  EXPECT_EQ(parents.at("imu_oxts").first, "bracket");
  EXPECT_EQ(parents.at("bracket").first, "base_link");
  const Rigid3 mount = parents.at("bracket").second * parents.at("imu_oxts").second;
  const Rigid3 expected = shortDrive().rig.imus.at("oxts").extrinsics.baseFromSensor();
  EXPECT_LT((mount.translation - expected.translation).norm(), 1e-12);
  EXPECT_LT(mount.rotation.angularDistance(expected.rotation), 1e-7);
  EXPECT_GT(expected.rotation.angularDistance(Quat::Identity()), 1);
}

TEST(RealDrive, CloudsHaveSixtyFourRingsInOrderAndNothingThatSaysSo) {
  const auto clouds = messagesOf<msgs::PointCloud2>("/velodyne/points");
  ASSERT_FALSE(clouds.empty());
  std::vector<std::string> names;
  for (const msgs::PointField& field : clouds[0].point_fields) names.push_back(field.name);
  EXPECT_THAT(names, ElementsAre("x", "y", "z", "intensity"));
  float brightest = 0;
  for (const msgs::PointCloud2& cloud : clouds) {
    const std::vector<Point> points = pointsOf(cloud);
    int wraps = 0;
    double before = 0;
    for (const Point& point : points) {
      const double azimuth = std::atan2(point.y, point.x);
      const double round = azimuth < 0 ? azimuth + 2 * std::numbers::pi : azimuth;
      wraps += round < before - std::numbers::pi;
      before = round;
      brightest = std::max(brightest, point.intensity);
      EXPECT_GE(point.intensity, 0);
    }
    EXPECT_EQ(wraps, 63);
  }
  EXPECT_GT(brightest, 0.3f);
  EXPECT_LT(brightest, 1.0f);
}

TEST(RealDrive, BeamsAreUnevenAndEachSeedHasItsOwn) {
  const auto beams = [](uint64_t seed) {
    return driveOptionsFor(DrivePreset::Real, seed)
        .rig.lidars.at("velodyne")
        .spec.vertical_angles_deg;
  };
  const std::vector<double> here = beams(3);
  ASSERT_EQ(here.size(), 64u);
  EXPECT_NE(here, beams(4));
  double narrowest = 1, widest = 0;
  for (size_t i = 1; i < here.size(); ++i) {
    narrowest = std::min(narrowest, here[i] - here[i - 1]);
    widest = std::max(widest, here[i] - here[i - 1]);
  }
  EXPECT_GT(narrowest, 0.1);
  EXPECT_GT(widest, 2 * narrowest);
}

// As if the car had stood still at the stamp, half a turn after the first shot.
TEST(RealDrive, CloudsAreCompensatedToTheMiddleOfTheSweep) {
  const SampleDriveTruth truth = readSampleDriveTruth(drive());
  SampleDriveTruth in_motion = truth;
  in_motion.options.clouds.is_motion_compensated = false;
  const TownRenderer renderer(truth.town);
  const LidarCalibration& lidar = truth.options.rig.lidars.at("velodyne");
  const auto mapFromLidar = [&](double t) {
    return truth.motion.mapFromBase(t) * lidar.extrinsics.baseFromSensor();
  };
  const auto byShot = [](std::vector<LidarReturn> returns) {
    std::sort(returns.begin(), returns.end(), [](const LidarReturn& a, const LidarReturn& b) {
      return std::tie(a.ring, a.time) < std::tie(b.ring, b.time);
    });
    return returns;
  };
  const DriveScan scan = scanDrive(truth, renderer, "velodyne", 4);
  const auto expected = byShot(scanDrive(in_motion, renderer, "velodyne", 4).returns);
  const auto compensated = byShot(scan.returns);
  const double stamp = toSeconds(scan.stamp - kSampleDriveStart), begin = stamp - 0.5 / 9.68;
  ASSERT_EQ(compensated.size(), expected.size());
  ASSERT_GT(expected.size(), 4000u);
  double moved = 0;
  for (size_t i = 0; i < expected.size(); ++i) {
    const LidarReturn &a = compensated[i], &b = expected[i];
    const Vec3 p = mapFromLidar(stamp) * Vec3(a.x, a.y, a.z);
    const Vec3 q = mapFromLidar(begin + static_cast<double>(b.time)) * Vec3(b.x, b.y, b.z);
    EXPECT_LT((p - q).norm(), 1e-4);
    moved = std::max<double>(moved, std::hypot(a.x - b.x, a.y - b.y));
  }
  EXPECT_GT(moved, 0.2);  // at 6 m/s a twentieth of a second shows
}

TEST(RealDrive, SensorsRunJustBelowTenHertzAndNotInStep) {
  const auto left = messagesOf<msgs::CameraInfo>("/camera/image_02/camera_info");
  const auto right = messagesOf<msgs::CameraInfo>("/camera/image_03/camera_info");
  ASSERT_EQ(left.size(), 19u);
  EXPECT_EQ(left[0].header.frame_id, "camera_image_02_optical");
  const double rate = 18 / (secondsOf(left[18].header) - secondsOf(left[0].header));
  EXPECT_NEAR(rate, 9.68, 0.03);
  const SampleDriveOptions options = shortDrive();
  for (size_t k = 0; k < left.size(); ++k) {
    const double apart = secondsOf(left[k].header) - secondsOf(right[k].header);
    EXPECT_NE(apart, 0);
    EXPECT_LT(std::abs(apart), 0.004);
    const Stamp stamp =
        kSampleDriveStart + cameraTime(options, "image_02", static_cast<int64_t>(k));
    EXPECT_EQ(frameNumberAt(options, "image_02", stamp), static_cast<int64_t>(k));
  }
}

// Truth and renderer of the preset, without a log.
struct Preset {
  explicit Preset(uint64_t seed)
      : truth([&] {
          SampleDriveOptions options = driveOptionsFor(DrivePreset::Real, seed);
          options.rig.lidars["velodyne"].spec.horizontal_resolution_deg = 1;
          return options;
        }()) {}
  SampleDriveTruth truth;
  TownRenderer renderer{truth.town};
};

// Every kind of thing is there to be seen, and nothing stands or drives in the ego's way.
TEST(RealDrive, HasTrafficAndThinThingsButAFreeWay) {
  for (const uint64_t seed : {1, 2, 5}) {
    const Preset preset(seed);
    const SampleDriveTruth& truth = preset.truth;
    std::map<Thing, size_t> counts;
    for (const int64_t k : {20, 90, 160})
      for (const LidarReturn& shot : scanDrive(truth, preset.renderer, "velodyne", k).returns)
        ++counts[shot.thing];
    EXPECT_GT(counts[Thing::Thin], 200u) << seed;
    EXPECT_GT(counts[Thing::Parked], 200u) << seed;
    EXPECT_GT(counts[Thing::Moving], 200u) << seed;
    EXPECT_GT(counts[Thing::OwnCar], 20u) << seed;
    EXPECT_GT(counts[Thing::Still], 10000u) << seed;

    const MoverSweep sweep(truth);
    for (double t = 0; t < truth.options.seconds; t += 0.5) {
      const Rigid3 footprint = truth.motion.mapFromFootprint(t);
      for (const Town::MovingBox& box : truth.town.movingBoxes(t)) {
        const Rigid3 box_from_ego = box.map_from_box.inverse() * footprint;
        for (const double x : {-1.0, 0.0, 1.5, 3.8})
          for (const double y : {-0.9, 0.9}) {
            const Vec3 p = box_from_ego * Vec3(x, y, 0.5);
            EXPECT_FALSE((p.head<2>().array() > box.low.head<2>().array()).all() &&
                         (p.head<2>().array() < box.high.head<2>().array()).all())
                << "seed " << seed << " at " << t << " s";
          }
      }
    }
    EXPECT_FALSE(sweep.contains(truth.motion.mapFromFootprint(10) * Vec3(0, -3, 0.5)));
  }
}

TEST(RealDrive, ACarFollowsAtSixToTwelveMetres) {
  for (const uint64_t seed : {1, 7}) {
    const SampleDriveTruth truth(driveOptionsFor(DrivePreset::Real, seed));
    const MoverSweep sweep(truth);
    for (double t = 0; t < 20; t += 0.25) {
      const Town::MovingBox follower = truth.town.movingBoxes(t).front();
      const Rigid3 ego_from_box =
          truth.motion.mapFromFootprint(t).inverse() * follower.map_from_box;
      const double gap = truth.motion.distanceAt(t) - 1 - follower.high.x() -
                         (truth.motion.distanceAt(t) + std::min(0.0, ego_from_box.translation.x()));
      EXPECT_GT(gap, 4.5) << t;  // straight through bends it is shorter than along the road
      EXPECT_LT(gap, 12.2) << t;
      EXPECT_TRUE(sweep.contains(follower.map_from_box * Vec3(0, 0, 0.8)));
    }
  }
}

TEST(RealDrive, SomethingStopsAndGoesOnAndSomebodyStandsFirst) {
  const SampleDriveTruth truth(driveOptionsFor(DrivePreset::Real, 2));
  size_t stops_and_goes = 0, stands_first = 0;
  const size_t count = truth.town.movingBoxes(0).size();
  for (size_t i = 0; i < count; ++i) {
    const auto speedAt = [&](double t) {
      return (truth.town.movingBoxes(t + 0.1)[i].map_from_box.translation -
              truth.town.movingBoxes(t)[i].map_from_box.translation)
                 .norm() /
             0.1;
    };
    stops_and_goes += speedAt(2) > 4 && speedAt(10) < 1e-6 && speedAt(19) > 4;
    stands_first += speedAt(0.5) < 1e-6 && speedAt(19.5) > 1;
  }
  EXPECT_EQ(stops_and_goes, 1u);
  EXPECT_GE(stands_first, 4u);
}

TEST(RealDrive, AStripOfTheRoadClips) {
  const Preset preset(1);
  const CameraCalibration& camera = preset.truth.options.rig.cameras.at("image_02");
  const double t = 5.6;
  const Image8 image =
      preset.renderer
          .renderView(ViewCamera{camera.image_width, camera.image_height, camera.intrinsics},
                      preset.truth.motion.mapFromBase(t) * camera.extrinsics.baseFromSensor(), t)
          .rgb;
  size_t clipped = 0;
  for (size_t i = 0; i < image.pixels.size(); i += 3)
    clipped += image.pixels[i] == 255 && image.pixels[i + 1] == 255 && image.pixels[i + 2] == 255;
  EXPECT_GT(clipped, image.pixels.size() / 3 / 100);  // a hundredth of the picture
}

TEST(DriveRigs, SurroundLooksEverywhereAndEachLidarHasNoiseOfItsOwn) {
  for (const DrivePreset preset : {DrivePreset::Sample, DrivePreset::Real}) {
    SampleDriveOptions options = driveOptionsFor(preset, 4);
    mountSurroundRig(options);
    EXPECT_EQ(options.rig.cameras.size(), 6u);
    EXPECT_EQ(options.rig.lidars.size(), 2u);
    for (int degrees = 0; degrees < 360; degrees += 10) {
      const double angle = degrees * std::numbers::pi / 180;
      double nearest = 4;
      for (const auto& [id, camera] : options.rig.cameras) {
        EXPECT_NE(camera.frame_id.find("camera_" + id), std::string::npos);
        const Vec3 ahead = camera.extrinsics.baseFromSensor().rotation * Vec3::UnitZ();
        nearest = std::min(
            nearest,
            std::acos(std::clamp(ahead.dot(Vec3(std::cos(angle), std::sin(angle), 0)), -1.0, 1.0)));
      }
      EXPECT_LT(nearest, 0.6) << degrees;
    }
  }
  SampleDriveOptions twins = driveOptionsFor(DrivePreset::Sample, 4);
  twins.rig.lidars["top"].spec.horizontal_resolution_deg = 4;
  twins.rig.lidars["twin"] = twins.rig.lidars["top"];
  const SampleDriveTruth truth(twins);
  const TownRenderer renderer(truth.town);
  const DriveScan one = scanDrive(truth, renderer, "top", 0);
  const DriveScan other = scanDrive(truth, renderer, "twin", 0);
  EXPECT_NE(one.returns[7].x, other.returns[7].x);
}

TEST(RealDrive, TheRoofOfTheCarShadesWhatIsBehindIt) {
  const SampleDriveTruth truth = readSampleDriveTruth(drive());
  const TownRenderer renderer(truth.town);
  size_t own = 0;
  for (const LidarReturn& shot : scanDrive(truth, renderer, "velodyne", 0).returns)
    own += shot.x < 0 && std::hypot(shot.x, shot.y) < 1.8 && std::abs(shot.z + 0.26f) < 0.1f;
  EXPECT_GT(own, 20u);
}

}  // namespace
}  // namespace gs

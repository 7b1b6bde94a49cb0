// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/pose_agreement.hpp"

#include <cmath>
#include <functional>
#include <numbers>

#include <gmock/gmock.h>

#include "gs/core/rng.hpp"
#include "gs_builder/doctor.hpp"
#include "gs_builder/pose_review.hpp"

namespace gs_builder {
namespace {

using gs::Rigid3;
using gs::Vec3;
using ::testing::Contains;
using ::testing::HasSubstr;

constexpr int64_t kStart = 1'700'000'000'000'000'000;
constexpr double kSeconds = 9, kSpeed = 6;

gs::Stamp stampAt(double t) { return {kStart + static_cast<int64_t>(std::llround(1e9 * t))}; }

Rigid3 turned(const Rigid3& pose, double yaw, const Vec3& shift) {
  return Rigid3{gs::fromRollPitchYaw(0, 0, yaw), shift} * pose;
}

// Along a street with a slow bend.
Rigid3 trueBase(double t) {
  return {gs::fromRollPitchYaw(0, 0, 0.02 * t), Vec3(kSpeed * t, 0.06 * t * t, 0)};
}

// Off by `metres` at the end, smoothly, to one side and back along the road.
Rigid3 wanderingBase(double t, double metres) {
  const double away = metres * (1 - std::cos(std::numbers::pi * t / kSeconds)) / 2;
  Rigid3 pose = trueBase(t);
  pose.translation += away * Vec3(-0.6, 0.8, 0);
  return pose;
}

EgoTrajectory trajectoryOf(const std::function<Rigid3(double)>& base) {
  std::vector<StampedPose> poses;
  for (double t = 0; t <= kSeconds; t += 0.02) poses.push_back({stampAt(t), base(t)});
  return EgoTrajectory(std::move(poses));
}

const Rigid3 kBaseFromLidar{gs::fromRollPitchYaw(0.01, 0, 0.3), Vec3(1, 0, 1.8)};

// What a LiDAR sees of a street with house fronts that spring back and forth; other points of the
// same surfaces in every scan, a centimetre off them.
ThinScan streetScan(const Rigid3& map_from_base, size_t message, uint64_t seed) {
  gs::Rng rng(seed);
  const Rigid3 lidar_from_map = (map_from_base * kBaseFromLidar).inverse();
  ThinScan scan{.message = message};
  const auto patch = [&](const Vec3& corner, const Vec3& u, const Vec3& v, double density) {
    const Vec3 normal = u.cross(v).normalized();
    const auto count = static_cast<size_t>(density * u.cross(v).norm());
    for (size_t i = 0; i < count; ++i) {
      const Vec3 p = lidar_from_map * (corner + rng.uniform() * u + rng.uniform() * v +
                                       0.01 * rng.normal() * normal);
      if (std::hypot(p.x(), p.y()) > 3 && std::hypot(p.x(), p.y()) < 30)
        scan.points.push_back(
            {static_cast<float>(p.x()), static_cast<float>(p.y()), static_cast<float>(p.z())});
    }
  };
  const double from = 5 * std::floor(map_from_base.translation.x() / 5) - 30;
  for (int i = 0; i < 12; ++i) {
    const double x = from + 5 * i, step = (static_cast<int>(x / 5) % 2 == 0) ? 1.5 : 0;
    patch({x, -8, 0}, {5, 0, 0}, {0, 22, 0}, 4);
    patch({x, 14 + step, 0}, {5, 0, 0}, {0, 0, 4}, 5);
    patch({x, -8 - step, 0}, {5, 0, 0}, {0, 0, 4}, 5);
    patch({x, 14, 0}, {0, 1.5, 0}, {0, 0, 4}, 8);
    patch({x, -9.5, 0}, {0, 1.5, 0}, {0, 0, 4}, 8);
  }
  return scan;
}

std::vector<ScanPair> streetPairs() {
  std::vector<ScanPair> pairs;
  for (double t = 0; t + 1.5 <= kSeconds; t += 1.5) {
    const auto scan = [&](double at) {
      const auto message = static_cast<size_t>(std::lround(10 * at));
      return std::make_shared<const ThinScan>(streetScan(trueBase(at), message, message + 1));
    };
    pairs.push_back({scan(t), scan(t + 1.5)});
  }
  return pairs;
}

TEST(LayScans, FindHowTheVehicleMovedFromAGuessThatIsOff) {
  const Rigid3 a = trueBase(2) * kBaseFromLidar, b = trueBase(3.5) * kBaseFromLidar;
  const Rigid3 truth = a.inverse() * b;
  const auto found = layScans(streetScan(trueBase(2), 0, 1), streetScan(trueBase(3.5), 1, 2),
                              turned(truth, 0.02, {0.4, -0.3, 0.1}));
  ASSERT_TRUE(found);
  EXPECT_LT((found->translation - truth.translation).norm(), 0.03);
  EXPECT_LT(found->rotation.angularDistance(truth.rotation), 0.003);
}

TEST(LayScans, SayNothingAboutScansOfOtherPlaces) {
  ThinScan nowhere;
  gs::Rng rng(5);
  for (int i = 0; i < 3000; ++i)
    nowhere.points.push_back({static_cast<float>(40 * rng.uniform() - 20),
                              static_cast<float>(40 * rng.uniform() - 20),
                              static_cast<float>(40 * rng.uniform() - 20)});
  EXPECT_FALSE(layScans(streetScan(trueBase(0), 0, 1), nowhere, {}));
  EXPECT_FALSE(layScans({}, {}, {}));
}

TEST(DistanceBetween, IsThatOfShapesNotOfOrigins) {
  const EgoTrajectory truth = trajectoryOf(trueBase);
  const EgoTrajectory elsewhere = trajectoryOf([](double t) {
    return turned(trueBase(t), 1.2, {500, -80, 3});
  });
  EXPECT_LT(distanceBetween(truth, elsewhere)->distance, 1e-6);
  const EgoTrajectory bent = trajectoryOf([](double t) {
    Rigid3 pose = trueBase(t);
    if (t > 4 && t < 5) pose.translation.y() += 2;
    return pose;
  });
  const auto apart = distanceBetween(truth, bent);
  EXPECT_NEAR(apart->distance, 2, 0.4);
  EXPECT_NEAR(gs::toSeconds(apart->at - stampAt(0)), 4.5, 0.6);
  EXPECT_FALSE(distanceBetween(truth, EgoTrajectory()));
}

TEST(FitPoses, MeasureHowFarPosesWander) {
  const EgoTrajectory truth = trajectoryOf(trueBase);
  const EgoTrajectory wandering = trajectoryOf([](double t) { return wanderingBase(t, 2.6); });
  std::vector<TimedPair> pairs;
  for (const ScanPair& pair : streetPairs())
    pairs.push_back({stampAt(0.1 * static_cast<double>(pair.first->message)),
                     stampAt(0.1 * static_cast<double>(pair.second->message)), pair});
  const auto fits = fitPoses({{"good", &truth}, {"bad", &wandering}}, pairs, kBaseFromLidar);
  EXPECT_EQ(fits[0].pairs, pairs.size());
  EXPECT_LT(fits[0].wander, 0.15);
  EXPECT_NEAR(fits[1].wander, 2.6, 0.3);
  EXPECT_NEAR(gs::toSeconds(fits[1].worst - stampAt(0)), kSeconds, 0.2);
  // Alone it is found out, too: nothing better is there to guess from.
  const auto alone = fitPoses({{"bad", &wandering}}, pairs, kBaseFromLidar);
  EXPECT_NEAR(alone[0].wander, 2.6, 0.3);
}

PoseTopic poseTopic(const std::function<Rigid3(double)>& base) {
  PoseTopic topic{
      .type = "nav_msgs/msg/Odometry", .frame_id = "map", .child_frame_id = "base_link"};
  const EgoTrajectory trajectory = trajectoryOf(base);
  for (const StampedPose& pose : trajectory.poses()) {
    topic.stamps.push_back({pose.stamp, pose.stamp});
    topic.frame_from_child.push_back(pose.map_from_base);
  }
  return topic;
}

// A drive of which only poses and scans are known: enough to judge the poses.
LogDigest streetDigest() {
  LogDigest digest;
  digest.survey.start = stampAt(0);
  digest.survey.end = stampAt(kSeconds);
  digest.poses["/a"] = poseTopic([](double t) { return wanderingBase(t, 2.6); });
  TopicSurvey cloud{.name = "/points", .type = "sensor_msgs/msg/PointCloud2", .frame_id = "lidar"};
  for (double t = 0; t <= kSeconds; t += 0.1)
    digest.sensor_stamps["/points"].push_back({stampAt(t), stampAt(t)});
  digest.survey.topics.push_back(cloud);
  digest.lidars["/points"] = {.has_time = true, .has_ring = true, .has_intensity = true};
  digest.scan_pairs["/points"] = streetPairs();
  const auto& t = kBaseFromLidar.translation;
  digest.tf.add("base_link", "lidar", true, stampAt(0), stampAt(0), {t.x(), t.y(), t.z()},
                gs::toXyzw(kBaseFromLidar.rotation));
  digest.tf.settle();
  return digest;
}

TEST(PoseReview, PosesThatWanderMakeALogUnfitAndAreNamed) {
  const LogDigest digest = streetDigest();
  const Diagnosis diagnosis = diagnose(digest, {}, 1);
  EXPECT_EQ(diagnosis.plan.pose_topic, "/a");
  EXPECT_EQ(diagnosis.findings.worstOf("ego pose"), LogFinding::Level::Fatal);
  EXPECT_THAT(toText(diagnosis.findings), HasSubstr("\u2717 ego pose: /a wanders: LiDAR scans"));
  EXPECT_THAT(toText(diagnosis.findings), HasSubstr("--max-wander 2."));
  PipelineConfig patient;
  patient.quality.max_pose_wander_m = 3;
  EXPECT_NE(diagnose(digest, patient, 1).findings.worstOf("ego pose"), LogFinding::Level::Fatal);
}

TEST(PoseReview, TheTopicThatFitsTheScansIsUsedUnlessAnotherIsNamed) {
  LogDigest digest = streetDigest();
  digest.poses["/better"] = poseTopic(trueBase);
  const Diagnosis diagnosis = diagnose(digest, {}, 1);
  EXPECT_EQ(diagnosis.plan.pose_topic, "/better");
  EXPECT_NE(diagnosis.findings.worstOf("ego pose"), LogFinding::Level::Fatal);
  EXPECT_EQ(diagnosis.pose_fits.front().source, "/better");
  EXPECT_THAT(toText(diagnosis.findings), HasSubstr("/better fits the LiDAR"));
  EXPECT_THAT(toText(diagnosis.findings), HasSubstr("/a is not used"));
  PipelineConfig config;
  config.topics.odom = "/a";
  const Diagnosis asked = diagnose(digest, config, 1);
  EXPECT_EQ(asked.plan.pose_topic, "/a");
  EXPECT_EQ(asked.findings.worstOf("ego pose"), LogFinding::Level::Fatal);
  EXPECT_THAT(toText(asked.findings), HasSubstr("/better fits them within"));
}

TEST(PoseReview, WithoutScansADisagreementIsAllThatIsKnown) {
  LogDigest digest = streetDigest();
  digest.scan_pairs.clear();
  digest.poses["/better"] = poseTopic([](double t) { return wanderingBase(t, 8); });
  const Diagnosis diagnosis = diagnose(digest, {}, 1);
  EXPECT_NE(diagnosis.findings.worstOf("ego pose"), LogFinding::Level::Fatal);
  EXPECT_THAT(diagnosis.findings.warnings(), Contains(HasSubstr("/a and /better disagree by")));
}

TEST(ScanSampler, KeepsPairsOfAWholeDriveHoweverLong) {
  const std::vector<std::array<float, 3>> points = {
      {5, 0, 0}, {5.01F, 0, 0}, {1, 0, 0}, {90, 0, 0}};
  for (const int scans : {200, 36'000}) {
    ScanSampler sampler;
    int asked = 0;
    for (int i = 0; i < scans; ++i)
      if (sampler.wants(stampAt(0.1 * i))) {
        sampler.add(points);
        ++asked;
      }
    const auto pairs = sampler.pairs();
    EXPECT_LT(asked, 1200);
    EXPECT_GE(pairs.size(), 20u);
    EXPECT_LE(pairs.size(), 128u);
    for (const ScanPair& pair : pairs) EXPECT_EQ(pair.second->message - pair.first->message, 15u);
    EXPECT_GT(pairs.back().first->message, static_cast<size_t>(0.9 * scans - 20));
    EXPECT_EQ(pairs[0].first->points.size(), 1u);  // not near, not far, no neighbour of another
  }
}

}  // namespace
}  // namespace gs_builder

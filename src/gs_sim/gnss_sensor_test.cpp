// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/gnss_sensor.hpp"

#include <cmath>

#include <gmock/gmock.h>

#include "gs/core/error.hpp"
#include "gs/formats/cdr.hpp"
#include "gs/msgs/sensor_msgs.hpp"
#include "gs/synthetic/minimal_bundle.hpp"
#include "gs_sim/sensor_kinds.hpp"

namespace gs_sim {
namespace {

using gs::Vec3;

WorldData worldWith(const gs::GnssSpec& spec) {
  WorldData world{"minimal", gs::makeMinimalBundle(), {}};
  auto& system = world.bundle.metadata.coordinate_system;
  system.origin_lat = 48.137;
  system.origin_lon = 11.575;
  system.origin_alt = 519;
  world.bundle.calibration.gnss["main"] = {
      .frame_id = "antenna", .extrinsics = {.translation = {0.4, 0.1, 1.6}}, .spec = spec};
  return world;
}

std::unique_ptr<Sensor> receiverOf(const WorldData& world) {
  SimulationParameters parameters;
  for (const NamedChoice& named : choicesIn(parameters.sensors))
    named.choice.enable = named.kind == "gnss";
  return std::move(createSensors(world, parameters).sensors.at(0));
}

GnssFix fixAt(Sensor& receiver, double x, double y, int64_t step = 0) {
  EgoState ego;
  ego.pose = {.x = x, .y = y, .z = 2, .qz = std::sin(0.35), .qw = std::cos(0.35)};
  const StepInfo info{.step = step, .stamp = {100'000'000 * step}};
  const SensorResult result = receiver.sample({info, ego, {}});
  EXPECT_EQ(result.problem, "");
  return *findValue<GnssFix>(result.data.get());
}

TEST(GnssSensor, LocatesTheAntennaBackInTheMapWithinAMillimetre) {
  const WorldData world = worldWith({});
  const auto anchor = gs::findMapAnchor(world.bundle.metadata.coordinate_system);
  const std::unique_ptr<Sensor> receiver = receiverOf(world);
  for (const double far : {0.0, 150.0, 5000.0}) {
    const GnssFix fix = fixAt(*receiver, far, -far / 2);
    ASSERT_TRUE(fix.antenna);
    const gs::Rigid3 map_from_base =
        mapFromBase({.x = far, .y = -far / 2, .z = 2, .qz = std::sin(0.35), .qw = std::cos(0.35)});
    const Vec3 antenna = map_from_base * Vec3(0.4, 0.1, 1.6);
    EXPECT_LT((mapFromGeo(*anchor, *fix.antenna) - antenna).norm(), 0.001) << far;
  }
  EXPECT_NEAR(fixAt(*receiver, 0, 0).antenna->latitude, 48.137, 1e-4);
}

TEST(GnssSensor, IsAsNoisyAsTheCalibrationSays) {
  const WorldData world = worldWith({.horizontal_std = 1.5, .vertical_std = 3});
  const auto anchor = gs::findMapAnchor(world.bundle.metadata.coordinate_system);
  const std::unique_ptr<Sensor> receiver = receiverOf(world);
  Vec3 sum = Vec3::Zero(), square = Vec3::Zero();
  constexpr int kCount = 4000;
  for (int i = 0; i < kCount; ++i) {
    const Vec3 place = mapFromGeo(*anchor, *fixAt(*receiver, 0, 0, i).antenna);
    sum += place;
    square += place.cwiseProduct(place);
  }
  const Vec3 mean = sum / kCount;
  const Vec3 deviation = (square / kCount - mean.cwiseProduct(mean)).cwiseSqrt();
  EXPECT_NEAR(deviation.x(), 1.5, 0.08);
  EXPECT_NEAR(deviation.y(), 1.5, 0.08);
  EXPECT_NEAR(deviation.z(), 3, 0.16);
}

TEST(GnssSensor, SeesNoSatellitesInsideAnOutage) {
  const WorldData world = worldWith({.outages = {{20, -5, 40, 5}}});
  const std::unique_ptr<Sensor> receiver = receiverOf(world);
  EXPECT_TRUE(fixAt(*receiver, 10, 0).antenna);
  EXPECT_FALSE(fixAt(*receiver, 30, 0).antenna);
  EXPECT_TRUE(fixAt(*receiver, 30, 20).antenna);
  const SensorTopic& topic = receiver->description().topics.at(0);
  EXPECT_EQ(topic.name, "/gnss/main/fix");
  const auto messageOf = [&](double x) {
    std::vector<std::byte> bytes;
    topic.encode(*toSensorData(fixAt(*receiver, x, 0)), bytes);
    return gs::decodeCdr<gs::msgs::NavSatFix>(bytes, "fix");
  };
  EXPECT_EQ(messageOf(30).status.status, gs::msgs::NavSatStatus::kStatusNoFix);
  EXPECT_TRUE(std::isnan(messageOf(30).latitude));
  EXPECT_EQ(messageOf(30).position_covariance_type, gs::msgs::NavSatFix::kCovarianceTypeUnknown);
  EXPECT_EQ(messageOf(10).status.status, gs::msgs::NavSatStatus::kStatusFix);
  EXPECT_EQ(messageOf(10).header.frame_id, "antenna");
}

TEST(GnssSensor, NeedsToKnowWhereTheWorldIs) {
  WorldData world = worldWith({});
  auto& system = world.bundle.metadata.coordinate_system;
  system.origin_lat = system.origin_lon = system.origin_alt = std::nullopt;
  EXPECT_THROW(receiverOf(world), gs::Error);
}

}  // namespace
}  // namespace gs_sim

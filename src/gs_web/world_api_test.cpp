// SPDX-License-Identifier: Apache-2.0
#include "gs_web/world_api.hpp"

#include <cmath>
#include <cstring>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "gs_sim/sensor_kinds.hpp"

namespace gs_web {
namespace {

using nlohmann::json;

template <typename T>
T at(const std::string& bytes, size_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return value;
}

TEST(WorldApi, AWorldIsDescribedForThePage) {
  const gs_sim::WorldData world = gs_sim::loadWorld(GS_MINIMAL_WORLD);
  std::vector<gs_sim::SensorDescription> sensors;
  for (const auto& sensor : gs_sim::createSensors(world, {}).sensors)
    sensors.push_back(sensor->description());
  const json text = json::parse(worldText(world, {}, sensors));
  EXPECT_EQ(text["name"], "minimal_test");
  EXPECT_EQ(text["start"]["x"], 10);
  EXPECT_EQ(text["vehicle"]["length"], 4.6);
  ASSERT_EQ(text["cameras"].size(), 1u);
  EXPECT_EQ(text["cameras"][0]["width"], 640);
  ASSERT_EQ(text["sensors"].size(), 2u);
  EXPECT_EQ(text["sensors"][1]["kind"], "lidar");
  EXPECT_EQ(text["sensors"][1]["id"], "top");
  EXPECT_EQ(text["sensors"][1]["topics"][0]["name"], "/lidar/top/points");
  EXPECT_GE(text["drivable"][0][0].size(), 4u);  // polygons, rings, points
  EXPECT_EQ(text["trajectory"].size(), 0u);      // this world was made, not recorded
}

TEST(WorldApi, ThePageKnowsHowBaseLinkHangsOverTheRoad) {
  gs_sim::WorldData world = gs_sim::loadWorld(GS_MINIMAL_WORLD);
  EXPECT_EQ(json::parse(worldText(world, {}, {}))["vehicle"]["base_link_height"], 0);
  world.bundle.timebase.base_link_above_ground =
      gs::BaseLinkAboveGround{.height = 0.95, .roll = -0.016};
  const json measured = json::parse(worldText(world, {}, {}))["vehicle"];
  EXPECT_EQ(measured["base_link_height"], 0.95);
  EXPECT_EQ(measured["base_link_roll"], -0.016);
  gs_sim::VehicleParameters given;
  given.base_link_above_ground = gs::BaseLinkAboveGround{.height = 0.3};
  EXPECT_EQ(json::parse(worldText(world, given, {}))["vehicle"]["base_link_height"], 0.3);
}

TEST(WorldApi, TheGroundIsThinnedToWhatAPageCanShow) {
  gs::Heightmap map{.origin_x = -3, .origin_y = 4, .resolution = 0.5, .width = 1025, .height = 3};
  for (int i = 0; i < 3 * 1025; ++i) map.samples.push_back(static_cast<float>(i));
  map.samples[6] = std::nanf("");
  const std::string bytes = groundBytes(map);
  EXPECT_EQ(at<float>(bytes, 0), -3);
  EXPECT_EQ(at<float>(bytes, 4), 4);
  EXPECT_EQ(at<float>(bytes, 8), 1.5);  // every third sample
  const auto width = at<uint32_t>(bytes, 12), height = at<uint32_t>(bytes, 16);
  EXPECT_EQ(width, 342u);
  EXPECT_EQ(height, 1u);
  ASSERT_EQ(bytes.size(), 20 + 4 * width * height);
  EXPECT_EQ(at<float>(bytes, 20 + 4), 3);
  EXPECT_TRUE(std::isnan(at<float>(bytes, 20 + 8)));
}

TEST(WorldApi, OnlySurfacesBecomePoints) {
  gs::GaussianCloud cloud;
  cloud.resize(3);
  for (size_t i = 0; i < 3; ++i) {
    for (auto& axis : cloud.position) axis[i] = static_cast<float>(i);
    for (auto& axis : cloud.log_scale) axis[i] = -2;
    for (auto& channel : cloud.sh_dc) channel[i] = 0;
    cloud.logit_opacity[i] = 2;
  }
  cloud.logit_opacity[0] = -3;  // hardly to be seen
  cloud.log_scale[1][1] = 3;    // 20 m: sky
  const std::string bytes = pointBytes(cloud);
  ASSERT_EQ(bytes.size(), 4u + 16);
  EXPECT_EQ(at<uint32_t>(bytes, 0), 1u);
  EXPECT_EQ(at<float>(bytes, 4), 2);
  EXPECT_EQ(at<uint8_t>(bytes, 16), 128);
  EXPECT_EQ(at<uint8_t>(bytes, 19), 255);
}

TEST(WorldApi, ManyPointsAreThinned) {
  gs::GaussianCloud cloud;
  cloud.resize(kMaxPoints * 2 + 1);
  for (auto* array : {&cloud.position[0], &cloud.position[1], &cloud.position[2],
                      &cloud.log_scale[0], &cloud.log_scale[1], &cloud.log_scale[2],
                      &cloud.sh_dc[0], &cloud.sh_dc[1], &cloud.sh_dc[2], &cloud.logit_opacity})
    std::fill(array->begin(), array->end(), 0.0f);
  const std::string bytes = pointBytes(cloud);
  EXPECT_LE(at<uint32_t>(bytes, 0), kMaxPoints);
  EXPECT_EQ(bytes.size(), 4 + 16 * at<uint32_t>(bytes, 0));
}

}  // namespace
}  // namespace gs_web

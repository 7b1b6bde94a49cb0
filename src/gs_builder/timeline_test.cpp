// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/timeline.hpp"

#include <set>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "gs/core/error.hpp"
#include "gs_builder/dataset.hpp"
#include "gs_builder/lidar_in_image.hpp"

namespace gs_builder {
namespace {

constexpr int64_t kMs = 1'000'000;

SensorTimeline sensorEvery(int64_t period_ms, int count, bool is_camera, int64_t start_ms = 0) {
  SensorTimeline sensor{.is_camera = is_camera, .topic = "/t"};
  for (int i = 0; i < count; ++i) {
    sensor.stamps.push_back({(start_ms + i * period_ms) * kMs + 1'700'000'000'000'000'000});
    sensor.files.push_back("f" + std::to_string(i));
  }
  return sensor;
}

size_t countOf(const Frameset& frameset, const std::string& name) {
  size_t count = 0;
  for (const Frame& frame : frameset.frames) count += frame.sensors.contains(name);
  return count;
}

TEST(RecordedRate, IsMovedNeitherByJitterNorByGaps) {
  SensorTimeline sensor;
  for (int64_t i = 0; i < 300; ++i) {
    if (i % 50 == 7) continue;  // lost
    const int64_t jitter_us = (i * 7919) % 3001 - 1500;
    sensor.stamps.push_back({1'700'000'000'000'000'000 + i * 103'305'785 + jitter_us * 1000});
  }
  EXPECT_NEAR(recordedRateHz(sensor.stamps), 9.68, 0.011);
  EXPECT_EQ(recordedRateHz(std::vector<gs::Stamp>{}), 0);
  EXPECT_EQ(recordedRateHz({gs::Stamp{5}, gs::Stamp{5}}), 0);
}

TEST(Resample, KeepsTheRatesOfTheRecording) {
  Timeline timeline;
  timeline.sensors["camera_front"] = sensorEvery(103, 50, true);
  timeline.sensors["camera_rear"] = sensorEvery(250, 20, true);
  timeline.sensors["lidar_top"] = sensorEvery(100, 50, false);
  const Frameset recorded = resample(timeline, PipelineConfig::Ingest{});
  EXPECT_EQ(recorded.camera_rate_hz, 9.71);
  EXPECT_EQ(recorded.lidar_rate_hz, 10);
  const Frameset wanted = resample(timeline, PipelineConfig::Ingest{.camera_rate_hz = 5});
  EXPECT_EQ(wanted.camera_rate_hz, 5);
}

TEST(Resample, EveryRecordingIsUsedOnceHoweverItsPhase) {
  for (const int64_t late_ms : {0, 30, 50, 52, 80}) {
    Timeline timeline;
    timeline.sensors["lidar_top"] = sensorEvery(103, 100, false);
    SensorTimeline camera = sensorEvery(103, 100, true, late_ms);
    for (size_t i = 0; i < camera.stamps.size(); ++i)
      camera.stamps[i].ns += (static_cast<int64_t>(i) * 7919) % 3 * kMs;  // jitter
    timeline.sensors["camera_front"] = camera;
    std::set<int64_t> used;
    for (const Frame& frame : resample(timeline, PipelineConfig::Ingest{}).frames) {
      const auto found = frame.sensors.find("camera_front");
      if (found == frame.sensors.end()) continue;
      EXPECT_TRUE(used.insert(found->second.frame_index).second) << late_ms;
    }
    EXPECT_GE(used.size(), 99u) << late_ms;
  }
}

TEST(Resample, BothSensorsOfOneTickShareAFrame) {
  Timeline timeline;
  timeline.sensors["camera_front"] = sensorEvery(50, 20, true);  // 20 Hz
  timeline.sensors["lidar_top"] = sensorEvery(50, 20, false);
  const Frameset frameset = resample(timeline, 10, 20);
  ASSERT_EQ(frameset.frames.size(), 20u);
  EXPECT_EQ(frameset.frames[0].sim_time.ns, 0);
  EXPECT_EQ(frameset.frames[0].sensors.size(), 2u);
  EXPECT_EQ(frameset.frames[1].sensors.size(), 1u);  // 50 ms: no camera
  EXPECT_EQ(frameset.frames[2].sensors.at("camera_front").frame_index, 2);
}

TEST(Resample, ASensorThatStartsLateOrPausesHasNoTriggerThere) {
  Timeline timeline;
  timeline.sensors["lidar_top"] = sensorEvery(50, 100, false);
  timeline.sensors["camera_late"] = sensorEvery(50, 20, true, 4000);
  const Frameset frameset = resample(timeline, 20, 20);
  EXPECT_EQ(countOf(frameset, "lidar_top"), 100u);
  EXPECT_EQ(countOf(frameset, "camera_late"), 20u);
  EXPECT_FALSE(frameset.frames[0].sensors.contains("camera_late"));
}

TEST(Resample, ASlowSensorIsNotAskedMoreOftenThanItSpeaks) {
  Timeline timeline;
  timeline.sensors["lidar_top"] = sensorEvery(100, 11, false);
  const Frameset frameset = resample(timeline, 12, 20);
  for (const Frame& frame : frameset.frames)
    EXPECT_LE(std::abs((frame.sensors.at("lidar_top").stamp.ns - 1'700'000'000'000'000'000) -
                       frame.sim_time.ns),
              50 * kMs);
}

TEST(Frameset, LeadsThereAndBackToTheNanosecond) {
  Timeline timeline;
  timeline.sensors["camera_front"] = sensorEvery(83, 5, true);
  timeline.sensors["camera_front"].stamps[3].ns += 7;
  const Frameset frameset = resample(timeline, 12, 20);
  const std::string text = toFramesetText(frameset);
  EXPECT_EQ(toFramesetText(parseFrameset(text, "frameset.json")), text);
  const auto json = nlohmann::json::parse(text);
  EXPECT_EQ(json["version"], "1.0.0");
  EXPECT_EQ(json["target_rates"]["camera"], 12.0);
  EXPECT_EQ(json["frames"][0]["camera_front"]["frame_index"], 0);
  EXPECT_THAT(text, ::testing::HasSubstr("1700000000.249000007"));
}

TEST(Frameset, WhatIsNoFramesetIsRefused) {
  for (const char* bad :
       {"", "[]", "{}", R"({"target_rates":{"camera":12,"lidar":20}})",
        R"({"target_rates":{"camera":12,"lidar":20},"frames":[{"sim_time":"x"}]})",
        R"({"target_rates":{"camera":12,"lidar":20},"frames":[{"sim_time":0,"a":{}}]})"})
    EXPECT_THROW(parseFrameset(bad, "frameset.json"), gs::Error) << bad;
}

TEST(Timeline, LeadsThereAndBackToTheNanosecond) {
  Timeline timeline{.source_mcap = "a \"b\".mcap"};
  timeline.sensors["camera_front"] = sensorEvery(83, 13, true);
  timeline.sensors["lidar_top"] = sensorEvery(50, 21, false);
  const std::string text = toTimelineText(timeline);
  const auto json = nlohmann::json::parse(text);
  EXPECT_EQ(json["source_mcap"], "a \"b\".mcap");
  EXPECT_EQ(json["sensors"]["lidar_top"]["type"], "lidar");
  EXPECT_EQ(json["sensors"]["lidar_top"]["frame_count"], 21);
  EXPECT_DOUBLE_EQ(json["sensors"]["lidar_top"]["avg_rate"], 21.0);  // frames over their span
  const Timeline read = parseTimeline(text, "timeline.json");
  EXPECT_EQ(read.sensors.at("lidar_top").stamps, timeline.sensors.at("lidar_top").stamps);
  EXPECT_TRUE(read.sensors.at("camera_front").is_camera);
  EXPECT_THROW(parseTimeline("{}", "timeline.json"), gs::Error);
}

TEST(Dataset, FindsImagesWhateverTheLogCallsTheFrameOfACamera) {
  gs::Calibration calibration;
  calibration.cameras["image_02"].frame_id = "camera_image_02_optical";
  calibration.lidars["velodyne"].frame_id = "velo_link";
  calibration.lidars["velodyne"].spec.channels = 64;
  calibration.lidars["velodyne"].spec.vertical_fov_deg = {-24.8, 2.0};
  Frameset frameset;
  for (int i = 0; i < 3; ++i)
    frameset.frames.push_back({.sensors = {{"camera_image_02", {{100 * i * kMs}, i, "0.jpg"}}}});
  const EgoTrajectory trajectory(std::vector<StampedPose>{{.stamp = {0}}, {.stamp = {1000 * kMs}}});
  const auto images = datasetImages(frameset, calibration, trajectory);
  ASSERT_EQ(images.size(), 3u);
  EXPECT_EQ(images[2].camera, "camera_image_02");
  EXPECT_EQ(toNerfstudioJson(images, calibration)["frames"].size(), 3u);
  EXPECT_TRUE(toIntrinsicsJson(calibration)["cameras"].contains("camera_image_02"));
  EXPECT_LT(lineSpacing(calibration, "lidar_velodyne", 465), 4);
}

}  // namespace
}  // namespace gs_builder

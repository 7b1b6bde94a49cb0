// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/pipeline_config.hpp"

#include <gmock/gmock.h>

#include "gs/core/file.hpp"
#include "gs/core/testing/temp_dir.hpp"
#include "gs_builder/config_testing.hpp"

namespace gs_builder {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<std::string> problemsOf(const std::string& yaml) {
  return testing::problemTexts<PipelineConfig>("version: \"1.0.0\"\n" + yaml);
}

TEST(PipelineConfig, TheDefaultsAreUsable) { EXPECT_THAT(problemsIn({}), IsEmpty()); }

TEST(PipelineConfig, TheVersionIsRequiredAndMustBeOneWeRead) {
  EXPECT_THAT(testing::problemTexts<PipelineConfig>("frames: {map: world}"),
              ElementsAre("line 1: version: required, but not there"));
  EXPECT_THAT(testing::problemTexts<PipelineConfig>("version: \"1.3.0\""), IsEmpty());
  EXPECT_THAT(testing::problemTexts<PipelineConfig>("version: \"2.0.0\""),
              ElementsAre(HasSubstr("not supported")));
}

TEST(PipelineConfig, AFullFileIsReadAsWritten) {
  EXPECT_THAT(problemsOf("topics:\n"
                         "  cameras: {front: /camera/front/image_raw, left_2: /c/l/image}\n"
                         "  camera_infos: {front: /camera/front/info}\n"
                         "  lidars: {top: /lidar/points}\n"
                         "  odom: /odom\n"
                         "frames:\n"
                         "  cameras: {front: camera_front/optical}\n"
                         "time_range: {start_sec: 2, duration_sec: 10.5}\n"
                         "origin: {latitude: 35.6, longitude: -180, altitude: -3}\n"
                         "ingest: {image_format: jpg}\n"
                         "quality: {min_rate_hz: 0}\n"
                         "pipeline: {enable_gs_training: false}\n"),
              IsEmpty());
}

TEST(PipelineConfig, BaseLinkIsWhereAVehicleCanHaveIt) {
  EXPECT_THAT(problemsOf("ingest: {base_link_above_ground: {height: 0.95, roll: -0.016}}\n"),
              IsEmpty());
  EXPECT_THAT(problemsOf("ingest: {base_link_above_ground: {height: 95}}\n"),
              ElementsAre(HasSubstr("ingest.base_link_above_ground")));
}

TEST(PipelineConfig, UnknownKeysAreErrorsThatNameTheNearestKey) {
  EXPECT_THAT(problemsOf("topics:\n  cameras: {}\n  lidar: {top: /points}\n"),
              ElementsAre("line 4: topics.lidar: unknown key; did you mean 'lidars'?"));
}

TEST(PipelineConfig, ATopicServesOnePurpose) {
  EXPECT_THAT(problemsOf("topics:\n"
                         "  cameras:\n"
                         "    front: /image\n"
                         "    left: /image\n"
                         "  lidars: {top: /tf}\n"),
              ElementsAre("line 5: topics.cameras.left: topic '/image' is already used by "
                          "topics.cameras.front",
                          "line 6: topics.lidars.top: topic '/tf' is already used by topics.tf"));
}

TEST(PipelineConfig, TopicsAreAbsoluteRosNames) {
  for (const char* bad : {"image", "/a b", "/", "//a", "/a/", "/a/2b", "/a-b", "\"\"", "~/a"})
    EXPECT_THAT(problemsOf(std::string("topics: {odom: ") + bad + "}"),
                ElementsAre(HasSubstr("is not a topic")))
        << bad;
  for (const char* good : {"/a", "/A/b_2/_c", "/sensing/lidar/top/pointcloud_raw_ex"})
    EXPECT_THAT(problemsOf(std::string("topics: {odom: ") + good + "}"), IsEmpty()) << good;
}

TEST(PipelineConfig, SensorIdsAreLowerCaseNames) {
  for (const char* bad : {"Front", "2d", "front-left", "_a", "\"\"", "\"a b\""})
    EXPECT_THAT(problemsOf(std::string("topics: {cameras: {") + bad + ": /image}}"),
                ElementsAre(HasSubstr("a sensor id is")))
        << bad;
}

TEST(PipelineConfig, FramesHaveDistinctNames) {
  EXPECT_THAT(problemsOf("frames:\n  map: odom\n  base_link: \"\"\n"),
              ElementsAre("line 3: frames.odom: frame 'odom' is already used by frames.map",
                          HasSubstr("line 4: frames.base_link: a frame has a name")));
}

TEST(PipelineConfig, NamesForSensorsThatDoNotExistAreMistakes) {
  EXPECT_THAT(problemsOf("topics:\n"
                         "  cameras: {front: /image}\n"
                         "  camera_infos: {frnt: /info}\n"
                         "frames: {cameras: {rear: camera_rear}, lidars: {top: lidar_top}}\n"),
              ElementsAre(HasSubstr("no camera 'frnt'"), HasSubstr("no 'rear' in topics.cameras")));
}

TEST(PipelineConfig, TheOriginIsCompleteAndOnEarth) {
  EXPECT_THAT(problemsOf("origin: {latitude: 35}"), ElementsAre(HasSubstr("given together")));
  EXPECT_THAT(problemsOf("origin: {latitude: 91, longitude: .nan, altitude: .inf}"),
              ElementsAre(HasSubstr("latitude: 91 is not between -90 and 90"),
                          HasSubstr("longitude"), HasSubstr("altitude")));
}

TEST(PipelineConfig, NumbersOutOfRangeAreAllNamed) {
  EXPECT_THAT(problemsOf("time_range:\n"
                         "  start_sec: -1\n"
                         "  duration_sec: 0\n"
                         "ingest: {jpeg_quality: 101}\n"
                         "quality:\n"
                         "  min_rate_hz: -1\n"
                         "  min_duration_sec: .inf\n"
                         "  max_sync_offset_sec: 0\n"),
              ElementsAre(HasSubstr("start_sec"), HasSubstr("duration_sec"),
                          HasSubstr("jpeg_quality"), HasSubstr("min_rate_hz"),
                          HasSubstr("min_duration_sec"), HasSubstr("max_sync_offset_sec")));
}

TEST(PipelineConfig, ASceneIdIsAFolderName) {
  for (const char* bad : {"\"\"", "a/b", "..", ".hidden", "\"a b\""})
    EXPECT_THAT(problemsOf(std::string("output: {scene_id: ") + bad + "}"),
                ElementsAre(HasSubstr("a scene id becomes a folder")))
        << bad;
  EXPECT_THAT(problemsOf("output: {scene_id: Tokyo-2026.02_a}"), IsEmpty());
}

TEST(PipelineConfig, TheLogIsLookedForBesideTheFile) {
  const gs::testing::TempDir dir;
  const auto file = dir / "config.yaml";
  gs::writeFileAtomically(file, "version: \"1.0.0\"\ninput: {mcap_file: drive.mcap}\n");
  EXPECT_THROW(gs::loadConfig<PipelineConfig>(file), gs::Error);
  gs::writeFileAtomically(dir / "drive.mcap", "x");
  EXPECT_EQ(gs::loadConfig<PipelineConfig>(file).input.mcap_file, (dir / "drive.mcap").string());
}

}  // namespace
}  // namespace gs_builder

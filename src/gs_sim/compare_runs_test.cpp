// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/compare_runs.hpp"

#include <functional>

#include <gmock/gmock.h>

#include "gs/core/error.hpp"
#include "gs/core/file.hpp"
#include "gs/core/testing/temp_dir.hpp"
#include "gs_sim/autoware_topics.hpp"
#include "gs_sim/recorder.hpp"
#include "gs_sim/testing/sample_steps.hpp"

namespace gs_sim {
namespace {

using Kind = RunDifference::Kind;
const FrameNames kFrames{"map", "odom", "base_link"};

class CompareRuns : public testing::Test {
 protected:
  std::filesystem::path record(const std::string& name, int64_t steps,
                               const std::function<void(StepOutput&)>& change = {}) const {
    const TopicTable table = makeSampleTable();
    Recorder recorder(dir_ / name, table.topics(), kFrames);
    recorder.record(table.saidOnce(sampleStamp(0)));
    for (int64_t i = 0; i < steps; ++i) {
      StepOutput step = makeSampleStep(i);
      if (change) change(step);
      recorder.record(published(table, std::move(step)));
    }
    recorder.close();
    return recorder.file();
  }

  gs::testing::TempDir dir_;
};

TEST_F(CompareRuns, EqualRunsAreTheSame) {
  const auto a = record("a.mcap", 25), b = record("b.mcap", 25);
  const RunComparison comparison = compareRuns(a, b);
  EXPECT_TRUE(comparison.isSame());
  EXPECT_EQ(comparison.messages, 2u + 4 * 25 + 4 * 3);
  EXPECT_EQ(toText(comparison), "the same: 114 messages");
}

TEST_F(CompareRuns, NamesTheFieldThatDiffersFirst) {
  const auto a = record("a.mcap", 25), b = record("b.mcap", 25, [](StepOutput&step) {
                                         if (step.info.step >= 12) step.ego.pose.y += 0.5;
                                       });
  const RunComparison comparison = compareRuns(a, b);
  ASSERT_FALSE(comparison.isSame());
  const RunDifference& difference = *comparison.difference;
  EXPECT_EQ(difference.kind, Kind::Content);
  EXPECT_EQ(difference.topic, "/tf");
  EXPECT_EQ(difference.stamp, sampleStamp(12));
  EXPECT_EQ(difference.field, "transforms[1].transform.translation.y");
  EXPECT_THAT(toText(comparison), testing::HasSubstr("/tf at 3.620000000 s"));
}

TEST_F(CompareRuns, NamesPixelsAndPoints) {
  const auto a = record("a.mcap", 11);
  const auto b = record("b.mcap", 11, [](StepOutput& step) {
    if (step.info.step == 10)
      changeValues<CameraFrame>(step, [](CameraFrame& frame) { frame.image.at(2, 1)[1] = 0; });
  });
  const auto c = record("c.mcap", 11, [](StepOutput& step) {
    if (step.info.step == 10)
      changeValues<LidarScan>(step, [](LidarScan& scan) { scan.intensity[3] = 7; });
  });
  const RunComparison image = compareRuns(a, b), cloud = compareRuns(a, c);
  ASSERT_TRUE(image.difference);
  EXPECT_EQ(image.difference->topic, "/camera/front/image_raw");
  EXPECT_EQ(image.difference->field, "data[22] (pixel 2, 1, channel 1)");
  EXPECT_EQ(image.difference->second, "0");
  ASSERT_TRUE(cloud.difference);
  EXPECT_THAT(cloud.difference->field, testing::HasSubstr("(point 3, intensity)"));
}

TEST_F(CompareRuns, NamesFieldsOfTopicsThatAWorldOrAnInterfaceAdds) {
  const auto vehicle = std::make_shared<AutowareVehicle>();
  const auto recordTurning = [&](const std::string& name, uint8_t indicators) {
    const TopicTable table = makeSampleTable(autowareTopics(kFrames, vehicle));
    Recorder recorder(dir_ / name, table.topics(), kFrames);
    vehicle->turn_indicators = indicators;
    recorder.record(published(table, makeSampleStep(1)));
    recorder.close();
    return recorder.file();
  };
  const auto a = recordTurning("a.mcap", 1), b = recordTurning("b.mcap", 2);
  const RunComparison comparison = compareRuns(a, b);
  ASSERT_TRUE(comparison.difference);
  EXPECT_EQ(comparison.difference->topic, "/vehicle/status/turn_indicators_status");
  EXPECT_EQ(comparison.difference->field, "report");
}

TEST_F(CompareRuns, NoticesMissingMessagesAndShortRuns) {
  const auto a = record("a.mcap", 15), b = record("b.mcap", 14);
  const auto c = record(
      "c.mcap", 15, [](StepOutput& step) { step.readings.resize(step.readings.empty() ? 0 : 1); });
  EXPECT_EQ(compareRuns(a, b).difference->kind, Kind::OnlyInFirst);
  EXPECT_EQ(compareRuns(b, a).difference->kind, Kind::OnlyInSecond);
  EXPECT_EQ(compareRuns(b, a).difference->stamp, sampleStamp(14));
  const RunComparison without_clouds = compareRuns(a, c);
  EXPECT_EQ(without_clouds.difference->kind, Kind::OnlyInFirst);
  EXPECT_EQ(without_clouds.difference->topic, "/lidar/top/points");
  EXPECT_TRUE(compareRuns(a, c, {.ignored_topics = {"/lidar/top/points"}}).isSame());
}

TEST_F(CompareRuns, RefusesWhatIsNoLog) {
  const auto a = record("a.mcap", 2);
  gs::writeFile(dir_ / "text.mcap", std::string_view("not a log"));
  EXPECT_THROW(compareRuns(a, dir_ / "text.mcap"), gs::Error);
  EXPECT_THROW(compareRuns(a, dir_ / "nothing.mcap"), gs::Error);
}

}  // namespace
}  // namespace gs_sim

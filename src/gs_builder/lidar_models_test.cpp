// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/lidar_models.hpp"

#include <gmock/gmock.h>

namespace gs_builder {
namespace {

std::vector<double> evenly(double low, double high, int count) {
  std::vector<double> angles;
  for (int i = 0; i < count; ++i) angles.push_back(low + (high - low) * i / (count - 1));
  return angles;
}

TEST(FindLidarModel, KnowsWhatIsSold) {
  const auto name_of = [](const std::vector<double>& angles) {
    const auto model = findLidarModel(angles);
    return model ? model->name : "none";
  };
  EXPECT_EQ(name_of(evenly(-15, 15, 16)), "VLP-16");
  EXPECT_EQ(name_of(evenly(-30.67, 10.67, 32)), "HDL-32E");
  EXPECT_EQ(name_of(evenly(-44.6, 45.3, 128)), "OS0-128");
  EXPECT_EQ(name_of(evenly(-21.8, 21.9, 64)), "OS1-64");
  EXPECT_EQ(name_of(evenly(-16.3, 17.0, 64)), "OS1-64");
  EXPECT_EQ(name_of(evenly(-11.2, 11.3, 32)), "OS2-32");
  EXPECT_EQ(name_of(evenly(-25, 15, 32)), "none");
  EXPECT_EQ(name_of({}), "none");
}

TEST(FindLidarModel, MeasuredAnglesOfOneByOneCalibratedUnitsStay) {
  std::vector<double> angles = evenly(-24.9, -9.0, 32);
  for (const double angle : evenly(-8.7, 1.95, 32)) angles.push_back(angle);
  const auto model = findLidarModel(angles);
  ASSERT_TRUE(model);
  EXPECT_EQ(model->name, "HDL-64E");
  EXPECT_TRUE(model->elevations_deg.empty());
}

TEST(FindLidarModel, BeamsThatSawOnlySkyComeFromTheMaker) {
  const std::vector<double> whole = findLidarModel(evenly(-15, 15, 16))->elevations_deg;
  std::vector<double> seen = evenly(-30.65, 10.65, 32);
  seen.resize(28);
  const auto model = findLidarModel(seen);
  ASSERT_TRUE(model);
  EXPECT_EQ(model->name, "HDL-32E");
  ASSERT_EQ(model->elevations_deg.size(), 32u);
  EXPECT_NEAR(model->elevations_deg.back(), 10.667, 1e-3);
  EXPECT_EQ(whole.size(), 16u);
  EXPECT_THAT(whyBeamsLookMissing(seen, model), ::testing::HasSubstr("28 of the 32 beams"));
}

TEST(WhyBeamsLookMissing, FewerThanAKnownModelHasInTheSameField) {
  std::vector<double> angles = evenly(-24.4, 2.1, 39);
  EXPECT_FALSE(findLidarModel(angles));
  EXPECT_THAT(whyBeamsLookMissing(angles, std::nullopt), ::testing::HasSubstr("HDL-64E has 64"));
}

TEST(WhyBeamsLookMissing, WiderSpreadTowardsTheEndsIsNoGap) {
  EXPECT_EQ(whyBeamsLookMissing({-25, -15.6, -11.3, -8.8, -7.2, -6.1, -5.3, -4.6}, std::nullopt),
            "");
  EXPECT_NE(whyBeamsLookMissing({-12, -11.3, -8.8, -8, -7.2}, std::nullopt), "");
}

}  // namespace
}  // namespace gs_builder

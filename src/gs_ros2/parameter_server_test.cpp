// SPDX-License-Identifier: Apache-2.0
#include "gs_ros2/parameter_server.hpp"

#include <gmock/gmock.h>

namespace gs_ros2 {
namespace {

namespace msgs = gs::msgs;
using namespace std::string_literals;
using ::testing::ElementsAre;
using ::testing::SizeIs;

TEST(ParameterServer, EveryKindOfValueSurvivesTheMessage) {
  const std::vector<gs_sim::ParameterValue> all = {{},
                                                   true,
                                                   int64_t{-7},
                                                   0.5,
                                                   "text"s,
                                                   std::vector{std::byte{1}, std::byte{255}},
                                                   std::vector{true, false},
                                                   std::vector<int64_t>{1, 2},
                                                   std::vector{0.5, 1.5},
                                                   std::vector{"a"s, "b"s}};
  for (const gs_sim::ParameterValue& value : all) {
    const msgs::ParameterValue message = toMessage(value);
    EXPECT_EQ(message.type, value.index());
    EXPECT_EQ(fromMessage(message), value) << value.index();
  }
}

TEST(ParameterServer, ATypeThatDoesNotExistIsNothing) {
  msgs::ParameterValue odd;
  odd.type = 200;
  odd.double_value = 3;
  EXPECT_FALSE(gs_sim::isSet(fromMessage(odd)));
}

gs_sim::ParameterStore someParameters() {
  gs_sim::ParameterStore store;
  store.declare("speed", {.value = 1.0,
                          .description = "times real time",
                          .change = [](const auto&) { return ""s; },
                          .range = gs_sim::ParameterRange{0, 100}});
  store.declare("wheel.radius", {.value = 0.3});
  return store;
}

TEST(ParameterServer, DescriptionsSayWhatMayChange) {
  const auto store = someParameters();
  const auto speed = describeParameter(store, "speed");
  EXPECT_FALSE(speed.read_only);
  EXPECT_EQ(speed.type, msgs::ParameterType::kParameterDouble);
  EXPECT_EQ(speed.description, "times real time");
  ASSERT_THAT(speed.floating_point_range, SizeIs(1));
  EXPECT_EQ(speed.floating_point_range[0].to_value, 100);
  EXPECT_TRUE(describeParameter(store, "wheel.radius").read_only);
  EXPECT_EQ(describeParameter(store, "who").type, msgs::ParameterType::kParameterNotSet);
}

TEST(ParameterServer, ListsNameTheParentsOfWhatTheyList) {
  const auto listed = listParameters(someParameters(), {}).result;
  EXPECT_THAT(listed.names, ElementsAre("speed", "wheel.radius"));
  EXPECT_THAT(listed.prefixes, ElementsAre("wheel"));
}

}  // namespace
}  // namespace gs_ros2

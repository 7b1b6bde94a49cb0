// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/parameter_store.hpp"

#include <gmock/gmock.h>

namespace gs_sim {
namespace {

namespace msgs = gs::msgs;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

enum class Colour { Red, Blue };
constexpr auto enumWords(std::type_identity<Colour>) {
  return std::to_array<gs::EnumWord<Colour>>({{Colour::Red, "red"}, {Colour::Blue, "blue"}});
}

struct Settings {
  struct Wheel {
    double radius = 0.3;
    static void fields(auto& self, auto&& visit) { visit("radius", self.radius, {.comment = "m"}); }
  };
  Wheel wheel;
  Colour colour = Colour::Blue;
  bool is_on = true;
  uint64_t seed = 7;
  std::optional<double> limit;
  std::optional<Wheel> spare;
  std::vector<std::string> names = {"a", "b"};

  static void fields(auto& self, auto&& visit) {
    visit("wheel", self.wheel);
    visit("colour", self.colour);
    visit("is_on", self.is_on);
    visit("seed", self.seed);
    visit("limit", self.limit);
    visit("spare", self.spare);
    visit("names", self.names);
  }
};

ParameterStore storeWithSpeed(double& speed) {
  ParameterStore store;
  store.declareFields(Settings());
  store.declare("speed", {.value = toParameter(1.0),
                          .description = "times real time",
                          .change = [&speed](const msgs::ParameterValue& value) -> std::string {
                            if (value.double_value == 13) return "not thirteen";
                            speed = value.double_value;
                            return "";
                          },
                          .range = msgs::FloatingPointRange{0, 100, 0}});
  return store;
}

TEST(Parameters, EveryLeafOfAStructIsOne) {
  double speed = 1;
  const ParameterStore store = storeWithSpeed(speed);
  EXPECT_THAT(store.list({}).result.names,
              ElementsAre("colour", "is_on", "limit", "names", "seed", "speed", "wheel.radius"));
  EXPECT_THAT(store.list({}).result.prefixes, ElementsAre("wheel"));
  const auto values =
      store.get({{"colour", "is_on", "seed", "limit", "wheel.radius", "who"}}).values;
  EXPECT_EQ(values[0], toParameter(std::string("blue")));
  EXPECT_EQ(values[1], toParameter(true));
  EXPECT_EQ(values[2], toParameter(int64_t{7}));
  EXPECT_EQ(values[3].type, 0);
  EXPECT_EQ(values[4], toParameter(0.3));
  EXPECT_EQ(values[5].type, 0);
  EXPECT_THAT(store.types({{"is_on", "who"}}).types, ElementsAre(1, 0));
}

TEST(Parameters, ListsFollowPrefixAndDepth) {
  double speed = 1;
  const ParameterStore store = storeWithSpeed(speed);
  EXPECT_THAT(store.list({.prefixes = {"wheel"}}).result.names, ElementsAre("wheel.radius"));
  EXPECT_THAT(store.list({.prefixes = {"whee"}}).result.names, IsEmpty());
  EXPECT_THAT(store.list({.prefixes = {}, .depth = 1}).result.names, SizeIs(6));
}

TEST(Parameters, DescriptionsSayWhatMayChange) {
  double speed = 1;
  const auto found = storeWithSpeed(speed).describe({{"speed", "wheel.radius", "who"}}).descriptors;
  ASSERT_THAT(found, SizeIs(3));
  EXPECT_FALSE(found[0].read_only);
  EXPECT_EQ(found[0].description, "times real time");
  EXPECT_THAT(found[0].floating_point_range, SizeIs(1));
  EXPECT_TRUE(found[1].read_only);
  EXPECT_EQ(found[2].type, 0);
}

TEST(Parameters, OnlySoundChangesAreTakenOver) {
  double speed = 1;
  ParameterStore store = storeWithSpeed(speed);
  std::vector<msgs::Parameter> changed;
  const auto results = store
                           .set({{{"speed", toParameter(0.5)},
                                  {"speed", toParameter(int64_t{2})},
                                  {"speed", toParameter(101.0)},
                                  {"speed", toParameter(std::nan(""))},
                                  {"speed", toParameter(13.0)},
                                  {"wheel.radius", toParameter(1.0)},
                                  {"who", toParameter(1.0)}}},
                                changed)
                           .results;
  ASSERT_THAT(results, SizeIs(7));
  EXPECT_TRUE(results[0].successful);
  for (size_t i = 1; i < 7; ++i) {
    EXPECT_FALSE(results[i].successful) << i;
    EXPECT_NE(results[i].reason, "") << i;
  }
  EXPECT_EQ(speed, 0.5);
  EXPECT_THAT(changed, ElementsAre(msgs::Parameter{"speed", toParameter(0.5)}));
  EXPECT_EQ(store.get({{"speed"}}).values[0], toParameter(0.5));
}

TEST(Parameters, FixedOnesFollowTheStructThatTheyShow) {
  double speed = 1;
  ParameterStore store = storeWithSpeed(speed);
  Settings other;
  other.seed = 8;
  other.limit = 3.5;
  const auto changed = store.updateFields(other);
  EXPECT_THAT(changed, ElementsAre(msgs::Parameter{"limit", toParameter(3.5)},
                                   msgs::Parameter{"seed", toParameter(int64_t{8})}));
  EXPECT_EQ(store.get({{"seed"}}).values[0], toParameter(int64_t{8}));
  EXPECT_THAT(store.updateFields(other), IsEmpty());
}

TEST(Parameters, TogetherMeansAllOrNone) {
  double speed = 1;
  ParameterStore store = storeWithSpeed(speed);
  std::vector<msgs::Parameter> changed;
  EXPECT_FALSE(
      store.setAtomically({{{"speed", toParameter(2.0)}, {"speed", toParameter(13.0)}}}, changed)
          .result.successful);
  EXPECT_EQ(speed, 1);
  EXPECT_THAT(changed, IsEmpty());
  EXPECT_TRUE(store.setAtomically({{{"speed", toParameter(2.0)}}}, changed).result.successful);
  EXPECT_EQ(speed, 2);
}

TEST(Parameters, YamlIsReadAsRosReadsIt) {
  const auto parsed = [](const char* text) {
    std::vector<gs::Problem> problems;
    return toParameter(*gs::parseDocument(text, gs::DocumentFormat::Yaml, problems));
  };
  EXPECT_EQ(parsed("true"), toParameter(true));
  EXPECT_EQ(parsed("1"), toParameter(int64_t{1}));
  EXPECT_EQ(parsed("1.0"), toParameter(1.0));
  EXPECT_EQ(parsed("1e3"), toParameter(1000.0));
  EXPECT_EQ(parsed("text"), toParameter(std::string("text")));
  EXPECT_EQ(parsed("[a, b]"), toParameter(std::vector<std::string>{"a", "b"}));
  EXPECT_THAT(parsed("[1, 2]")->integer_array_value, ElementsAre(1, 2));
  EXPECT_THAT(parsed("[1, 2.5]")->double_array_value, ElementsAre(1, 2.5));
  EXPECT_EQ(parsed("{a: 1}"), std::nullopt);
  EXPECT_EQ(parsed("[1, a]"), std::nullopt);
}

}  // namespace
}  // namespace gs_sim

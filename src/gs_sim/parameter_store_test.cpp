// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/parameter_store.hpp"

#include <cmath>

#include <gmock/gmock.h>

namespace gs_sim {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using namespace std::string_literals;

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
  store.declare("speed", {.value = 1.0,
                          .description = "times real time",
                          .change = [&speed](const ParameterValue& value) -> std::string {
                            if (std::get<double>(value) == 13) return "not thirteen";
                            speed = std::get<double>(value);
                            return "";
                          },
                          .range = ParameterRange{0, 100}});
  return store;
}

TEST(Parameters, EveryLeafOfAStructIsOne) {
  double speed = 1;
  const ParameterStore store = storeWithSpeed(speed);
  EXPECT_THAT(store.names(),
              ElementsAre("colour", "is_on", "limit", "names", "seed", "speed", "wheel.radius"));
  EXPECT_EQ(store.get("colour"), ParameterValue("blue"s));
  EXPECT_EQ(store.get("is_on"), ParameterValue(true));
  EXPECT_EQ(store.get("seed"), ParameterValue(int64_t{7}));
  EXPECT_FALSE(isSet(store.get("limit")));
  EXPECT_EQ(store.get("wheel.radius"), ParameterValue(0.3));
  EXPECT_NE(store.find("limit"), nullptr);
  EXPECT_FALSE(isSet(store.get("who")));
  EXPECT_EQ(store.find("who"), nullptr);
}

TEST(Parameters, ListsFollowPrefixAndDepth) {
  double speed = 1;
  const ParameterStore store = storeWithSpeed(speed);
  EXPECT_THAT(store.names({"wheel"}), ElementsAre("wheel.radius"));
  EXPECT_THAT(store.names({"whee"}), IsEmpty());
  EXPECT_THAT(store.names({}, 1), SizeIs(6));
}

TEST(Parameters, OnlySoundChangesAreTakenOver) {
  double speed = 1;
  ParameterStore store = storeWithSpeed(speed);
  std::vector<Parameter> changed;
  EXPECT_EQ(store.set({"speed", 0.5}, changed), "");
  for (const Parameter& wish : std::vector<Parameter>{{"speed", int64_t{2}},
                                                      {"speed", 101.0},
                                                      {"speed", std::nan("")},
                                                      {"speed", 13.0},
                                                      {"wheel.radius", 1.0},
                                                      {"who", 1.0}})
    EXPECT_NE(store.set(wish, changed), "") << wish.name << wish.value.index();
  EXPECT_EQ(speed, 0.5);
  EXPECT_THAT(changed, ElementsAre(Parameter{"speed", 0.5}));
  EXPECT_EQ(store.get("speed"), ParameterValue(0.5));
}

TEST(Parameters, FixedOnesFollowTheStructThatTheyShow) {
  double speed = 1;
  ParameterStore store = storeWithSpeed(speed);
  Settings other;
  other.seed = 8;
  other.limit = 3.5;
  const auto changed = store.updateFields(other);
  EXPECT_THAT(changed, ElementsAre(Parameter{"limit", 3.5}, Parameter{"seed", int64_t{8}}));
  EXPECT_EQ(store.get("seed"), ParameterValue(int64_t{8}));
  EXPECT_THAT(store.updateFields(other), IsEmpty());
}

TEST(Parameters, TogetherMeansAllOrNone) {
  double speed = 1;
  ParameterStore store = storeWithSpeed(speed);
  std::vector<Parameter> changed;
  EXPECT_EQ(store.setAtomically({{"speed", 2.0}, {"speed", 13.0}}, changed), "not thirteen");
  EXPECT_EQ(speed, 1);
  EXPECT_THAT(changed, IsEmpty());
  EXPECT_EQ(store.setAtomically({{"speed", 2.0}}, changed), "");
  EXPECT_EQ(speed, 2);
}

TEST(Parameters, YamlIsReadAsRosReadsIt) {
  const auto parsed = [](const char* text) {
    std::vector<gs::Problem> problems;
    return toParameter(*gs::parseDocument(text, gs::DocumentFormat::Yaml, problems));
  };
  EXPECT_EQ(parsed("true"), ParameterValue(true));
  EXPECT_EQ(parsed("1"), ParameterValue(int64_t{1}));
  EXPECT_EQ(parsed("1.0"), ParameterValue(1.0));
  EXPECT_EQ(parsed("1e3"), ParameterValue(1000.0));
  EXPECT_EQ(parsed("text"), ParameterValue("text"s));
  EXPECT_EQ(parsed("[true, false]"), ParameterValue(std::vector{true, false}));
  EXPECT_EQ(parsed("[a, b]"), ParameterValue(std::vector{"a"s, "b"s}));
  EXPECT_EQ(parsed("[1, 2]"), ParameterValue(std::vector<int64_t>{1, 2}));
  EXPECT_EQ(parsed("[1, 2.5]"), ParameterValue(std::vector{1.0, 2.5}));
  EXPECT_EQ(parsed("{a: 1}"), std::nullopt);
  EXPECT_EQ(parsed("[1, a]"), std::nullopt);
}

}  // namespace
}  // namespace gs_sim

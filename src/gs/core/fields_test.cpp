// SPDX-License-Identifier: Apache-2.0
#include "gs/core/fields.hpp"

#include <gmock/gmock.h>

#include "gs/core/read_fields.hpp"
#include "gs/core/rng.hpp"
#include "gs/core/write_fields.hpp"

namespace gs {
namespace {

enum class Color { Red, Blue };
constexpr auto enumWords(std::type_identity<Color>) {
  return std::to_array<EnumWord<Color>>({{Color::Red, "red"}, {Color::Blue, "blue"}});
}

struct Wheel {
  double radius = 0.3;
  int bolts = 5;
  bool operator==(const Wheel&) const = default;
  static void fields(auto& self, auto&& visit) {
    visit("radius", self.radius, {.is_required = true});
    visit("bolts", self.bolts);
  }
};

struct Car {
  std::string name = "unnamed";
  Color color = Color::Red;
  bool is_electric = false;
  std::array<double, 3> position{};
  std::vector<Wheel> wheels;
  std::map<std::string, double> masses;
  std::optional<std::string> owner;
  uint8_t seats = 4;
  bool operator==(const Car&) const = default;
  static void fields(auto& self, auto&& visit) {
    visit("name", self.name, {.alias = "label"});
    visit("color", self.color);
    visit("is_electric", self.is_electric);
    visit("position", self.position);
    visit("wheels", self.wheels);
    visit("masses", self.masses);
    visit("owner", self.owner);
    visit("seats", self.seats);
  }
};

Car readCar(std::string_view yaml, std::vector<Problem>& problems) {
  const auto root = parseDocument(yaml, DocumentFormat::Yaml, problems);
  return root ? readFields<Car>(*root, problems) : Car{};
}

TEST(ReadFields, AbsentKeysKeepTheDefaultOfTheStruct) {
  std::vector<Problem> problems;
  EXPECT_EQ(readCar("is_electric: true", problems), (Car{.is_electric = true}));
  EXPECT_TRUE(problems.empty());
}

TEST(ReadFields, ReportsEveryProblemAtOnceWithPathAndLine) {
  std::vector<Problem> problems;
  readCar(
      "name: [1]\n"
      "colr: blue\n"
      "color: green\n"
      "position: [1, 2]\n"
      "wheels:\n"
      "  - bolts: many\n"
      "seats: 300\n",
      problems);
  std::vector<std::string> texts;
  for (const Problem& problem : problems) texts.push_back(toString(problem));
  EXPECT_THAT(texts, ::testing::ElementsAre(
                         "line 1: name: expected a string, found a list of 1 values",
                         "line 3: color: expected one of 'red', 'blue', found 'green'",
                         "line 4: position: expected a list of 3 values, found a list of 2 values",
                         "line 6: wheels[0].radius: required, but not there",
                         "line 6: wheels[0].bolts: expected a whole number, found 'many'",
                         "line 7: seats: 300 is out of range",
                         "line 2: colr: unknown key; did you mean 'color'?"));
}

TEST(ReadFields, AnAliasIsReadAndTheNameWins) {
  std::vector<Problem> problems;
  EXPECT_EQ(readCar("label: a", problems).name, "a");
  EXPECT_EQ(readCar("label: a\nname: b", problems).name, "b");
  EXPECT_TRUE(problems.empty());
}

TEST(ReadFields, ASectionWithAllItsKeysCommentedOutIsAnEmptySection) {
  std::vector<Problem> problems;
  EXPECT_EQ(readCar("masses:\n  # body: 900\nwheels: []\n", problems), Car{});
  EXPECT_TRUE(problems.empty());
  readCar("wheels:\n  -\n", problems);
  ASSERT_EQ(problems.size(), 1U);  // its required keys are still required
  EXPECT_EQ(problems[0].path, "wheels[0].radius");
}

struct Bicycle {
  Wheel front;
  static void fields(auto& self, auto&& visit) {
    visit("front", self.front, {.is_required = true});
  }
};

TEST(ReadFields, AMissingSectionIsNamedTogetherWithTheKeysItMustHold) {
  std::vector<Problem> problems;
  readFields<Bicycle>(*parseDocument("{}", DocumentFormat::Json, problems), problems);
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_EQ(toString(problems[0]), "line 1: front: required, but not there, with radius");
}

TEST(WriteFields, WhatIsWrittenIsReadBackBitForBit) {
  Rng rng(3);
  for (int round = 0; round < 200; ++round) {
    Car car{.name = "a \"quoted\" name: #" + std::to_string(rng.next()), .color = Color::Blue};
    for (double& x : car.position) x = rng.normal() * std::pow(10.0, rng.uniform(-300, 300));
    for (uint64_t i = rng.below(3); i > 0; --i) car.wheels.push_back({rng.uniform(), 1});
    car.masses["no"] = rng.uniform();
    car.masses["tab\tand \xC3\xA9"] = -0.0;
    if (rng.below(2) == 0) car.owner = "null";
    const nlohmann::ordered_json json = toJson(car);
    for (const auto format : {DocumentFormat::Json, DocumentFormat::Yaml}) {
      const std::string text = format == DocumentFormat::Json ? toText(json) : toYamlText(json);
      std::vector<Problem> problems;
      const auto root = parseDocument(text, format, problems);
      ASSERT_TRUE(root) << text << toString(problems.front());
      EXPECT_EQ(readFields<Car>(*root, problems), car) << text;
      EXPECT_TRUE(problems.empty()) << toString(problems.front());
    }
  }
}

TEST(WriteFields, YamlIsWrittenForPeople) {
  const Car car{.name = "x", .position = {1, 2, 3.5}, .wheels = {{0.3, 5}, {0.4, 6}}};
  EXPECT_EQ(toYamlText(toJson(car)),
            "name: \"x\"\n"
            "color: \"red\"\n"
            "is_electric: false\n"
            "position: [1.0, 2.0, 3.5]\n"
            "wheels:\n"
            "  - radius: 0.3\n"
            "    bolts: 5\n"
            "  - radius: 0.4\n"
            "    bolts: 6\n"
            "masses: {}\n"
            "seats: 4\n");
}

TEST(WriteFields, BrokenTextInAMessageIsReplacedNotThrown) {
  EXPECT_THAT(toText({{"file", "\xff"}}), ::testing::HasSubstr("\xEF\xBF\xBD"));
}

}  // namespace
}  // namespace gs

// SPDX-License-Identifier: Apache-2.0
#include "gs/core/commented_yaml.hpp"

#include <gmock/gmock.h>

#include "gs/core/read_fields.hpp"

namespace gs {
namespace {

enum class Fuel { Petrol, Hydrogen };
constexpr auto enumWords(std::type_identity<Fuel>) {
  return std::to_array<EnumWord<Fuel>>({{Fuel::Petrol, "petrol"}, {Fuel::Hydrogen, "hydrogen"}});
}

struct Tank {
  double volume = 0.05;
  Fuel fuel = Fuel::Hydrogen;
  bool operator==(const Tank&) const = default;
  static void fields(auto& self, auto&& visit) {
    visit("volume", self.volume, {.comment = "m3"});
    visit("fuel", self.fuel, {.comment = "what it burns"});
  }
};

struct Tuning {
  int map = 3;
  bool operator==(const Tuning&) const = default;
  static void fields(auto& self, auto&& visit) {
    visit("map", self.map, {.comment = "ignition map", .is_expert = true});
  }
};

struct Engine {
  Tank tank;
  Tuning tuning;
  std::optional<std::string> owner;
  std::map<std::string, int> pistons;
  std::vector<int> gears = {1, 2};
  bool operator==(const Engine&) const = default;
  static void fields(auto& self, auto&& visit) {
    visit("tank", self.tank);
    visit("tuning", self.tuning);
    visit("owner", self.owner, {.comment = "who pays", .example = "\"Ann\""});
    visit("pistons", self.pistons, {.example = "{front: 2}"});
    visit("gears", self.gears);
  }
};

TEST(CommentedYaml, ShowsCommonFieldsWithCommentsAndAbsentOnesAsExamples) {
  EXPECT_EQ(toCommentedYaml(Engine{}),
            "tank:\n"
            "  volume: 0.05                    # m3\n"
            "  fuel: \"hydrogen\"                # what it burns: petrol | hydrogen\n"
            "# owner: \"Ann\"                    # who pays\n"
            "# pistons: {front: 2}\n"
            "gears: [1, 2]\n");
}

TEST(CommentedYaml, ShowsExpertFieldsWhenAskedTo) {
  EXPECT_THAT(toCommentedYaml(Engine{}, YamlDetail::All),
              ::testing::HasSubstr("tuning:\n  map: 3                          # ignition map\n"));
}

TEST(CommentedYaml, ReadsBackToTheSameValue) {
  const Engine engine{.tank = {.volume = 1e-7, .fuel = Fuel::Petrol},
                      .tuning = {.map = 4},
                      .owner = "a # b: c",
                      .pistons = {{"rear", 3}}};
  std::vector<Problem> problems;
  const auto root =
      parseDocument(toCommentedYaml(engine, YamlDetail::All), DocumentFormat::Yaml, problems);
  ASSERT_TRUE(root);
  EXPECT_EQ(readFields<Engine>(*root, problems), engine);
  EXPECT_TRUE(problems.empty());
}

}  // namespace
}  // namespace gs

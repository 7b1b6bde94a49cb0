// SPDX-License-Identifier: Apache-2.0
#include "gs/bundle/drivable_file.hpp"

#include <gmock/gmock.h>

#include "gs/core/rng.hpp"

namespace gs {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Kind = DrivableProblem::Kind;

const std::string kSquare = "[[0,0],[4,0],[4,4],[0,4],[0,0]]";
const std::string kClockwise = "[[0,0],[0,4],[4,4],[4,0],[0,0]]";
const std::string kHole = "[[1,1],[1,2],[2,2],[2,1],[1,1]]";

std::string featureOf(const std::string& rings, const std::string& properties) {
  return R"({"type": "Feature", "geometry": {"type": "Polygon", "coordinates": [)" + rings +
         R"(]}, "properties": )" + properties + "}";
}

std::string collectionOf(const std::string& features, const std::string& extra = "") {
  return R"({"type": "FeatureCollection", )" + extra + R"("features": [)" + features + "]}";
}

struct Result {
  DrivableArea area;
  std::vector<Kind> kinds;
  std::vector<DrivableProblem> problems;
};

Result readAll(const std::string& text) {
  Result result;
  result.area = readDrivable(text, result.problems);
  for (const DrivableProblem& problem : result.problems) result.kinds.push_back(problem.kind);
  return result;
}

Result readOne(const std::string& rings, const std::string& properties) {
  return readAll(collectionOf(featureOf(rings, properties)));
}

TEST(DrivableFile, ReadsTheExampleOfTheSpecification) {
  const Result read = readAll(
      collectionOf(featureOf(kSquare + "," + kHole, R"({"type": "drivable", "speed_limit": 50.0})"),
                   R"("crs": {"type": "name", "properties": {"name": "map_frame"}}, )"));
  EXPECT_THAT(read.kinds, ElementsAre());
  ASSERT_EQ(read.area.features.size(), 1u);
  EXPECT_EQ(read.area.features[0].speed_limit, 50.0);
  EXPECT_EQ(read.area.features[0].priority, 0);
  EXPECT_EQ(read.area.features[0].polygons[0].holes.size(), 1u);
}

TEST(DrivableFile, ASpeedLimitIsInMetresPerSecondUnlessItSaysKmh) {
  const auto limitOf = [](const std::string& properties) {
    const Result read = readOne(kSquare, R"({"type": "drivable", "speed_limit": 36)" + properties);
    EXPECT_THAT(read.kinds, ElementsAre());
    return read.area.features.at(0).speed_limit;
  };
  EXPECT_EQ(limitOf("}"), 36.0);
  EXPECT_EQ(limitOf(R"(, "speed_limit_unit": "m/s"})"), 36.0);
  EXPECT_EQ(limitOf(R"(, "speed_limit_unit": "km/h"})"), 10.0);
  for (const char* bad : {"\"mph\"", "\"\"", "3.6", "null"}) {
    const Result read = readOne(kSquare, R"({"type": "drivable", "speed_limit": 36, )"
                                         R"("speed_limit_unit": )" +
                                             std::string(bad) + "}");
    EXPECT_THAT(read.kinds, ElementsAre(Kind::BadSpeedLimit)) << bad;
    EXPECT_FALSE(read.area.features.at(0).speed_limit) << bad;
  }
}

TEST(DrivableFile, KeepsEveryBitOfWhatItWrote) {
  Rng rng(21);
  DrivableArea area;
  for (int f = 0; f < 20; ++f) {
    DrivableFeature feature{.priority = static_cast<int>(rng.below(9)) - 4, .is_multi = f % 3 == 0};
    if (f % 2 == 0) feature.speed_limit = rng.uniform(1, 99);
    for (int p = 0; p <= (feature.is_multi ? f % 4 : 0); ++p) {
      const double x = rng.normal() * 100, y = rng.normal() * 100, w = rng.uniform(1, 9);
      feature.polygons.push_back({.outer = {{x, y}, {x + w, y}, {x + w, y + w}, {x, y}}});
    }
    area.features.push_back(std::move(feature));
  }
  const std::string text = writeDrivable(area);
  const Result read = readAll(text);
  EXPECT_THAT(read.kinds, ElementsAre());
  EXPECT_EQ(read.area, area);
  EXPECT_EQ(writeDrivable(read.area), text);
  EXPECT_EQ(readAll(writeDrivable({})).area, DrivableArea{});
}

TEST(DrivableFile, TurnsRingsThatRunTheWrongWay) {
  const Result read =
      readOne(kClockwise + ",[[1,1],[2,1],[2,2],[1,2],[1,1]]", R"({"type": "drivable"})");
  EXPECT_THAT(read.kinds, ElementsAre(Kind::WrongOrientation, Kind::WrongOrientation));
  EXPECT_GT(signedArea(read.area.features[0].polygons[0].outer), 0);
  EXPECT_LT(signedArea(read.area.features[0].polygons[0].holes[0]), 0);
}

TEST(DrivableFile, LeavesOutWhatIsNotDrivable) {
  EXPECT_THAT(readOne(kSquare, "{}").kinds, ElementsAre(Kind::MissingType));
  EXPECT_THAT(readOne(kSquare, "null").kinds, ElementsAre(Kind::MissingType));
  EXPECT_THAT(readOne(kSquare, R"({"type": "sidewalk"})").kinds, ElementsAre(Kind::UnknownType));
  EXPECT_THAT(readOne(kSquare, R"({"type": 5})").kinds, ElementsAre(Kind::UnknownType));
  EXPECT_TRUE(readOne(kSquare, R"({"type": "sidewalk"})").area.features.empty());
}

TEST(DrivableFile, NamesBadPropertiesAndUsesTheDefaults) {
  for (const char* bad : {"1.5", "\"1\"", "null", "99999999999"}) {
    const Result read =
        readOne(kSquare, R"({"type": "drivable", "priority": )" + std::string(bad) + "}");
    EXPECT_THAT(read.kinds, ElementsAre(Kind::BadPriority)) << bad;
    EXPECT_EQ(read.area.features.at(0).priority, 0);
  }
  for (const char* bad : {"-5", "0", "\"50\"", "[]"}) {
    const Result read =
        readOne(kSquare, R"({"type": "drivable", "speed_limit": )" + std::string(bad) + "}");
    EXPECT_THAT(read.kinds, ElementsAre(Kind::BadSpeedLimit)) << bad;
    EXPECT_FALSE(read.area.features.at(0).speed_limit);
  }
}

TEST(DrivableFile, NamesPolygonsThatAreNone) {
  const std::string drivable = R"({"type": "drivable"})";
  EXPECT_THAT(readOne("[[0,0],[3,3],[3,0],[0,2],[0,0]]", drivable).kinds,
              ::testing::Contains(Kind::InvalidPolygon));
  EXPECT_THAT(readOne(kSquare + ",[[9,9],[9,8],[8,8],[9,9]]", drivable).kinds,
              ::testing::Contains(Kind::InvalidPolygon));
  EXPECT_THAT(readOne("[[0,0],[1,0],[1,1],[0,1]]", drivable).kinds, ElementsAre(Kind::BadRing));
  EXPECT_THAT(readOne("[[0,0],[1e200,0],[1,1],[0,0]]", drivable).kinds, ElementsAre(Kind::BadRing));
}

TEST(DrivableFile, AcceptsOnlyTheMapFrame) {
  EXPECT_THAT(
      readAll(collectionOf("", R"("crs": {"type": "name", "properties": {"name": "WGS84"}}, )"))
          .kinds,
      ElementsAre(Kind::UnknownCrs));
  EXPECT_THAT(readAll(collectionOf("", R"("crs": 5, )")).kinds, ElementsAre(Kind::UnknownCrs));
  EXPECT_THAT(readAll(collectionOf("", R"("crs": null, )")).kinds, ElementsAre());
}

TEST(DrivableFile, ReportsAllProblemsWithLineAndFeature) {
  const Result read = readAll(collectionOf("\n" + featureOf("[]", "{}") + ",\n" +
                                           featureOf(kSquare, R"({"type": "drivable"})") + ",\n" +
                                           featureOf(kClockwise, R"({"priority": 0.5})")));
  EXPECT_THAT(read.kinds, ElementsAre(Kind::BadRing, Kind::MissingType, Kind::BadPriority,
                                      Kind::WrongOrientation));
  EXPECT_EQ(read.area.features.size(), 1u);
  EXPECT_EQ(read.problems[0].line, 2);
  EXPECT_THAT(read.problems[0].message, HasSubstr("feature 0"));
  EXPECT_EQ(read.problems[3].line, 4);
  EXPECT_THAT(read.problems[3].message, HasSubstr("feature 2"));
  EXPECT_THAT(readAll("{").kinds, ElementsAre(Kind::Syntax));
  EXPECT_THAT(readAll("[]").kinds, ElementsAre(Kind::NotFeatureCollection));
}

}  // namespace
}  // namespace gs

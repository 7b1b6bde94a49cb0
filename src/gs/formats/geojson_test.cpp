// SPDX-License-Identifier: Apache-2.0
#include "gs/formats/geojson.hpp"

#include <gmock/gmock.h>

#include "gs/core/rng.hpp"

namespace gs {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Kind = GeoProblem::Kind;

std::vector<GeoProblem> problemsIn(std::string_view text) {
  std::vector<GeoProblem> problems;
  parseGeoJson(text, problems);
  return problems;
}

std::vector<Kind> kindsIn(std::string_view text) {
  std::vector<Kind> kinds;
  for (const GeoProblem& problem : problemsIn(text)) kinds.push_back(problem.kind);
  return kinds;
}

std::string collectionOf(const std::string& geometry) {
  return R"({"type": "FeatureCollection", "features": [{"type": "Feature", "geometry": )" +
         geometry + R"(, "properties": {}}]})";
}

std::string polygonOf(const std::string& ring) {
  return collectionOf(R"({"type": "Polygon", "coordinates": [)" + ring + "]}");
}

GeoCollection randomCollection(uint64_t seed) {
  Rng rng(seed);
  GeoCollection collection{.crs = "map_frame"};
  for (size_t f = 0; f < 1 + seed % 4; ++f) {
    GeoFeature feature{.index = f, .is_multi = (f + seed) % 2 == 1};
    for (size_t p = 0; p < (feature.is_multi ? 1 + seed % 3 : 1); ++p) {
      GeoRing ring;
      for (int i = 0; i < 5; ++i) ring.points.push_back({rng.normal() * 1e3, rng.normal() * 1e-3});
      ring.points.push_back(ring.points.front());
      feature.polygons.push_back({.rings = {ring, ring}});
    }
    feature.properties.kind = Node::Kind::Map;
    feature.properties.entries.emplace_back("a \"b\"", numberNode(rng.normal()));
    collection.features.push_back(std::move(feature));
  }
  return collection;
}

TEST(GeoJson, KeepsEveryBitOfEveryCoordinate) {
  for (uint64_t seed = 0; seed < 50; ++seed) {
    const GeoCollection written = randomCollection(seed);
    const std::string text = encodeGeoJson(written);
    std::vector<GeoProblem> problems;
    const GeoCollection read = parseGeoJson(text, problems);
    ASSERT_TRUE(problems.empty()) << problems[0].message;
    ASSERT_EQ(read.features.size(), written.features.size());
    EXPECT_EQ(read.crs, "map_frame");
    for (size_t f = 0; f < read.features.size(); ++f) {
      EXPECT_EQ(read.features[f].is_multi, written.features[f].is_multi);
      ASSERT_EQ(read.features[f].polygons.size(), written.features[f].polygons.size());
      for (size_t p = 0; p < read.features[f].polygons.size(); ++p)
        EXPECT_EQ(read.features[f].polygons[p].rings[1].points,
                  written.features[f].polygons[p].rings[1].points);
    }
    EXPECT_EQ(encodeGeoJson(read), text);
  }
}

TEST(GeoJson, AnEmptyCollectionIsFine) {
  EXPECT_TRUE(kindsIn(encodeGeoJson({.crs = "map_frame"})).empty());
  EXPECT_TRUE(kindsIn(R"({"type": "FeatureCollection", "features": []})").empty());
}

TEST(GeoJson, IgnoresAThirdCoordinateAndKeepsLines) {
  std::vector<GeoProblem> problems;
  const auto read = parseGeoJson(
      "{\"type\": \"FeatureCollection\",\n\"features\": [\n{\"type\": \"Feature\",\n\"geometry\": "
      "{\"type\": \"Polygon\", \"coordinates\": [\n[[0,0,7],[1,0,7],[1,1,7],[0,0,7]]]}}]}",
      problems);
  EXPECT_TRUE(problems.empty());
  ASSERT_EQ(read.features.size(), 1u);
  EXPECT_EQ(read.features[0].line, 3);
  EXPECT_EQ(read.features[0].polygons[0].rings[0].line, 5);
  EXPECT_EQ(read.features[0].polygons[0].rings[0].points[2], (std::array<double, 2>{1, 1}));
}

TEST(GeoJson, NamesWhatIsWrongWithARing) {
  EXPECT_THAT(kindsIn(polygonOf("[[0,0],[1,0],[0,0]]")), ElementsAre(Kind::BadRing));
  EXPECT_THAT(kindsIn(polygonOf("[[0,0],[1,0],[1,1],[0,1]]")), ElementsAre(Kind::BadRing));
  EXPECT_THAT(kindsIn(polygonOf("[[0,0],[1,0],[1,\"1\"],[0,0]]")), ElementsAre(Kind::BadRing));
  EXPECT_THAT(kindsIn(polygonOf("[[0,0],[1,0],[1],[0,0]]")), ElementsAre(Kind::BadRing));
  EXPECT_THAT(kindsIn(polygonOf("[[0,0],[1,0],[1e999,1],[0,0]]")).size(), 1u);
  EXPECT_THAT(kindsIn(polygonOf("[]")), ElementsAre(Kind::BadRing));
  EXPECT_THAT(kindsIn(polygonOf("5")), ElementsAre(Kind::BadRing));
  EXPECT_THAT(kindsIn(polygonOf("")), ElementsAre(Kind::BadRing));
}

TEST(GeoJson, NamesWhatIsNotAnAreaOrNotACollection) {
  EXPECT_THAT(kindsIn(collectionOf(R"({"type": "Point", "coordinates": [0, 0]})")),
              ElementsAre(Kind::UnknownGeometry));
  EXPECT_THAT(kindsIn(collectionOf("null")), ElementsAre(Kind::UnknownGeometry));
  EXPECT_THAT(kindsIn(R"({"type": "Feature"})"), ElementsAre(Kind::NotFeatureCollection));
  EXPECT_THAT(kindsIn(R"([1, 2])"), ElementsAre(Kind::NotFeatureCollection));
  EXPECT_THAT(kindsIn(R"({"type": "FeatureCollection", "features": [1, {}]})"),
              ElementsAre(Kind::NotFeatureCollection, Kind::NotFeatureCollection));
  EXPECT_THAT(kindsIn("{"), ElementsAre(Kind::Syntax));
  EXPECT_THAT(kindsIn(""), ElementsAre(Kind::Syntax));
}

TEST(GeoJson, GoesOnAfterAProblemAndNamesTheFeature) {
  const std::string good = R"({"type": "Feature", "geometry": {"type": "Polygon",
    "coordinates": [[[0,0],[1,0],[1,1],[0,0]]]}, "properties": null})";
  std::vector<GeoProblem> problems;
  const auto read = parseGeoJson(
      R"({"type": "FeatureCollection", "features": [)" + good + ", 3, " + good + "]}", problems);
  EXPECT_EQ(read.features.size(), 2u);
  EXPECT_EQ(read.features[1].index, 2u);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_THAT(problems[0].message, HasSubstr("feature 1"));
}

}  // namespace
}  // namespace gs

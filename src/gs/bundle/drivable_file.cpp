// SPDX-License-Identifier: Apache-2.0
#include "gs/bundle/drivable_file.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "gs/formats/geojson.hpp"

namespace gs {
namespace {

using Kind = DrivableProblem::Kind;

constexpr const char* kCrs = "map_frame";
constexpr double kKmhPerMetrePerSecond = 3.6;

Kind kindOf(GeoProblem::Kind kind) {
  switch (kind) {
    case GeoProblem::Kind::Syntax: return Kind::Syntax;
    case GeoProblem::Kind::NotFeatureCollection: return Kind::NotFeatureCollection;
    case GeoProblem::Kind::UnknownGeometry: return Kind::UnknownGeometry;
    case GeoProblem::Kind::BadRing: return Kind::BadRing;
  }
  return Kind::Syntax;
}

// One feature: what its properties say, then its rings.
class FeatureReader {
 public:
  FeatureReader(const GeoFeature& source, std::vector<DrivableProblem>& problems)
      : source_(source), problems_(problems) {}

  std::optional<DrivableFeature> read() {
    const bool is_ours = checkType();
    DrivableFeature feature{.is_multi = source_.is_multi};
    readPriority(feature);
    readSpeedLimit(feature);
    for (const GeoPolygon& polygon : source_.polygons) readPolygon(polygon, feature);
    if (!is_ours || feature.polygons.empty()) return std::nullopt;
    return feature;
  }

 private:
  bool checkType() {
    const Node* type = source_.properties.find("type");
    if (type == nullptr) {
      add(Kind::MissingType, source_.line, "has no properties.type; it should be \"drivable\"");
      return false;
    }
    if (type->findString() == "drivable") return true;
    add(Kind::UnknownType, type->line,
        "has properties.type '" + type->scalar.substr(0, 40) + "', not \"drivable\"");
    return false;
  }

  void readPriority(DrivableFeature& feature) {
    const Node* node = source_.properties.find("priority");
    if (node == nullptr) return;
    const auto value = node->findInteger();
    using Limits = std::numeric_limits<int>;
    if (value && *value >= Limits::min() && *value <= Limits::max())
      feature.priority = static_cast<int>(*value);
    else add(Kind::BadPriority, node->line, "has a priority that is not a whole number");
  }

  void readSpeedLimit(DrivableFeature& feature) {
    const Node* node = source_.properties.find("speed_limit");
    if (node == nullptr || node->kind == Node::Kind::Null) return;
    const auto value = node->findDouble();
    if (!value || !std::isfinite(*value) || !(*value > 0.0))
      return add(Kind::BadSpeedLimit, node->line,
                 "has a speed_limit that is not a number above zero");
    const Node* unit = source_.properties.find("speed_limit_unit");
    const auto word = unit == nullptr ? std::string("m/s") : unit->findString().value_or("");
    if (word == "m/s") feature.speed_limit = value;
    else if (word == "km/h") feature.speed_limit = *value / kKmhPerMetrePerSecond;
    else
      add(Kind::BadSpeedLimit, unit->line,
          "has a speed_limit_unit that is neither \"m/s\" nor \"km/h\"");
  }

  void readPolygon(const GeoPolygon& source, DrivableFeature& feature) {
    Polygon polygon;
    for (size_t i = 0; i < source.rings.size(); ++i) {
      const GeoRing& ring = source.rings[i];
      if (!isOnTheMap(ring)) {
        add(Kind::BadRing, ring.line, "has a position more than 1e9 m from the origin");
        return;
      }
      (i == 0 ? polygon.outer : polygon.holes.emplace_back()) = orient(ring, i == 0);
    }
    const std::string invalidity = invalidityOf(polygon);
    if (!invalidity.empty())
      add(Kind::InvalidPolygon, source.rings.front().line, "is not a valid polygon: " + invalidity);
    feature.polygons.push_back(std::move(polygon));
  }

  static bool isOnTheMap(const GeoRing& ring) {
    return std::all_of(ring.points.begin(), ring.points.end(), [](const Point2& point) {
      return std::abs(point[0]) <= kMaxDrivableCoordinate &&
             std::abs(point[1]) <= kMaxDrivableCoordinate;
    });
  }

  Ring orient(const GeoRing& ring, bool is_outer) {
    const double area = signedArea(ring.points);
    if (is_outer ? area >= 0 : area <= 0) return ring.points;
    add(Kind::WrongOrientation, ring.line,
        is_outer ? "has an outer ring that runs clockwise"
                 : "has a hole that runs counter-clockwise");
    return {ring.points.rbegin(), ring.points.rend()};
  }

  void add(Kind kind, int line, const std::string& what) {
    problems_.push_back({kind, line, "feature " + std::to_string(source_.index) + " " + what});
  }

  const GeoFeature& source_;
  std::vector<DrivableProblem>& problems_;
};

}  // namespace

DrivableArea readDrivable(std::string_view text, std::vector<DrivableProblem>& problems) {
  std::vector<GeoProblem> found;
  const GeoCollection collection = parseGeoJson(text, found);
  for (GeoProblem& problem : found)
    problems.push_back({kindOf(problem.kind), problem.line, std::move(problem.message)});
  if (collection.crs && *collection.crs != kCrs)
    problems.push_back({Kind::UnknownCrs, collection.crs_line,
                        "crs is '" + collection.crs->substr(0, 40) +
                            "'; coordinates must be in the map frame, named \"map_frame\""});
  DrivableArea area;
  for (const GeoFeature& source : collection.features)
    if (auto feature = FeatureReader(source, problems).read())
      area.features.push_back(std::move(*feature));
  return area;
}

std::string writeDrivable(const DrivableArea& area) {
  GeoCollection collection{.crs = kCrs};
  for (const DrivableFeature& feature : area.features) {
    if (feature.polygons.empty()) continue;  // GeoJSON has no polygon without rings
    GeoFeature out{.is_multi = feature.is_multi || feature.polygons.size() != 1};
    for (const Polygon& polygon : feature.polygons) {
      GeoPolygon& rings = out.polygons.emplace_back();
      rings.rings.push_back({.points = polygon.outer});
      for (const Ring& hole : polygon.holes) rings.rings.push_back({.points = hole});
    }
    out.properties.kind = Node::Kind::Map;
    auto& properties = out.properties.entries;
    properties.emplace_back("type", stringNode("drivable"));
    properties.emplace_back("priority", integerNode(feature.priority));
    if (feature.speed_limit)
      properties.emplace_back("speed_limit", numberNode(*feature.speed_limit));
    collection.features.push_back(std::move(out));
  }
  return encodeGeoJson(collection);
}

}  // namespace gs

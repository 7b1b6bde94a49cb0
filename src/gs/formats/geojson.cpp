// SPDX-License-Identifier: Apache-2.0
#include "gs/formats/geojson.hpp"

#include <charconv>
#include <cmath>

#include <nlohmann/json.hpp>

#include "gs/core/check.hpp"

namespace gs {
namespace {

std::string nameOf(size_t feature) { return "feature " + std::to_string(feature); }

// One feature of the file; the problems it meets go to the common list.
class FeatureReader {
 public:
  FeatureReader(size_t index, std::vector<GeoProblem>& problems) : problems_(problems) {
    feature_.index = index;
  }

  // Nothing when no polygon could be read.
  std::optional<GeoFeature> read(const Node& node) {
    feature_.line = node.line;
    const Node* type = node.find("type");
    if (type == nullptr || type->findString() != "Feature") {
      add(GeoProblem::Kind::NotFeatureCollection, node.line, "is not of type Feature");
      return std::nullopt;
    }
    if (const Node* properties = node.find("properties")) feature_.properties = *properties;
    readGeometry(node);
    if (feature_.polygons.empty()) return std::nullopt;
    return std::move(feature_);
  }

 private:
  void readGeometry(const Node& node) {
    const Node* geometry = node.find("geometry");
    const Node* type = geometry == nullptr ? nullptr : geometry->find("type");
    const std::string word = type == nullptr ? "" : type->findString().value_or("");
    feature_.is_multi = word == "MultiPolygon";
    if (!feature_.is_multi && word != "Polygon")
      return add(
          GeoProblem::Kind::UnknownGeometry, geometry == nullptr ? node.line : geometry->line,
          word.empty()
              ? "has no geometry"
              : "is a '" + word.substr(0, 40) + "'; only Polygon and MultiPolygon have an area");
    const Node* coordinates = geometry->find("coordinates");
    if (coordinates == nullptr || coordinates->items.empty())
      return add(GeoProblem::Kind::BadRing, geometry->line, "has no coordinates");
    if (!feature_.is_multi) return readPolygon(*coordinates);
    for (const Node& polygon : coordinates->items) readPolygon(polygon);
  }

  // A polygon stands or falls with its rings: without one of its holes it would be another area.
  void readPolygon(const Node& node) {
    if (node.items.empty())
      return add(GeoProblem::Kind::BadRing, node.line, "has a polygon without rings");
    GeoPolygon polygon;
    for (const Node& ring : node.items)
      if (auto read = readRing(ring)) polygon.rings.push_back(std::move(*read));
    if (polygon.rings.size() == node.items.size()) feature_.polygons.push_back(std::move(polygon));
  }

  std::optional<GeoRing> readRing(const Node& node) {
    GeoRing ring{.line = node.line};
    ring.points.reserve(node.items.size());
    for (const Node& position : node.items) {
      const auto point = findPoint(position);
      if (!point) {
        add(GeoProblem::Kind::BadRing, position.line,
            "has a position that is not [x, y] with finite numbers");
        return std::nullopt;
      }
      ring.points.push_back(*point);
    }
    if (ring.points.size() < 4) {
      add(GeoProblem::Kind::BadRing, node.line,
          "has a ring of " + std::to_string(ring.points.size()) +
              " positions; a closed ring has at least 4");
      return std::nullopt;
    }
    if (ring.points.front() != ring.points.back()) {
      add(GeoProblem::Kind::BadRing, node.line,
          "has a ring that is not closed: its last position must equal its first");
      return std::nullopt;
    }
    return ring;
  }

  static std::optional<std::array<double, 2>> findPoint(const Node& position) {
    if (position.items.size() < 2) return std::nullopt;
    for (const Node& item : position.items)
      if (!item.findDouble()) return std::nullopt;
    const std::array<double, 2> point{*position.items[0].findDouble(),
                                      *position.items[1].findDouble()};
    if (!std::isfinite(point[0]) || !std::isfinite(point[1])) return std::nullopt;
    return point;
  }

  void add(GeoProblem::Kind kind, int line, const std::string& what) {
    problems_.push_back({kind, line, nameOf(feature_.index) + " " + what});
  }

  GeoFeature feature_;
  std::vector<GeoProblem>& problems_;
};

void readCrs(const Node& root, GeoCollection& collection) {
  const Node* crs = root.find("crs");
  if (crs == nullptr || crs->kind == Node::Kind::Null) return;
  collection.crs_line = crs->line;
  const Node* properties = crs->find("properties");
  const Node* name = properties == nullptr ? nullptr : properties->find("name");
  collection.crs = name == nullptr ? "" : name->findString().value_or("");
}

// JSON text of a scalar or of a tree of them, in one line.
void appendJson(std::string& out, const Node& node) {
  const auto quote = [](const std::string& text) {
    return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  };
  if (node.kind == Node::Kind::Null) {
    out += "null";
  } else if (node.kind == Node::Kind::String) {
    out += quote(node.scalar);
  } else if (node.kind == Node::Kind::Sequence) {
    out += '[';
    for (size_t i = 0; i < node.items.size(); ++i) {
      if (i > 0) out += ", ";
      appendJson(out, node.items[i]);
    }
    out += ']';
  } else if (node.kind == Node::Kind::Map) {
    out += '{';
    for (size_t i = 0; i < node.entries.size(); ++i) {
      out += (i > 0 ? ", " : "") + quote(node.entries[i].first) + ": ";
      appendJson(out, node.entries[i].second);
    }
    out += '}';
  } else {
    out += node.scalar;
  }
}

void appendNumber(std::string& out, double value) {
  GS_CHECK(std::isfinite(value));
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value).ptr;
  out.append(text, end);
}

void appendPolygon(std::string& out, const GeoPolygon& polygon, const std::string& margin) {
  out += "[\n";
  for (size_t r = 0; r < polygon.rings.size(); ++r) {
    out += margin + "  [";
    const auto& points = polygon.rings[r].points;
    for (size_t i = 0; i < points.size(); ++i) {
      out += i > 0 ? ", [" : "[";
      appendNumber(out, points[i][0]);
      out += ", ";
      appendNumber(out, points[i][1]);
      out += ']';
    }
    out += r + 1 < polygon.rings.size() ? "],\n" : "]\n";
  }
  out += margin + "]";
}

void appendFeature(std::string& out, const GeoFeature& feature) {
  GS_CHECK((feature.is_multi || feature.polygons.size() == 1));
  out += "    {\n      \"type\": \"Feature\",\n      \"geometry\": {\n        \"type\": ";
  out += feature.is_multi ? "\"MultiPolygon\"" : "\"Polygon\"";
  out += ",\n        \"coordinates\": ";
  if (!feature.is_multi) {
    appendPolygon(out, feature.polygons.front(), "        ");
  } else {
    out += "[";
    for (size_t i = 0; i < feature.polygons.size(); ++i) {
      out += i > 0 ? ",\n          " : "\n          ";
      appendPolygon(out, feature.polygons[i], "          ");
    }
    out += "\n        ]";
  }
  out += "\n      },\n      \"properties\": ";
  appendJson(out, feature.properties);
  out += "\n    }";
}

}  // namespace

GeoCollection parseGeoJson(std::string_view text, std::vector<GeoProblem>& problems) {
  GeoCollection collection;
  std::vector<Problem> syntax;
  const auto root = parseDocument(text, DocumentFormat::Json, syntax);
  for (const Problem& problem : syntax)
    problems.push_back({GeoProblem::Kind::Syntax, problem.line,
                        (problem.path.empty() ? "" : problem.path + ": ") + problem.message});
  if (!root) return collection;
  readCrs(*root, collection);
  const Node* type = root->find("type");
  const Node* features = root->find("features");
  if (type == nullptr || type->findString() != "FeatureCollection" || features == nullptr ||
      features->kind != Node::Kind::Sequence) {
    problems.push_back({GeoProblem::Kind::NotFeatureCollection, root->line,
                        "not a FeatureCollection with a list of features"});
    return collection;
  }
  for (size_t i = 0; i < features->items.size(); ++i)
    if (auto feature = FeatureReader(i, problems).read(features->items[i]))
      collection.features.push_back(std::move(*feature));
  return collection;
}

std::string encodeGeoJson(const GeoCollection& collection) {
  std::string out = "{\n  \"type\": \"FeatureCollection\",\n";
  if (collection.crs) {
    out += "  \"crs\": {\"type\": \"name\", \"properties\": {\"name\": ";
    appendJson(out, stringNode(*collection.crs));
    out += "}},\n";
  }
  out += "  \"features\": [";
  for (size_t i = 0; i < collection.features.size(); ++i) {
    out += i > 0 ? ",\n" : "\n";
    appendFeature(out, collection.features[i]);
  }
  return out + (collection.features.empty() ? "]\n}\n" : "\n  ]\n}\n");
}

Node numberNode(double value) {
  Node node;
  node.kind = Node::Kind::Number;
  appendNumber(node.scalar, value);
  return node;
}

Node integerNode(int64_t value) {
  Node node;
  node.kind = Node::Kind::Number;
  node.scalar = std::to_string(value);
  return node;
}

Node stringNode(std::string text) {
  Node node;
  node.kind = Node::Kind::String;
  node.scalar = std::move(text);
  return node;
}

}  // namespace gs

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gs/core/document.hpp"

namespace gs {

// The polygons of a GeoJSON FeatureCollection, with the lines they stand on. What the properties
// mean, which way rings should run and what a coordinate system is good for is for the reader of
// the values to say.
struct GeoRing {
  std::vector<std::array<double, 2>> points;  // closed: the last equals the first
  int line = 0;
};

struct GeoPolygon {
  std::vector<GeoRing> rings;  // the outer one, then its holes
};

struct GeoFeature {
  size_t index = 0;  // in the file, from 0
  int line = 0;
  std::vector<GeoPolygon> polygons;
  bool is_multi = false;  // a MultiPolygon
  Node properties;        // a map, or null
};

struct GeoCollection {
  std::optional<std::string> crs;  // the name in the 2008 member "crs"; empty when it has none
  int crs_line = 0;
  std::vector<GeoFeature> features;
};

struct GeoProblem {
  enum class Kind {
    Syntax,                // not JSON, or a key stands twice
    NotFeatureCollection,  // the whole, or a member of "features", is something else
    UnknownGeometry,       // neither Polygon nor MultiPolygon
    BadRing,  // fewer than 4 positions, not closed, or a position that is not two finite numbers
  };

  Kind kind;
  int line = 0;
  std::string message;  // names the feature by its index
};

// Goes on after each problem: a polygon with a bad ring is left out, the others are kept. A third
// coordinate is allowed and ignored.
GeoCollection parseGeoJson(std::string_view text, std::vector<GeoProblem>& problems);

// Indented JSON with one ring per line; numbers are the shortest that read back the same. The same
// collection gives the same text. Lines are not used.
std::string encodeGeoJson(const GeoCollection& collection);

// For properties that are to be written.
Node numberNode(double value);  // finite
Node integerNode(int64_t value);
Node stringNode(std::string text);

}  // namespace gs

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gs/bundle/drivable_area.hpp"

namespace gs {

// Something wrong with geometry/drivable.geojson.
struct DrivableProblem {
  enum class Kind {
    Syntax,                // not JSON, or a key stands twice
    NotFeatureCollection,  // the whole, or a member of "features", is something else
    UnknownGeometry,       // neither Polygon nor MultiPolygon; left out
    BadRing,        // too short, not closed, or a coordinate that is none; its polygon is left out
    MissingType,    // properties.type is not there; the feature is left out
    UnknownType,    // properties.type is not "drivable"; the feature is left out
    BadPriority,    // not a whole number; 0 is used
    BadSpeedLimit,  // not a number above zero, or of an unknown unit; no limit is used
    WrongOrientation,  // outer ring clockwise or hole counter-clockwise; turned round
    InvalidPolygon,    // self-intersection, hole outside its shell, ...; kept as it is
    UnknownCrs,        // "crs" names something other than map_frame; ignored
  };

  Kind kind;
  int line = 0;         // from 1; 0 when no line can be named
  std::string message;  // "feature 3 has a ring that is not closed: ..."
};

// The area that the file describes as far as it can be used, and all that is wrong with it. Never
// throws for what the text says.
DrivableArea readDrivable(std::string_view text, std::vector<DrivableProblem>& problems);

// The same area gives the same text; reading it back gives the same area, bit for bit (but for
// features without polygons, which are not written).
std::string writeDrivable(const DrivableArea& area);

// Farther from the origin than this no map point can be (and areas could overflow).
constexpr double kMaxDrivableCoordinate = 1e9;

}  // namespace gs

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gs/core/linear.hpp"
#include "gs_sim/drive_script.hpp"
#include "gs_sim/world_loader.hpp"

namespace gs_sim {

// A way to drive: points in the map frame, in order, no two in a row the same.
struct DrivePath {
  std::vector<gs::Vec2> points;
  std::vector<double> distances;  // from the start, one per point
  std::vector<double> speeds;     // as recorded, one per point; empty when unknown
  // What speed limits leave, every allowed_spacing metres; empty where there are none.
  std::vector<double> allowed_speeds;
  double allowed_spacing = 0;

  double length() const { return distances.empty() ? 0 : distances.back(); }
};

// A pose of base_link at a time, as it comes out of a file.
struct TimedPoint {
  std::optional<double> time;  // s
  double x = 0, y = 0;
};

// Points closer together than half a metre are thinned out; speeds follow from the times, where
// there are any. Empty unless at least two points remain.
std::optional<DrivePath> findDrivePath(const std::vector<TimedPoint>& points);

// poses.csv with a header that names at least x and y; `timestamp` where there is one. Throws
// gs::Error (INPUT_INVALID).
std::vector<TimedPoint> parsePathCsv(std::string_view text, const std::string& name);

// A .csv, or the first odometry topic of a recorded drive (.mcap or folder). Throws gs::Error.
DrivePath readDrivePath(const std::filesystem::path& file);

// Fills allowed_speeds: the limits of the features along the path, and before each of them as fast
// as still ends at it when braking this hard (m/s^2).
constexpr double kGentleBraking = 1.5;
void obeySpeedLimits(DrivePath& path, const gs::DrivableArea& area,
                     double braking = kGentleBraking);
// Infinite where nothing limits.
double allowedSpeedAt(const DrivePath& path, double distance);

// The path that a script asks for, with the world's speed limits. Throws gs::Error when there is
// none.
DrivePath pathFor(const DriveScript::Follow& follow, const WorldData& world);

// Where on the path a point is, looking from `from` (a distance) onwards at most `window` metres:
// the nearest point there. A path may cross itself.
double distanceAlong(const DrivePath& path, const gs::Vec2& p, double from, double window);
gs::Vec2 pointAt(const DrivePath& path, double distance);
std::optional<double> speedAt(const DrivePath& path, double distance);

}  // namespace gs_sim

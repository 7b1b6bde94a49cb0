// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/drive_path.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "gs/core/error.hpp"
#include "gs/core/file.hpp"
#include "gs/core/find_number.hpp"
#include "gs/core/time.hpp"
#include "gs/formats/cdr.hpp"
#include "gs/formats/mcap_reader.hpp"
#include "gs/msgs/nav_msgs.hpp"
#include "gs_sim/drivable_lookup.hpp"

namespace gs_sim {
namespace {
namespace fs = std::filesystem;

constexpr double kSpacing = 0.5;  // m
constexpr uint64_t kMaxCsvBytes = uint64_t{256} << 20;

gs::Error pathError(const std::string& name, const std::string& why) {
  return gs::Error({.code = gs::ErrorCode::InputInvalid,
                    .component = "drive_path",
                    .message = "'" + name + "' " + why,
                    .details = {{"file", name}},
                    .suggestion = "Give a CSV whose first line names the columns x and y (and "
                                  "timestamp), or a recorded drive with nav_msgs/Odometry."});
}

std::vector<std::string_view> split(std::string_view line) {
  std::vector<std::string_view> cells;
  while (true) {
    const size_t comma = std::min(line.find(','), line.size());
    std::string_view cell = line.substr(0, comma);
    while (!cell.empty() && (cell.front() == ' ' || cell.front() == '\t')) cell.remove_prefix(1);
    while (!cell.empty() && (cell.back() == ' ' || cell.back() == '\t' || cell.back() == '\r'))
      cell.remove_suffix(1);
    cells.push_back(cell);
    if (comma == line.size()) return cells;
    line.remove_prefix(comma + 1);
  }
}

std::string_view takeLine(std::string_view& text) {
  const size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

// Of the first odometry topic by name.
std::vector<TimedPoint> readOdometry(const fs::path& file) {
  const gs::LogReader log(file);
  const auto& topics = log.summary().topics;
  const auto topic = std::find_if(topics.begin(), topics.end(), [](const gs::LogTopic& candidate) {
    return candidate.type == gs::msgs::Odometry::kRosType;
  });
  if (topic == topics.end()) throw pathError(file.string(), "has no odometry");
  std::vector<TimedPoint> points;
  log.read({.topics = {topic->name}}, [&](const gs::LogMessage& message) {
    const auto odometry = gs::findCdr<gs::msgs::Odometry>(message.data);
    if (!odometry) return;
    const auto& p = odometry->pose.pose.position;
    if (std::isfinite(p.x + p.y))
      points.push_back({gs::toSeconds(message.log_time - log.summary().start), p.x, p.y});
  });
  return points;
}

std::vector<TimedPoint> recordedPoints(const WorldData& world) {
  const auto& name = world.bundle.index.sim.trajectory;
  if (!name)
    throw gs::Error({.code = gs::ErrorCode::InputInvalid,
                     .component = "drive_path",
                     .message = "'" + world.bundle_path.string() +
                                "' does not hold the trajectory of its recording",
                     .suggestion = "Build the world again, or give the way as follow.file or "
                                   "follow.path."});
  const fs::path file = gs::resolveInside(world.bundle_path, *name).path;
  return parsePathCsv(gs::readTextFile(file, kMaxCsvBytes), file.string());
}

size_t segmentAt(const DrivePath& path, double distance) {
  const auto after = std::upper_bound(path.distances.begin(), path.distances.end(), distance);
  const auto index = after - path.distances.begin();
  return static_cast<size_t>(std::clamp<std::ptrdiff_t>(
      index - 1, 0, static_cast<std::ptrdiff_t>(path.points.size()) - 2));
}

double fractionIn(const DrivePath& path, size_t segment, double distance) {
  const double length = path.distances[segment + 1] - path.distances[segment];
  return std::clamp((distance - path.distances[segment]) / length, 0.0, 1.0);
}

}  // namespace

std::optional<DrivePath> findDrivePath(const std::vector<TimedPoint>& points) {
  DrivePath path;
  bool has_times = true;
  std::vector<double> times;
  for (size_t i = 0; i < points.size(); ++i) {
    const gs::Vec2 p(points[i].x, points[i].y);
    const double gap = path.points.empty() ? 0 : (p - path.points.back()).norm();
    // Points given by hand may be far apart or few: only recorded ones are thinned.
    const bool is_last = i + 1 == points.size();
    const double least = points[i].time && !is_last ? kSpacing : 1e-6;
    if (!path.points.empty() && gap < least) continue;
    path.distances.push_back(path.length() + gap);
    path.points.push_back(p);
    has_times = has_times && points[i].time.has_value();
    times.push_back(points[i].time.value_or(0));
  }
  if (path.points.size() < 2) return std::nullopt;
  if (!has_times) return path;
  for (size_t i = 0; i < times.size(); ++i) {
    const size_t a = i == 0 ? 0 : i - 1, b = std::min(i + 1, times.size() - 1);
    const double elapsed = times[b] - times[a];
    path.speeds.push_back(
        elapsed > 1e-6 ? std::min((path.distances[b] - path.distances[a]) / elapsed, 100.0) : 0.0);
  }
  return path;
}

std::vector<TimedPoint> parsePathCsv(std::string_view text, const std::string& name) {
  const auto header = split(takeLine(text));
  const auto columnOf = [&](std::string_view wanted) -> std::optional<size_t> {
    const auto found = std::find(header.begin(), header.end(), wanted);
    if (found == header.end()) return std::nullopt;
    return static_cast<size_t>(found - header.begin());
  };
  const auto x = columnOf("x"), y = columnOf("y"), time = columnOf("timestamp");
  if (!x || !y) throw pathError(name, "has no columns x and y");
  std::vector<TimedPoint> points;
  for (int line = 2; !text.empty(); ++line) {
    const std::string_view row = takeLine(text);
    if (row.empty() || row == "\r") continue;
    const auto cells = split(row);
    const auto number = [&](std::optional<size_t> column) -> std::optional<double> {
      if (!column || *column >= cells.size()) return std::nullopt;
      return gs::findNumber(cells[*column]);
    };
    const auto px = number(x), py = number(y);
    if (!px || !py) throw pathError(name, fmt::format("line {}: x and y are not numbers", line));
    points.push_back({number(time), *px, *py});
  }
  return points;
}

DrivePath readDrivePath(const fs::path& file) {
  const std::vector<TimedPoint> points =
      file.extension() == ".csv" ? parsePathCsv(gs::readTextFile(file, kMaxCsvBytes), file.string())
                                 : readOdometry(file);
  const auto path = findDrivePath(points);
  if (!path) throw pathError(file.string(), "has fewer than two different points");
  return *path;
}

void obeySpeedLimits(DrivePath& path, const gs::DrivableArea& area, double braking) {
  path.allowed_speeds.clear();
  const bool is_any_limited =
      std::any_of(area.features.begin(), area.features.end(),
                  [](const auto& feature) { return feature.speed_limit.has_value(); });
  if (!is_any_limited) return;
  // Points given by hand may be far apart, even absurdly.
  constexpr double kFinest = 0.5, kMostSamples = 1e6;
  path.allowed_spacing = std::max(kFinest, path.length() / kMostSamples);
  const DrivableLookup lookup(area);
  const auto samples = static_cast<size_t>(std::ceil(path.length() / path.allowed_spacing)) + 1;
  for (size_t i = 0; i < samples; ++i) {
    const gs::Vec2 p = pointAt(path, static_cast<double>(i) * path.allowed_spacing);
    const auto feature = lookup.findFeatureAt(p.x(), p.y());
    const auto limit = feature ? area.features[*feature].speed_limit : std::nullopt;
    path.allowed_speeds.push_back(limit.value_or(std::numeric_limits<double>::infinity()));
  }
  for (size_t i = samples - 1; i-- > 0;) {
    const double next = path.allowed_speeds[i + 1];
    path.allowed_speeds[i] = std::min(path.allowed_speeds[i],
                                      std::sqrt(next * next + 2 * braking * path.allowed_spacing));
  }
}

double allowedSpeedAt(const DrivePath& path, double distance) {
  if (path.allowed_speeds.empty()) return std::numeric_limits<double>::infinity();
  // Of the samples on both sides the slower: a limit begins somewhere between the two.
  const double last = static_cast<double>(path.allowed_speeds.size() - 1);
  const double at = std::clamp(distance / path.allowed_spacing, 0.0, last);
  return std::min(path.allowed_speeds[static_cast<size_t>(std::floor(at))],
                  path.allowed_speeds[static_cast<size_t>(std::ceil(at))]);
}

namespace {

DrivePath unlimitedPathFor(const DriveScript::Follow& follow, const WorldData& world) {
  if (follow.file) return readDrivePath(*follow.file);
  std::vector<TimedPoint> points;
  for (const auto& [x, y] : follow.path) points.push_back({std::nullopt, x, y});
  if (follow.recorded) points = recordedPoints(world);
  const auto path = findDrivePath(points);
  if (!path) throw pathError("follow", "has fewer than two different points");
  return *path;
}

}  // namespace

DrivePath pathFor(const DriveScript::Follow& follow, const WorldData& world) {
  DrivePath path = unlimitedPathFor(follow, world);
  obeySpeedLimits(path, world.bundle.drivable);
  return path;
}

double distanceAlong(const DrivePath& path, const gs::Vec2& p, double from, double window) {
  double best = from, best_gap = std::numeric_limits<double>::infinity();
  for (size_t i = segmentAt(path, from); i + 1 < path.points.size(); ++i) {
    if (path.distances[i] > from + window) break;
    const gs::Vec2 along = path.points[i + 1] - path.points[i];
    const double length = path.distances[i + 1] - path.distances[i];
    const double fraction =
        std::clamp((p - path.points[i]).dot(along) / (length * length), 0.0, 1.0);
    const double gap = (path.points[i] + fraction * along - p).norm();
    if (gap >= best_gap) continue;
    best_gap = gap;
    best = path.distances[i] + fraction * length;
  }
  return std::max(best, from);
}

gs::Vec2 pointAt(const DrivePath& path, double distance) {
  const size_t i = segmentAt(path, distance);
  const double fraction = fractionIn(path, i, distance);
  return path.points[i] + fraction * (path.points[i + 1] - path.points[i]);
}

std::optional<double> speedAt(const DrivePath& path, double distance) {
  if (path.speeds.empty()) return std::nullopt;
  const size_t i = segmentAt(path, distance);
  const double fraction = fractionIn(path, i, distance);
  return path.speeds[i] + fraction * (path.speeds[i + 1] - path.speeds[i]);
}

}  // namespace gs_sim

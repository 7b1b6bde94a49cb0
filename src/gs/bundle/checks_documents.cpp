// SPDX-License-Identifier: Apache-2.0
// The rules of world.yaml, metadata.json, render_config.json and timebase.yaml.
#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "gs/bundle/checks.hpp"
#include "gs/core/time.hpp"
#include "gs/core/version.hpp"

namespace gs {
namespace {

template <typename List>
bool allFinite(const List& values) {
  return std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
}

bool isPositive(double value) { return std::isfinite(value) && value > 0; }

bool isHex(const std::string& text) {
  return std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isxdigit(c); });
}

void checkSource(const Metadata::Source& source, FileReporter& reporter) {
  if (!std::isfinite(source.duration_sec) || source.duration_sec < 0)
    reporter.add("metadata.source", "source.duration_sec", "is negative or not a number");
  if (source.size_bytes < 0) reporter.add("metadata.source", "source.size_bytes", "is negative");
  if (!source.md5.empty() && (source.md5.size() != 32 || !isHex(source.md5)))
    reporter.add("metadata.source", "source.md5", "is not 32 hexadecimal digits");
}

void checkOrigin(const Metadata::CoordinateSystem& system, FileReporter& reporter) {
  const int given = static_cast<int>(system.origin_lat.has_value()) +
                    static_cast<int>(system.origin_lon.has_value()) +
                    static_cast<int>(system.origin_alt.has_value());
  if (given != 0 && given != 3)
    reporter.add(
        "metadata.origin_set", "coordinate_system",
        fmt::format("has {} of origin_lat, origin_lon, origin_alt; give all or none", given));
  else if (given == 0 && system.origin_yaw)
    reporter.add("metadata.origin_set", "coordinate_system.origin_yaw",
                 "turns the map about an origin that is not given");
  const auto isWithin = [](const std::optional<double>& value, double limit) {
    return !value || std::abs(*value) <= limit;  // false for NaN
  };
  if (!isWithin(system.origin_lat, 90) || !isWithin(system.origin_lon, 180) ||
      !isWithin(system.origin_alt, 1e5))
    reporter.add("metadata.origin_range", "coordinate_system.origin_lat",
                 "and origin_lon, origin_alt are not a place on Earth (degrees, degrees, metres)");
  if (!isWithin(system.origin_yaw, 2 * std::numbers::pi))
    reporter.add("metadata.origin_range", "coordinate_system.origin_yaw",
                 "is not an angle within two pi (radians)");
}

void checkExtent(const Metadata::SpatialExtent& extent, FileReporter& reporter) {
  const auto checkAxis = [&](const char* axis, double low, double high) {
    if (!(std::isfinite(low) && std::isfinite(high) && low < high))
      reporter.add("metadata.extent", fmt::format("spatial_extent.min_{}", axis),
                   fmt::format("= {} is not below max_{} = {}", low, axis, high));
  };
  checkAxis("x", extent.min_x, extent.max_x);
  checkAxis("y", extent.min_y, extent.max_y);
  checkAxis("z", extent.min_z, extent.max_z);
  if (extent.units != "meters")
    reporter.add("metadata.units", "spatial_extent.units",
                 fmt::format("is '{}', not 'meters'", extent.units));
}

}  // namespace

void checkVersion(const std::string& version, FileReporter& reporter) {
  const auto parsed = findVersion(version);
  if (!parsed) {
    reporter.add("version.format", "version",
                 fmt::format("'{}' is not MAJOR.MINOR.PATCH", version));
    return;
  }
  switch (compatibilityOf(*parsed)) {
    case Compatibility::Ok: return;
    case Compatibility::NewerMinor:
      reporter.add("version.newer", "version",
                   fmt::format("{} is newer than {}: what it added is ignored", version,
                               toString(kFormatVersion)));
      return;
    case Compatibility::Unsupported:
      reporter.add("version.unsupported", "version",
                   fmt::format("{} cannot be read; this program reads version {}.x", version,
                               kFormatVersion.major));
  }
}

void checkIndex(const WorldIndex& index, FileReporter& reporter) {
  checkVersion(index.version, reporter);
  if (index.scene_id.empty()) reporter.add("world.scene_id", "scene_id", "is empty");
}

void checkMetadata(const Metadata& metadata, FileReporter& reporter) {
  checkVersion(metadata.version, reporter);
  if (!findIso8601(metadata.created_at))
    reporter.add(
        "metadata.created_at", "created_at",
        fmt::format("'{}' is not a time such as 2026-02-14T10:30:00Z", metadata.created_at));
  checkSource(metadata.source, reporter);
  const auto& system = metadata.coordinate_system;
  if (system.map_frame.empty() || system.odom_frame.empty() || system.base_link_frame.empty() ||
      system.map_frame == system.odom_frame || system.map_frame == system.base_link_frame ||
      system.odom_frame == system.base_link_frame)
    reporter.add("metadata.frames", "coordinate_system",
                 "needs three different, non-empty frame names");
  if (system.convention != "ROS2 REP-103 (FLU)")
    reporter.add("metadata.convention", "coordinate_system.convention",
                 fmt::format("'{}' is not 'ROS2 REP-103 (FLU)'", system.convention));
  checkOrigin(system, reporter);
  checkExtent(metadata.spatial_extent, reporter);
}

void checkRenderConfig(const RenderConfig& config, FileReporter& reporter) {
  checkVersion(config.version, reporter);
  if (config.gaussian_format != "splat_ply")
    reporter.add("render_config.format", "gaussian_format",
                 fmt::format("'{}' is not 'splat_ply'; convert with gs-world-builder import",
                             config.gaussian_format));
  if (config.sh_degree < 0 || config.sh_degree > kMaxShDegree)
    reporter.add("render_config.sh_degree", "sh_degree",
                 fmt::format("= {} is not 0, 1, 2 or 3", config.sh_degree));
  const auto& color = config.color_correction;
  if (!std::all_of(color.white_balance.begin(), color.white_balance.end(), isPositive))
    reporter.add("render_config.color", "color_correction.white_balance",
                 "must be three positive numbers");
  if (!isPositive(color.gamma))
    reporter.add("render_config.color", "color_correction.gamma", "must be positive");
  if (!(std::abs(color.exposure_compensation) <= 32))
    reporter.add("render_config.color", "color_correction.exposure_compensation",
                 "must be within 32 stops");
  const auto& rendering = config.rendering;
  if (!std::all_of(rendering.background_color.begin(), rendering.background_color.end(),
                   [](double v) { return v >= 0 && v <= 1; }))
    reporter.add("render_config.background", "rendering.background_color",
                 "must be three numbers from 0 to 1");
  if (!(isPositive(rendering.near_plane) && std::isfinite(rendering.far_plane) &&
        rendering.near_plane < rendering.far_plane))
    reporter.add("render_config.planes", "rendering.near_plane",
                 fmt::format("= {} and far_plane = {} must satisfy 0 < near < far",
                             rendering.near_plane, rendering.far_plane));
}

void checkTimebase(const Timebase& timebase, FileReporter& reporter) {
  checkVersion(timebase.version, reporter);
  const double dt = timebase.simulation.dt;
  if (!(dt >= 1e-4 && dt <= 1.0))
    reporter.add("timebase.dt", "simulation.dt", fmt::format("= {} s is outside 0.0001 to 1", dt));
  const double start = timebase.simulation.start_time;
  if (!findDuration(start) || start < 0)
    reporter.add("timebase.start_time", "simulation.start_time",
                 fmt::format("= {} s is not a simulation time", start));
  if (!isPositive(timebase.sensor_rates.camera) || !isPositive(timebase.sensor_rates.lidar))
    reporter.add("timebase.rates", "sensor_rates", "must be positive");
  const auto& pose = timebase.initial_pose;
  if (!allFinite(pose.position) || !allFinite(pose.velocity))
    reporter.add("timebase.pose", "initial_pose", "position and velocity must be finite");
  if (!isUnit(pose.orientation))
    reporter.add("timebase.quaternion", "initial_pose.orientation",
                 "is not a unit quaternion x, y, z, w");
  if (const auto& base = timebase.base_link_above_ground; base && !base->isPossible())
    reporter.add("timebase.base_link", "base_link_above_ground",
                 fmt::format("{} m, pitch {} and roll {} rad are not where a vehicle has it",
                             base->height, base->pitch, base->roll));
}

}  // namespace gs

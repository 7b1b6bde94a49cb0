// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/report/twin_report.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "gs/bundle/overview.hpp"
#include "gs/core/error.hpp"
#include "gs/core/file.hpp"
#include "gs/core/hash.hpp"
#include "gs/core/parallel.hpp"
#include "gs/core/quantile.hpp"
#include "gs/core/version.hpp"
#include "gs_builder/report/report_pictures.hpp"

namespace gs_builder {
namespace fs = std::filesystem;
namespace {

constexpr double kStanding = 0.2;                // m/s
constexpr double kLidarPart = 0.15;              // of the progress
constexpr int kMapSize = 900, kSweepSize = 440;  // px
constexpr double kSweepReach = 40;               // m

// Where and when the vehicle was, for the charts. Distances are along the way.
class Odometer {
 public:
  explicit Odometer(const EgoTrajectory& trajectory) : poses_(trajectory.poses()) {
    for (size_t i = 0; i < poses_.size(); ++i)
      distances_.push_back(i == 0 ? 0
                                  : distances_.back() + (poses_[i].map_from_base.translation -
                                                         poses_[i - 1].map_from_base.translation)
                                                            .norm());
  }
  PathPoint at(gs::Stamp stamp) const {
    if (poses_.empty()) return {};
    const auto after =
        std::lower_bound(poses_.begin(), poses_.end(), stamp,
                         [](const StampedPose& pose, gs::Stamp time) { return pose.stamp < time; });
    const size_t b = std::min<size_t>(after - poses_.begin(), poses_.size() - 1);
    const size_t a = b == 0 ? 0 : b - 1;
    const double span = gs::toSeconds(poses_[b].stamp - poses_[a].stamp);
    const double f =
        span > 0 ? std::clamp(gs::toSeconds(stamp - poses_[a].stamp) / span, 0.0, 1.0) : 0;
    const gs::Vec3 p =
        (1 - f) * poses_[a].map_from_base.translation + f * poses_[b].map_from_base.translation;
    return {gs::toSeconds(stamp - poses_.front().stamp),
            (1 - f) * distances_[a] + f * distances_[b], p.x(), p.y()};
  }

 private:
  const std::vector<StampedPose>& poses_;
  std::vector<double> distances_;
};

MapPicture drawMap(const gs::WorldBundle& world) {
  const gs::Heightmap& map = world.heightmap;
  const double width = std::max(map.resolution, (map.width - 1) * map.resolution);
  const double height = std::max(map.resolution, (map.height - 1) * map.resolution);
  return {.image = asJpeg(gs::drawOverview(world, kMapSize), 82),
          .left = map.origin_x,
          .top = map.origin_y + height,
          .metres_per_pixel = std::max(width, height) / kMapSize};
}

// Small enough that a page with all of them stays below a few megabytes.
int pictureWidth(size_t cameras) { return cameras <= 3 ? 800 : cameras <= 6 ? 560 : 400; }

class LidarRounds {
 public:
  LidarRounds(const gs::WorldBundle& world, const RecordedDrive& drive,
              const TwinReportOptions& options)
      : world_(world),
        drive_(drive),
        options_(options),
        surfaces_(&world.heightmap, world.static_mesh ? &*world.static_mesh : nullptr) {
    if (!options.evaluation.workspace.empty())
      moving_ = readMovingPoints(options.evaluation.workspace / "05_geometry/moving_points");
  }

  void run(TwinReport& report, std::vector<double>& sweep_ms) const {
    for (const auto& [id, lidar] : world_.calibration.lidars) {
      const auto sensor = drive_.timeline().sensors.find(lidarName(id));
      if (sensor == drive_.timeline().sensors.end()) {
        report.warnings.push_back("LiDAR '" + id + "' of the world is not in the log");
        continue;
      }
      try {
        report.lidars[id] = compare(id, lidar, sensor->second, sweep_ms, report.warnings);
      } catch (const gs::Error& error) {  // the images are worth a report of their own
        report.warnings.push_back(error.report().message);
      }
    }
  }

 private:
  LidarReport compare(const std::string& id, const gs::LidarCalibration& lidar,
                      const SensorTimeline& sensor, std::vector<double>& sweep_ms,
                      std::vector<std::string>& warnings) const {
    const size_t count = options_.max_scans == 0
                             ? sensor.stamps.size()
                             : std::min(options_.max_scans, sensor.stamps.size());
    const gs::Rigid3 base_from_lidar = lidar.extrinsics.baseFromSensor();
    const gs::LidarModel model(
        id, lidar, {.rays = world_.raysOf(lidar.spec), .world = &surfaces_.reflectivity});
    LidarComparer comparer(world_.heightmap);
    LidarReport report{.sweep_reach = kSweepReach};
    size_t unreadable = 0;
    for (size_t k = 0; k < count; ++k) {
      const size_t index = (2 * k + 1) * sensor.stamps.size() / (2 * count);
      const gs::Stamp stamp = sensor.stamps[index];
      const auto map_from_base = drive_.trajectory().at(stamp);
      if (!map_from_base) continue;
      ScanPoints scan;
      try {
        scan = drive_.loadScan(lidarName(id), index);
      } catch (const gs::Error&) {  // one bad scan must not end the measurement
        ++unreadable;
        continue;
      }
      const auto since = std::chrono::steady_clock::now();
      const SimulatedSweep simulated = simulateSweep(model, surfaces_, *map_from_base);
      sweep_ms.push_back(
          std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - since)
              .count());
      const auto compared =
          comparer.add(simulated, scan, movingIndices(moving_, lidarName(id), stamp),
                       base_from_lidar, *map_from_base);
      if (k == count / 2 || report.sweep.bytes.empty()) {
        report.sweep = asPng(drawSweep(compared, pointsOf(simulated), kSweepReach, kSweepSize));
        report.sweep_time = gs::toSeconds(stamp - drive_.trajectory().poses().front().stamp);
      }
      if (options_.progress)
        options_.progress(
            1 - kLidarPart * (1 - static_cast<double>(k + 1) / static_cast<double>(count)),
            "LiDAR " + id);
    }
    if (unreadable > 0)
      warnings.push_back(fmt::format("LiDAR '{}': {} scans cannot be read", id, unreadable));
    report.comparison = comparer.result();
    report.comparison.knows_moving = !moving_.empty();
    return report;
  }

  const gs::WorldBundle& world_;
  const RecordedDrive& drive_;
  const TwinReportOptions& options_;
  gs::LidarWorld surfaces_;
  std::map<std::string, MovingPoints> moving_;
};

// ---- build_report.json

std::string grouped(double number) {
  std::string digits = fmt::format("{:.0f}", number);
  for (int i = static_cast<int>(digits.size()) - 3; i > (digits[0] == '-' ? 1 : 0); i -= 3)
    digits.insert(static_cast<size_t>(i), ",");
  return digits;
}

using Json = nlohmann::ordered_json;

std::optional<double> findNumber(const Json& json, const char* section, const char* key) {
  if (!json.is_object() || !json.contains(section)) return {};
  const Json& part = json[section];
  if (!part.is_object() || !part.contains(key) || !part[key].is_number()) return {};
  return part[key].get<double>();
}

void addStatistics(FactRows& rows, const Json& json) {
  struct Line {
    const char* key;
    const char* what;
    const char* unit;
    int decimals;
  };
  constexpr Line kLines[] = {
      {"num_images", "Images used", "", 0},
      {"num_lidar_scans", "LiDAR scans used", "", 0},
      {"num_lidar_points", "LiDAR points", "", 0},
      {"num_dropped_images", "Images that could not be read", "", 0},
      {"num_dropped_scans", "Scans that could not be read", "", 0},
      {"map_points", "Points of the LiDAR map", "", 0},
      {"moving_voxels_removed", "Voxels of moving things removed", "", 0},
      {"heightmap_resolution", "Resolution of the ground", " m", 2},
      {"drivable_area_m2", "Drivable area", " m\u00b2", 0},
      {"gaussian_count", "Gaussians", "", 0},
      {"training_iterations", "Training iterations", "", 0},
      {"best_iteration", "Iteration that was exported", "", 0},
      {"train_psnr", "PSNR on training images", " dB", 2},
  };
  for (const Line& line : kLines)
    if (const auto number = findNumber(json, "statistics", line.key))
      rows.emplace_back(
          line.what,
          (line.decimals == 0 ? grouped(*number) : fmt::format("{:.{}f}", *number, line.decimals)) +
              line.unit);
  if (const auto bytes = findNumber(json, "output", "world_bundle_size_bytes"))
    rows.emplace_back("Size of the world", fmt::format("{:.1f} MB", *bytes / 1e6));
}

// Of what was configured, not of where it was done.
std::string hashOf(BuildConfig config) {
  config.pipeline.input = {};
  config.pipeline.output = {};
  return gs::hexDigest(gs::HashKind::Sha256, gs::asBytes(frozenConfig(config).dump(
                                                 -1, ' ', false, Json::error_handler_t::replace)));
}

void addStages(TimingFacts& timing, const Json& json) {
  const std::string ending = "_sec";
  if (!json.contains("processing_time") || !json["processing_time"].is_object()) return;
  for (const auto& [key, value] : json["processing_time"].items())
    if (value.is_number() && key.size() > ending.size() && key.ends_with(ending))
      timing.stages.emplace_back(key.substr(0, key.size() - ending.size()), value.get<double>());
}

}  // namespace

DriveFacts driveFacts(const EgoTrajectory& trajectory) {
  DriveFacts facts;
  if (trajectory.empty()) return facts;
  const gs::Stamp begin = trajectory.poses().front().stamp, end = trajectory.poses().back().stamp;
  facts.length = trajectory.length();
  facts.duration = gs::toSeconds(end - begin);
  const Odometer odometer(trajectory);
  constexpr gs::Duration kStep{100'000'000};
  double driving = 0;
  // A drive of days is drawn no finer than the paper shows.
  const int64_t stride = std::max<int64_t>(1, (end - begin).ns / kStep.ns / 20'000);
  for (int64_t i = 0; begin + kStep * i <= end; i += stride) {
    const gs::Stamp stamp = begin + kStep * i;
    const double speed = trajectory.velocityAt(stamp).norm();
    if (speed >= kStanding) driving += gs::toSeconds(kStep * stride);
    facts.highest_speed = std::max(facts.highest_speed, speed);
    const PathPoint here = odometer.at(stamp);
    if (facts.path.empty() || here.distance - facts.path.back().distance >= 1)
      facts.path.push_back(here);
  }
  driving = std::min(driving, facts.duration);
  facts.standing = facts.duration - driving;
  facts.mean_speed = driving > 0 ? facts.length / driving : 0;
  return facts;
}

TwinReport measureTwin(const gs::WorldBundle& world, const RecordedDrive& drive,
                       const BuildConfig& config, const TwinReportOptions& options,
                       const DriveTruth& truth) {
  const auto since = std::chrono::steady_clock::now();
  TwinReport report{.scene_id = world.index.scene_id,
                    .has_truth = truth.static_view != nullptr,
                    .drive = driveFacts(drive.trajectory()),
                    .poses = drive.poseFit(),
                    .has_mesh = world.static_mesh.has_value()};
  FrameAlbum album(pictureWidth(world.calibration.cameras.size()));
  EvaluationOptions evaluation = options.evaluation;
  evaluation.save_image = {};
  evaluation.show_frame = [&](const FrameEvaluation& frame, const gs::Image8& recorded,
                              const gs::Image8& rendered) { album.add(frame, recorded, rendered); };
  evaluation.progress = [&](double fraction) {
    if (options.progress) options.progress((1 - kLidarPart) * fraction, "images");
  };
  report.evaluation = evaluateWorld(world, drive, config.pipeline.ingest, evaluation, truth);
  const Odometer odometer(drive.trajectory());
  std::vector<double> image_ms, sweep_ms;
  for (const FrameEvaluation& frame : report.evaluation.frames) {
    report.places.push_back(odometer.at(frame.stamp));
    image_ms.push_back(1e3 * frame.render_seconds);
  }
  report.extremes = album.bestMedianWorst();
  for (const auto& [id, view] : report.evaluation.cameras)
    report.pictures[id] = album.medianAndWorst(id);
  report.map = drawMap(world);
  LidarRounds(world, drive, options).run(report, sweep_ms);
  for (const std::string& warning : report.evaluation.warnings) report.warnings.push_back(warning);
  report.timing = TimingFacts{.threads = gs::threadCount(),
                              .image_ms = gs::median(image_ms),
                              .sweep_ms = gs::median(sweep_ms)};
  report.timing->seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - since).count();
  return report;
}

void addBuildFacts(TwinReport& report, const gs::WorldBundle& world, const BuildConfig& config,
                   const fs::path& build_report) {
  Json json;
  std::error_code ignored;
  if (fs::is_regular_file(build_report, ignored))
    json = Json::parse(gs::readTextFile(build_report, uint64_t{64} << 20), nullptr, false);
  if (!json.is_object()) json = Json::object();

  addStatistics(report.build, json);
  const gs::Metadata& metadata = world.metadata;
  const auto add = [&](const char* what, std::string value) {
    if (!value.empty()) report.provenance.emplace_back(what, std::move(value));
  };
  std::string cameras, lidars;
  for (const auto& [id, camera] : world.calibration.cameras)
    cameras += fmt::format("{}{} ({} x {})", cameras.empty() ? "" : ", ", id, camera.image_width,
                           camera.image_height);
  for (const auto& [id, lidar] : world.calibration.lidars)
    lidars += fmt::format(
        "{}{} ({})", lidars.empty() ? "" : ", ", id,
        lidar.spec.pattern ? "rays from a table" : fmt::format("{} channels", lidar.spec.channels));
  add("Scene", report.scene_id);
  add("Recorded in", metadata.source.file);
  add("MD5 of the log", metadata.source.md5);
  add("Cameras", cameras);
  add("LiDARs", lidars);
  add("Vehicle", toText(world.timebase.base_link_above_ground.value_or(gs::BaseLinkAboveGround{})));
  add("Built by", metadata.builder_version);
  add("Trainer", metadata.processing_info.drivesim_commit);
  if (!json.empty()) {
    add("Seed", std::to_string(config.training.training.seed));
    add("Configuration (SHA-256)", hashOf(config));
  }
  add("World format", metadata.version);
  add("Report by", "gs_world_builder-" + std::string(gs::buildVersion()));

  std::vector<std::string> warnings;
  if (json.empty())
    warnings.push_back("the world has no build_report.json: how it was built is not known");
  if (json.contains("validation") && json["validation"].is_object() &&
      json["validation"].contains("warnings") && json["validation"]["warnings"].is_array())
    for (const Json& warning : json["validation"]["warnings"])
      if (warning.is_string()) warnings.push_back(warning.get<std::string>());
  report.warnings.insert(report.warnings.begin(), warnings.begin(), warnings.end());

  if (!report.timing) return;
  if (json.contains("build_time") && json["build_time"].is_string())
    report.timing->built_at = json["build_time"].get<std::string>();
  report.timing->build_memory_mb = findNumber(json, "statistics", "peak_memory_mb");
  addStages(*report.timing, json);
}

}  // namespace gs_builder

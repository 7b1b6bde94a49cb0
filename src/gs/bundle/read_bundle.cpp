// SPDX-License-Identifier: Apache-2.0
#include "gs/bundle/read_bundle.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "gs/bundle/checks.hpp"
#include "gs/bundle/drivable_file.hpp"
#include "gs/bundle/spatial_extent.hpp"
#include "gs/core/error.hpp"
#include "gs/core/file.hpp"
#include "gs/core/read_fields.hpp"
#include "gs/formats/glb.hpp"
#include "gs/formats/png.hpp"

namespace gs {
namespace fs = std::filesystem;
namespace {

constexpr uint64_t kMaxPngBytes = uint64_t{512} << 20;
constexpr uint64_t kMaxMeshBytes = uint64_t{4} << 30;

enum class Need { Required, Optional };
enum class Outcome { Unusable, Flawed, Sound };

std::string quotedList(const std::vector<std::string>& names) {
  return fmt::format("{}", fmt::join(names, ", "));
}

// Reads one bundle; each method reads one file, reports on it, and says what it found.
class BundleReader {
 public:
  BundleReader(const fs::path& directory, MissingMetadata missing_metadata)
      : root_(directory), missing_metadata_(missing_metadata) {
    report_.bundle = directory.string();
  }

  InspectedBundle run() {
    if (readIndex()) {
      readMetadata();
      readGaussians();
      readSky();
      readHeightmap();
      readDrivable();
      readMesh();
      readSensors();
      readTimebase();
      if (is_metadata_derived_) deriveMetadata();
      lookForExtras();
      checkTogether();
    }
    checkTotalSize();
    settleFiles();
    return {std::move(bundle_), std::move(report_)};
  }

 private:
  // A file that another one names: its path when it may be read, after saying what stands against
  // it.
  std::optional<fs::path> locate(const std::string& name, Need need,
                                 const std::string& named_in = "world.yaml") {
    report_.files.push_back({.file = name});
    FileReporter reporter(report_, name);
    const ResolvedPath resolved = resolveInside(root_, name);
    switch (resolved.problem) {
      case PathProblem::None: break;
      case PathProblem::Empty:
      case PathProblem::Backslash:
        reporter.add("path.slashes", fmt::format("the path '{}' in {}", name, named_in));
        return std::nullopt;
      case PathProblem::Absolute:
        reporter.add("path.relative", fmt::format("the path '{}' in {}", name, named_in));
        return std::nullopt;
      case PathProblem::Escapes:
        reporter.add("path.inside", fmt::format("the path '{}' in {}", name, named_in));
        return std::nullopt;
    }
    const std::string file_name = resolved.path.filename();
    const bool is_plain = std::all_of(file_name.begin(), file_name.end(), [](unsigned char c) {
      return std::islower(c) || std::isdigit(c) || c == '_' || c == '.';
    });
    if (!is_plain || !resolved.path.has_extension())
      reporter.add("file.name", fmt::format("'{}'", file_name));

    std::error_code why;
    if (!fs::exists(resolved.path, why)) {
      if (need == Need::Required) {
        reporter.add("file.missing", name == "world.yaml"
                                         ? "it is not there: is this folder a world bundle?"
                                         : named_in + " names it, but it is not there");
      } else {
        reporter.add("file.missing_optional", "world.yaml names it, but it is not there");
        report_.files.back().status = FileCheck::Status::MissingOptional;
      }
      return std::nullopt;
    }
    return resolved.path;
  }

  void describe(const std::string& name, const std::string& detail) {
    for (FileCheck& check : report_.files)
      if (check.file == name) check.detail = detail;
  }

  // Runs `read` and turns what it throws into the finding that `ruleFor` names.
  template <typename Read, typename RuleFor>
  bool attempt(FileReporter& reporter, const Read& read, const RuleFor& rule_for) {
    try {
      read();
      return true;
    } catch (const Error& error) {
      const std::string problem = error.report().details.text("problem");
      reporter.add(rule_for(problem), error.report().message);
    } catch (const std::bad_alloc&) {
      reporter.add("file.unreadable", "does not fit into memory");
    }
    return false;
  }

  template <typename Read>
  bool attemptUnder(std::string_view rule_id, FileReporter& reporter, const Read& read) {
    return attempt(reporter, read, [&](const std::string&) { return rule_id; });
  }

  std::optional<std::string> readText(const fs::path& path, FileReporter& reporter) {
    std::optional<std::string> text;
    attemptUnder("file.unreadable", reporter, [&] { text = readTextFile(path, kMaxJsonBytes); });
    return text;
  }

  // A YAML or JSON file into its struct; `check` sees it when it could be read at all.
  template <typename T, typename Check>
  Outcome readDocument(const std::string& name, T& value, const Check& check,
                       Need need = Need::Required) {
    const auto path = locate(name, need);
    if (!path) return Outcome::Unusable;
    FileReporter reporter(report_, name);
    const auto text = readText(*path, reporter);
    if (!text) return Outcome::Unusable;
    std::vector<Problem> problems;
    const auto root = parseDocument(*text, formatOf(name), problems);
    if (root) value = readFields<T>(*root, problems);
    reporter.add(problems);
    if (!root || root->kind != Node::Kind::Map) return Outcome::Unusable;
    const size_t errors_before = report_.errorCount();
    reporter.setDocument(&*root, &problems);
    check(value, reporter);
    const bool is_sound = report_.errorCount() == errors_before &&
                          std::all_of(problems.begin(), problems.end(), [](const Problem& p) {
                            return p.kind == Problem::Kind::UnknownKey;
                          });
    return is_sound ? Outcome::Sound : Outcome::Flawed;
  }

  // False when the other files cannot be looked for.
  bool readIndex() {
    const Outcome outcome = readDocument("world.yaml", bundle_.index, checkIndex);
    describe("world.yaml",
             fmt::format("scene {}, version {}", bundle_.index.scene_id, bundle_.index.version));
    return outcome != Outcome::Unusable && !report_.has("version.unsupported");
  }

  void readMetadata() {
    const std::string& name = bundle_.index.metadata;
    const Need need =
        missing_metadata_ == MissingMetadata::IsAnError ? Need::Required : Need::Optional;
    has_metadata_ = readDocument(name, bundle_.metadata, checkMetadata, need) == Outcome::Sound;
    if (report_.files.back().status == FileCheck::Status::MissingOptional) {
      is_metadata_derived_ = true;
      return;
    }
    const auto& extent = bundle_.metadata.spatial_extent;
    describe(name, fmt::format("{:.0f} x {:.0f} m, from {}", extent.max_x - extent.min_x,
                               extent.max_y - extent.min_y, bundle_.metadata.source.file));
  }

  void readGaussians() {
    const std::string& config_name = bundle_.index.gaussians.render_config;
    const bool has_config =
        readDocument(config_name, bundle_.render_config, checkRenderConfig) == Outcome::Sound;
    describe(config_name, fmt::format("SH degree {}", bundle_.render_config.sh_degree));

    const std::string& name = bundle_.index.gaussians.background;
    const auto path = locate(name, Need::Required);
    if (!path) return;
    FileReporter reporter(report_, name);
    GaussianPlyInfo info;
    const auto read = [&] {
      const auto source = openFile(*path);
      info = inspectGaussianPly(*source);
      bundle_.gaussians = readGaussianPly(*source, bundle_.render_config.attribute_encoding);
    };
    const auto rule_for = [](const std::string& problem) -> std::string {
      return problem.empty() ? "file.unreadable" : "gaussians." + problem;
    };
    if (!attempt(reporter, read, rule_for)) return;
    checkGaussians(info, bundle_.gaussians, reporter);
    if (has_config && info.sh_degree != bundle_.render_config.sh_degree)
      reporter.add("gaussians.sh_count", fmt::format("has SH degree {}, {} says {}", info.sh_degree,
                                                     config_name, bundle_.render_config.sh_degree));
    describe(name, fmt::format("{} Gaussians, SH degree {}", bundle_.gaussians.size(),
                               bundle_.gaussians.sh_degree));
  }

  void readSky() {
    if (!bundle_.index.gaussians.sky) return;
    const std::string& name = *bundle_.index.gaussians.sky;
    const auto path = locate(name, Need::Optional);
    if (!path) return;
    FileReporter reporter(report_, name);
    Image8 sky;
    const auto read = [&] { sky = decodePng(asBytes(readTextFile(*path, kMaxPngBytes)), name); };
    if (!attemptUnder("sky.invalid", reporter, read)) return;
    checkSky(sky, reporter);
    describe(name, fmt::format("{} x {} pixels", sky.width, sky.height));
    bundle_.sky = std::move(sky);
  }

  void readHeightmap() {
    HeightmapMeta meta;
    const std::string& meta_name = bundle_.index.geometry.heightmap_meta;
    const bool has_meta = readDocument(meta_name, meta, checkHeightmapMeta) == Outcome::Sound;
    describe(meta_name,
             fmt::format("{} x {} samples, {} m apart", meta.width, meta.height, meta.resolution));

    const std::string& name = bundle_.index.geometry.heightmap;
    const auto path = locate(name, Need::Required);
    if (!path || !has_meta) return;
    FileReporter reporter(report_, name);
    const auto read = [&] { bundle_.heightmap = readHeightmapSamples(*openFile(*path), meta); };
    has_heightmap_ = attempt(reporter, read, [](const std::string& problem) {
      return problem == "size" ? "heightmap.size" : "file.unreadable";
    });
    if (!has_heightmap_) return;
    checkHeightmap(bundle_.heightmap, meta, reporter);
    const HeightRange range = rangeOf(bundle_.heightmap);
    describe(name, fmt::format("heights {:.2f} to {:.2f} m", range.min, range.max));
  }

  void readDrivable() {
    const std::string& name = bundle_.index.geometry.drivable;
    const auto path = locate(name, Need::Required);
    if (!path) return;
    FileReporter reporter(report_, name);
    const auto text = readText(*path, reporter);
    if (!text) return;
    std::vector<DrivableProblem> problems;
    bundle_.drivable = gs::readDrivable(*text, problems);
    for (const DrivableProblem& problem : problems)
      reporter.addAtLine(ruleFor(problem.kind), problem.line, problem.message);
    if (!problems.empty()) {
      if (problems.front().kind == DrivableProblem::Kind::Syntax) return;
    } else if (bundle_.drivable.features.empty()) {
      reporter.add("drivable.empty", "has no features: the ego is always off the road");
    }
    has_drivable_ = true;
    describe(name, fmt::format("{} features, {:.0f} m2", bundle_.drivable.features.size(),
                               areaOf(bundle_.drivable)));
  }

  static std::string_view ruleFor(DrivableProblem::Kind kind) {
    switch (kind) {
      case DrivableProblem::Kind::Syntax: return "document.syntax";
      case DrivableProblem::Kind::NotFeatureCollection: return "drivable.collection";
      case DrivableProblem::Kind::UnknownGeometry: return "drivable.geometry";
      case DrivableProblem::Kind::BadRing: return "drivable.ring";
      case DrivableProblem::Kind::MissingType:
      case DrivableProblem::Kind::UnknownType: return "drivable.type";
      case DrivableProblem::Kind::BadPriority: return "drivable.priority";
      case DrivableProblem::Kind::BadSpeedLimit: return "drivable.speed_limit";
      case DrivableProblem::Kind::WrongOrientation: return "drivable.orientation";
      case DrivableProblem::Kind::InvalidPolygon: return "drivable.invalid";
      case DrivableProblem::Kind::UnknownCrs: break;
    }
    return "drivable.crs";
  }

  void readMesh() {
    if (!bundle_.index.geometry.static_mesh) return;
    const std::string& name = *bundle_.index.geometry.static_mesh;
    const auto path = locate(name, Need::Optional);
    if (!path) return;
    FileReporter reporter(report_, name);
    TriangleMesh mesh;
    const auto read = [&] { mesh = decodeGlb(asBytes(readTextFile(*path, kMaxMeshBytes)), name); };
    if (!attemptUnder("mesh.invalid", reporter, read)) return;
    checkMesh(mesh, reporter);
    describe(name, fmt::format("{} triangles", mesh.triangles.size()));
    bundle_.static_mesh = std::move(mesh);
  }

  void readSensors() {
    const std::string& name = bundle_.index.sensors.calibration;
    has_calibration_ = readDocument(name, bundle_.calibration, checkCalibration) == Outcome::Sound;
    std::vector<std::string> ids;
    forEachSensor(bundle_.calibration,
                  [&](const char*, const std::string& id, const auto&) { ids.push_back(id); });
    const size_t cameras = bundle_.calibration.cameras.size();
    const size_t lidars = bundle_.calibration.lidars.size();
    const size_t others = ids.size() - cameras - lidars;
    describe(name, fmt::format("{} cameras, {} LiDARs{}: {}", cameras, lidars,
                               others > 0 ? fmt::format(", {} other sensors", others) : "",
                               quotedList(ids)));

    readRays();

    const std::string& tf_name = bundle_.index.sensors.tf_static;
    has_transforms_ =
        readDocument(tf_name, bundle_.tf_static, checkStaticTransforms) == Outcome::Sound;
    describe(tf_name, fmt::format("{} transforms", bundle_.tf_static.transforms.size()));
  }

  // The tables that LiDARs name; several may share one, each with its own rate.
  void readRays() {
    for (const auto& [id, lidar] : bundle_.calibration.lidars) {
      if (!lidar.spec.pattern) continue;
      const std::string& name = *lidar.spec.pattern;
      FileReporter reporter(report_, name);
      if (!bundle_.lidar_rays.contains(name)) {
        const auto path = locate(name, Need::Required, bundle_.index.sensors.calibration);
        const auto text = path ? readText(*path, reporter) : std::nullopt;
        if (!text) continue;
        std::vector<LidarRayProblem> problems;
        bundle_.lidar_rays[name] = readLidarRays(*text, problems);
        for (const LidarRayProblem& problem : problems)
          reporter.addAtLine(ruleFor(problem.kind), problem.line, problem.message);
        describe(name, fmt::format("{} rays", bundle_.lidar_rays[name].rows.size()));
      }
      checkLidarRays(bundle_.lidar_rays[name], lidar.rate_hz, reporter);
    }
  }

  static std::string_view ruleFor(LidarRayProblem::Kind kind) {
    switch (kind) {
      case LidarRayProblem::Kind::Format: return "lidar_rays.format";
      case LidarRayProblem::Kind::Range: return "lidar_rays.range";
      case LidarRayProblem::Kind::Time: return "lidar_rays.time";
      case LidarRayProblem::Kind::Count: break;
    }
    return "lidar_rays.count";
  }

  void readTimebase() {
    const std::string& name = bundle_.index.sim.timebase;
    has_timebase_ = readDocument(name, bundle_.timebase, checkTimebase) == Outcome::Sound;
    describe(name, fmt::format("dt {} s", bundle_.timebase.simulation.dt));
  }

  // What the other files say of what an absent metadata.json would hold: where the world lies and
  // what it has. Where it comes from stays unknown, and frames have their usual names.
  void deriveMetadata() {
    bundle_.metadata.scene_id = bundle_.index.scene_id;
    if (has_heightmap_) bundle_.metadata.spatial_extent = extentOf(bundle_);
    for (const auto& [id, camera] : bundle_.calibration.cameras)
      bundle_.metadata.sensors.cameras.push_back(id);
    for (const auto& [id, lidar] : bundle_.calibration.lidars)
      bundle_.metadata.sensors.lidars.push_back(id);
  }

  // What is read only when somebody asks for it: it must be there and inside the bundle.
  void lookForExtras() {
    if (bundle_.index.sim.trajectory) locate(*bundle_.index.sim.trajectory, Need::Optional);
    if (!bundle_.index.preview) return;
    const auto& preview = *bundle_.index.preview;
    if (preview.overview) locate(*preview.overview, Need::Optional);
    if (preview.trajectory) locate(*preview.trajectory, Need::Optional);
    for (const std::string& camera : preview.cameras) locate(camera, Need::Optional);
  }

  void checkTogether() {
    FileReporter metadata(report_, bundle_.index.metadata);
    FileReporter transforms(report_, bundle_.index.sensors.tf_static);
    FileReporter timebase(report_, bundle_.index.sim.timebase);
    FileReporter drivable(report_, bundle_.index.geometry.drivable);
    if (has_metadata_) checkScene(bundle_.index, bundle_.metadata, metadata);
    if (has_metadata_ && has_calibration_)
      checkSensorLists(bundle_.metadata, bundle_.calibration, metadata);
    if (has_calibration_ && has_transforms_)
      checkTransformsMatch(bundle_.calibration, bundle_.metadata.coordinate_system.base_link_frame,
                           bundle_.tf_static, transforms);
    FileReporter calibration(report_, bundle_.index.sensors.calibration);
    if (has_calibration_)
      checkGnssOrigin(bundle_.calibration, bundle_.metadata.coordinate_system, calibration);
    if (has_timebase_ && has_calibration_)
      checkRates(bundle_.timebase, bundle_.calibration, timebase);
    if (has_timebase_ && has_heightmap_ && has_drivable_)
      checkStart(bundle_.timebase, bundle_.heightmap, bundle_.drivable, timebase);
    if (has_drivable_ && has_heightmap_)
      checkDrivableOnMap(bundle_.drivable, bundle_.heightmap, drivable);
  }

  void checkTotalSize() {
    std::error_code why;
    uint64_t total = 0;
    for (const FileCheck& check : report_.files) {
      const uint64_t size = fs::file_size(root_ / check.file, why);
      if (!why) total += size;
    }
    if (total > uint64_t{2} << 30)
      FileReporter(report_, "world.yaml")
          .add("bundle.size",
               fmt::format("the bundle holds {:.1f} GB", static_cast<double>(total) / (1 << 30)));
  }

  // A file is invalid when an error was found in it; its first error is its line in the report.
  void settleFiles() {
    for (FileCheck& check : report_.files)
      for (const Finding& finding : report_.findings) {
        if (finding.file != check.file || finding.rule->severity != Severity::Error) continue;
        check.status = FileCheck::Status::Invalid;
        check.detail = finding.rule->id == "file.missing" ? "missing" : "invalid";
        break;
      }
  }

  const fs::path root_;
  const MissingMetadata missing_metadata_;
  WorldBundle bundle_;
  ValidationReport report_;
  bool is_metadata_derived_ = false;
  bool has_metadata_ = false, has_heightmap_ = false, has_drivable_ = false;
  bool has_calibration_ = false, has_transforms_ = false, has_timebase_ = false;
};

}  // namespace

InspectedBundle inspectBundle(const fs::path& directory, MissingMetadata missing_metadata) {
  std::error_code why;
  if (!fs::is_directory(directory, why))
    throw Error({.code = ErrorCode::BundleNotFound,
                 .component = "world_bundle",
                 .message = "there is no world bundle at '" + directory.string() + "'",
                 .details = {{"bundle", directory.string()}},
                 .suggestion = "Give the folder that contains world.yaml."});
  return BundleReader(directory, missing_metadata).run();
}

ValidationReport validateBundle(const fs::path& directory) {
  return inspectBundle(directory).report;
}

WorldBundle readBundle(const fs::path& directory) {
  InspectedBundle inspected = inspectBundle(directory);
  if (!inspected.report.isValid())
    throwInvalidBundle(inspected.report, inspected.report.has("file.missing")
                                             ? ErrorCode::FileMissing
                                             : ErrorCode::BundleInvalid);
  return std::move(inspected.bundle);
}

void throwInvalidBundle(const ValidationReport& report, ErrorCode code) {
  const auto first = std::find_if(
      report.findings.begin(), report.findings.end(),
      [](const Finding& finding) { return finding.rule->severity == Severity::Error; });
  std::string what = "is not a valid world bundle";
  if (first != report.findings.end())
    what += fmt::format(" ({} errors; the first: {}: {})", report.errorCount(), first->file,
                        first->message);
  throw Error({.code = code,
               .component = "world_bundle",
               .message = "'" + report.bundle + "' " + what,
               .details = Details(toJson(report)),
               .suggestion = "Run 'gs-world-builder validate' on it, fix the files it marks, or "
                             "build the world again."});
}

}  // namespace gs

// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/pipeline.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <sys/stat.h>

#include <fmt/format.h>

#include "gs/core/commented_yaml.hpp"
#include "gs/core/file.hpp"
#include "gs/core/hash.hpp"
#include "gs/core/load_config.hpp"
#include "gs/core/parallel.hpp"
#include "gs/core/process_memory.hpp"
#include "gs/core/version.hpp"
#include "gs/core/write_fields.hpp"
#include "gs_builder/doctor.hpp"

namespace gs_builder {
namespace fs = std::filesystem;
namespace {

double secondsSince(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// Of everything that a stage's files depend on. Upstream files count as they are now, so an edited
// calibration.yaml makes what depends on it new.
std::string keyOf(const Stage& stage, const StageContext& context) {
  nlohmann::ordered_json facts;
  facts["stage"] = stage.name;
  facts["version"] = stage.version;
  facts["builder"] = gs::buildVersion();
  facts["settings"] = stage.settings(context.config);
  if (stage.reads.empty()) {
    facts["log"] = context.log.md5;
    if (const auto& mounts = context.config.pipeline.input.extrinsics_file)
      facts["extrinsics"] = gs::hexDigest(gs::HashKind::Md5, *gs::openFile(*mounts));
  }
  for (const std::string& folder : stage.reads) {
    const fs::path path = context.workspace.existing(folder);
    facts["reads"][folder] = findStamp(path) ? fingerprintOf(path) : "absent";
  }
  return gs::hexDigest(gs::HashKind::Sha256, gs::asBytes(facts.dump()));
}

bool isUpToDate(const Stage& stage, const StageContext& context, const std::string& key) {
  const fs::path folder = context.workspace.dir(stage.folder);
  const auto stamp = findStamp(folder);
  return stamp && stamp->key == key && stamp->fingerprint == fingerprintOf(folder);
}

// Runs stages of one build and keeps its report.
class Build {
 public:
  Build(StageContext& context, BuildReport& report, const BuildObserver& observer)
      : context_(context), report_(report), observer_(observer) {
    context_.status = [this](double fraction, const std::string& status) {
      if (observer_.progress) observer_.progress(fraction, status);
    };
    context_.progress = [this](double fraction) { context_.status(fraction, ""); };
  }

  // Reads the log and stops here when it is not fit; what it learnt is left for mcap_ingest.
  void examine() {
    begin("doctor");
    const auto since = std::chrono::steady_clock::now();
    auto digest = std::make_shared<LogDigest>(
        digestLog(context_.log.path, context_.config.pipeline, context_.progress));
    const Diagnosis diagnosis = diagnose(*digest, context_.config.pipeline, context_.workers);
    if (!diagnosis.isFit()) throwFatal(diagnosis.findings, "mcap_ingest");
    context_.digest = std::move(digest);
    end("doctor", secondsSince(since), false);
  }

  void run(const Stage& stage, const std::string& key) {
    begin(stage.name);
    const auto since = std::chrono::steady_clock::now();
    context_.workspace.prepare(stage.folder, key, stage.resumes);
    context_.warnings.clear();
    context_.statistics = nlohmann::ordered_json::object();
    stage.run(context_);
    const fs::path folder = context_.workspace.dir(stage.folder);
    const StageStamp stamp{.key = key,
                           .fingerprint = fingerprintOf(folder),
                           .seconds = secondsSince(since),
                           .warnings = context_.warnings,
                           .statistics = context_.statistics};
    writeStamp(folder, stamp);
    take(stage, stamp);
    end(stage.name, stamp.seconds, false);
  }

  void skip(const Stage& stage) {
    const auto stamp = findStamp(context_.workspace.dir(stage.folder));
    if (stamp) take(stage, *stamp);
    report_.skipped.emplace_back(stage.name);
    begin(stage.name);
    end(stage.name, 0, true);
  }

 private:
  void begin(const std::string& what) const {
    if (observer_.begin) observer_.begin(what);
  }
  void end(const std::string& what, double seconds, bool is_skipped) const {
    if (!is_skipped) report_.processing_time.emplace_back(what, seconds);
    if (observer_.end) observer_.end(what, seconds, is_skipped);
  }
  void take(const Stage& stage, const StageStamp& stamp) const {
    for (const std::string& warning : stamp.warnings)
      report_.warnings.push_back(std::string(stage.name) + ": " + warning);
    if (stamp.statistics.is_object())
      for (const auto& [key, value] : stamp.statistics.items()) report_.statistics[key] = value;
    if (report_.statistics.contains("duration_sec"))
      report_.input_duration = report_.statistics["duration_sec"];
  }

  StageContext& context_;
  BuildReport& report_;
  const BuildObserver& observer_;
};

void writeReport(const fs::path& folder, const BuildReport& report) {
  gs::writeFileAtomically(folder / "build_report.json", gs::toText(toJson(report)));
}

void freezeConfig(const fs::path& workspace, const BuildConfig& config) {
  using gs::YamlDetail;
  gs::writeFileAtomically(workspace / "config.yaml",
                          gs::toCommentedYaml(config.pipeline, YamlDetail::All));
  gs::writeFileAtomically(workspace / "gs_training_config.yaml",
                          gs::toCommentedYaml(config.training, YamlDetail::All));
  gs::writeFileAtomically(workspace / "geometry_config.yaml",
                          gs::toCommentedYaml(config.geometry, YamlDetail::All));
}

// Adds the failure to the report, as far as the disk lets us, and passes it on.
template <typename Body>
void withReport(const fs::path& folder, BuildReport& report, const Body& body) {
  try {
    body();
  } catch (const gs::Error& error) {
    report.error = error.report();
    report.errors.push_back(error.what());
    try {
      writeReport(folder, report);
    } catch (const gs::Error&) {  // the disk is full: the error itself is what counts
    }
    throw;
  }
}

uint64_t sizeOf(const fs::path& folder) {
  uint64_t bytes = 0;
  std::error_code why;
  for (fs::recursive_directory_iterator entry(folder, why), end; !why && entry != end;
       entry.increment(why))
    if (entry->is_regular_file(why)) bytes += entry->file_size(why);
  return bytes;
}

// A world without its report is still a world.
void writeTwinReport(const BuildRequest& request, const Workspace& workspace,
                     const BuildObserver& observer, BuildReport& report) {
  constexpr const char* kName = "twin_report";
  if (observer.begin) observer.begin(kName);
  const auto since = std::chrono::steady_clock::now();
  try {
    report.statistics.update(request.write_twin_report(
        workspace.root(), [&](double fraction, const std::string& status) {
          if (observer.progress) observer.progress(fraction, status);
        }));
  } catch (const std::exception& why) {
    report.warnings.push_back(fmt::format("{}: {}", kName, why.what()));
  }
  report.processing_time.emplace_back(kName, secondsSince(since));
  if (observer.end) observer.end(kName, secondsSince(since), false);
}

std::string sceneIdOf(const BuildRequest& request) {
  if (!request.scene_id.empty()) return request.scene_id;
  if (request.config.pipeline.output.scene_id) return *request.config.pipeline.output.scene_id;
  fs::path name = fs::absolute(request.output).lexically_normal();
  if (!name.has_filename()) name = name.parent_path();
  return name.filename().string();
}

// The scene id becomes a folder and part of files: the configuration's own rule decides.
void checkSceneId(const std::string& scene_id) {
  PipelineConfig config;
  config.output.scene_id = scene_id;
  const auto problems = problemsIn(config);
  if (!problems.empty()) throw gs::configError("--scene-id", problems);
}

void refuseForeignOutput(const fs::path& output) {
  std::error_code ignored;
  const bool exists = fs::exists(fs::symlink_status(output, ignored));
  if (!exists || fs::exists(output / "world.yaml", ignored)) return;
  if (fs::is_directory(output, ignored) && fs::is_empty(output, ignored)) return;
  throw gs::Error({.code = gs::ErrorCode::OutputFailed,
                   .component = "world_bundle_packer",
                   .message = "'" + output.string() + "' exists and is not a world bundle",
                   .details = {{"path", output.string()}},
                   .suggestion = "Choose another --output, or remove it."});
}

}  // namespace

InputLog identifyLog(const fs::path& log, const fs::path& cache_file) {
  std::vector<fs::path> files;
  std::error_code why;
  if (fs::is_directory(log, why)) {
    for (const auto& entry : fs::directory_iterator(log, why))
      if (entry.path().extension() == ".mcap") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
  } else {
    files.push_back(log);
  }
  InputLog input{.path = fs::absolute(log).lexically_normal()};
  std::string facts = input.path.string();
  for (const fs::path& file : files) {
    struct stat status {};
    if (::stat(file.c_str(), &status) != 0)
      throw gs::Error({.code = gs::ErrorCode::McapReadError,
                       .component = "mcap_ingest",
                       .message = "there is no log '" + file.string() + "'",
                       .details = {{"file", file.string()}},
                       .suggestion = "Check --input (or input.mcap_file in config.yaml)."});
    input.size_bytes += static_cast<uint64_t>(status.st_size);
    facts += fmt::format("|{} {} {}.{:09}", file.string(), status.st_size, status.st_mtim.tv_sec,
                         status.st_mtim.tv_nsec);
  }
  if (fs::is_regular_file(cache_file, why)) {
    const auto json = nlohmann::json::parse(gs::readTextFile(cache_file, 1 << 20), nullptr, false);
    if (json.is_object() && json.value("facts", "") == facts) {
      input.md5 = json.value("md5", "");
      if (input.md5.size() == 32) return input;
    }
  }
  if (files.size() == 1) {
    input.md5 = gs::hexDigest(gs::HashKind::Md5, *gs::openFile(files[0]));
  } else {
    gs::Hasher all(gs::HashKind::Md5);
    for (const fs::path& file : files)
      all.add(gs::asBytes(gs::hexDigest(gs::HashKind::Md5, *gs::openFile(file))));
    input.md5 = all.hexDigest();
  }
  nlohmann::ordered_json json = {{"facts", facts}, {"md5", input.md5}};
  gs::writeFileAtomically(cache_file, gs::toText(json));
  return input;
}

BuildReport runBuild(BuildRequest request, const BuildObserver& observer) {
  gs::setThreadCount(request.workers);
  const std::string scene_id = sceneIdOf(request);
  checkSceneId(scene_id);
  refuseForeignOutput(request.output);
  const Workspace workspace(request.workspace.empty()
                                ? fs::path(".gs_world_builder_workspace") / scene_id
                                : request.workspace);
  BuildReport report{.scene_id = scene_id,
                     .build_time = gs::toIso8601(buildMoment()),
                     .workers = gs::threadCount()};
  report.output = fs::absolute(request.output).lexically_normal();
  request.config.pipeline.input.mcap_file = fs::absolute(request.input).lexically_normal().string();
  request.config.pipeline.output = {report.output.string(), scene_id};
  report.config = request.config;
  {
    const WorkspaceLock lock(workspace.root());
    freezeConfig(workspace.root(), request.config);
    withReport(workspace.root(), report, [&] {
      report.input = identifyLog(request.input, workspace.root() / "input.json");
      StageContext context{
          .config = request.config,
          .workspace = workspace,
          .scene_id = scene_id,
          .log = report.input,
          .output = report.output,
          .validates = request.validates && request.config.pipeline.pipeline.enable_validation,
          .check_world = request.check_world,
          .workers = gs::threadCount()};
      Build build(context, report, observer);
      for (const Stage& stage : stages()) {
        const std::string key = keyOf(stage, context);
        const bool is_packer = std::string_view(stage.name) == "world_bundle_packer";
        if (!(request.config.pipeline.pipeline.*stage.enable) ||
            (!is_packer && isUpToDate(stage, context, key))) {
          build.skip(stage);
          continue;
        }
        if (stage.reads.empty()) build.examine();
        build.run(stage, key);
        context.digest.reset();  // the log's small parts are on disk now
      }
    });
    report.is_success = true;
    report.is_bundle_valid = report.statistics.value("world_bundle_valid", false);
    report.statistics.erase("world_bundle_valid");
    std::error_code ignored;
    if (fs::exists(report.output / "world.yaml", ignored)) {
      report.output_bytes = sizeOf(report.output);
      report.statistics["peak_memory_mb"] = gs::peakMemory() >> 20;
      writeReport(report.output, report);
      if (request.write_twin_report) {
        writeTwinReport(request, workspace, observer, report);
        writeReport(report.output, report);
      }
    }
    writeReport(workspace.root(), report);
  }
  if (!request.keeps_workspace && request.config.pipeline.pipeline.enable_world_bundle_packer) {
    std::error_code ignored;
    fs::remove_all(workspace.root(), ignored);
    // The folder above it only when nobody else works there.
    if (request.workspace.empty()) fs::remove(workspace.root().parent_path(), ignored);
  }
  return report;
}

BuildReport runStep(const StepRequest& request, const BuildObserver& observer) {
  gs::setThreadCount(request.workers);
  const Stage* stage = findStage(request.stage);
  if (stage == nullptr) {
    std::vector<std::string> names;
    for (const Stage& known : stages()) names.emplace_back(known.name);
    throw gs::Error({.code = gs::ErrorCode::UsageError,
                     .component = "run-step",
                     .message = "there is no stage '" + request.stage + "'",
                     .details = {{"stages", names}},
                     .suggestion = "Use one of those in 'details.stages'."});
  }
  const bool is_same =
      request.output_workspace.empty() || request.output_workspace == request.input_workspace;
  const Workspace workspace(is_same ? request.input_workspace : request.output_workspace,
                            is_same ? fs::path() : request.input_workspace);
  const WorkspaceLock lock(workspace.root());
  BuildReport report{.build_time = gs::toIso8601(buildMoment()),
                     .config = request.config,
                     .workers = gs::threadCount()};
  const fs::path name = fs::absolute(request.input_workspace).lexically_normal();
  report.scene_id = !request.scene_id.empty() ? request.scene_id
                    : request.config.pipeline.output.scene_id
                        ? *request.config.pipeline.output.scene_id
                    : name.has_filename() ? name.filename().string()
                                          : name.parent_path().filename().string();
  checkSceneId(report.scene_id);
  withReport(workspace.root(), report, [&] {
    fs::path log = request.input;
    if (log.empty()) log = request.config.pipeline.input.mcap_file.value_or("");
    const bool reads_log = stage->reads.empty();
    std::error_code ignored;
    if (reads_log && log.empty())
      throw gs::Error({.code = gs::ErrorCode::UsageError,
                       .component = "run-step",
                       .message = "mcap_ingest needs a log",
                       .suggestion = "Add --input LOG.mcap."});
    if (reads_log || (!log.empty() && fs::exists(log, ignored)))
      report.input = identifyLog(log, workspace.root() / "input.json");
    StageContext context{.config = request.config,
                         .workspace = workspace,
                         .scene_id = report.scene_id,
                         .log = report.input,
                         .output = request.output,
                         .validates = request.config.pipeline.pipeline.enable_validation,
                         .check_world = request.check_world,
                         .workers = gs::threadCount()};
    Build build(context, report, observer);
    build.run(*stage, keyOf(*stage, context));
  });
  report.is_success = true;
  report.is_bundle_valid = report.statistics.value("world_bundle_valid", false);
  report.statistics.erase("world_bundle_valid");
  writeReport(workspace.root(), report);
  return report;
}

}  // namespace gs_builder

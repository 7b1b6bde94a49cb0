// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "gs/bundle/world_bundle.hpp"
#include "gs/core/error.hpp"
#include "gs_builder/build_config.hpp"
#include "gs_builder/ego_trajectory.hpp"
#include "gs_builder/log_digest.hpp"
#include "gs_builder/workspace.hpp"

namespace gs_builder {

// The log that a build reads, as the report names it.
struct InputLog {
  std::filesystem::path path;
  std::string md5;
  uint64_t size_bytes = 0;
};

// What drives in a world judges it before it is handed out; here only the simulator's own code
// does, and the programs bring it. Nothing: the world is sound.
using WorldCheck = std::function<std::optional<gs::ErrorReport>(const gs::WorldBundle& world,
                                                                const EgoTrajectory& recorded)>;

// What a stage gets, and where it leaves what it has to say. Stages of one build share it, one
// after the other.
struct StageContext {
  const BuildConfig& config;
  const Workspace& workspace;
  std::string scene_id;
  InputLog log;
  std::filesystem::path output;  // of the bundle; empty: stays in the workspace
  bool validates = true;         // off: a bundle appears although it breaks rules
  WorldCheck check_world;        // may be empty
  int workers = 1;
  std::shared_ptr<const LogDigest> digest;  // when the log was read already
  std::function<void(double)> progress;     // 0..1 of the stage; never null
  // The same with a few words on what it is at; never null.
  std::function<void(double, const std::string&)> status;

  // Of the stage that is running.
  std::vector<std::string> warnings;
  nlohmann::ordered_json statistics = nlohmann::ordered_json::object();

  // The folder of an earlier stage. Throws FILE_MISSING when it was not run.
  std::filesystem::path input(const std::string& folder) const;
};

// One step of the pipeline. Same inputs, configuration and version: same files.
struct Stage {
  const char* name;       // as on the command line
  const char* component;  // as in the interface's error messages
  const char* folder;
  std::vector<std::string> reads;  // folders of other stages
  int version;                     // raise it when the stage's files change for the same input
  bool PipelineConfig::Pipeline::*enable;
  // The part of the configuration that its files depend on.
  std::function<nlohmann::ordered_json(const BuildConfig&)> settings;
  void (*run)(StageContext& context);
  // Goes on in the folder of an interrupted run that was made from the same things.
  bool resumes = false;
};

// src/gs_builder/stages/<name>.cpp, one each.
void runMcapIngest(StageContext& context);
void runCalibrationBuilder(StageContext& context);
void runDrivesimConverter(StageContext& context);
void runGsTraining(StageContext& context);
void runGsExport(StageContext& context);
void runGeometryBuilder(StageContext& context);
void runWorldBundlePacker(StageContext& context);

// In the order in which they run. Geometry comes before training, which starts from its map.
const std::vector<Stage>& stages();
const Stage* findStage(const std::string& name);

}  // namespace gs_builder

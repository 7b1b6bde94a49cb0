// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "gs_builder/build_report.hpp"
#include "gs_builder/stage.hpp"

namespace gs_builder {

// What is told while a build runs. Every member may be empty.
struct BuildObserver {
  std::function<void(const std::string& what)> begin;  // "mcap_ingest", "doctor"
  std::function<void(double fraction, const std::string& status)> progress;
  std::function<void(const std::string& what, double seconds, bool is_skipped)> end;
};

struct BuildRequest {
  BuildConfig config;  // input.mcap_file and output.* are replaced by what stands here
  std::filesystem::path input;
  std::filesystem::path output;     // the bundle's folder
  std::string scene_id;             // empty: the name of the output folder
  std::filesystem::path workspace;  // empty: .gs_world_builder_workspace/<scene id>
  int workers = 0;                  // 0: one per CPU
  bool keeps_workspace = false;
  bool validates = true;
  WorldCheck check_world;  // before the bundle appears; may be empty
  // Called when the bundle is at `output` and the workspace is still there; what it measured
  // becomes part of the build's statistics, a failure a warning of the build. May be empty.
  std::function<nlohmann::ordered_json(
      const std::filesystem::path& workspace,
      const std::function<void(double, const std::string&)>& progress)>
      write_twin_report;
};

// The whole pipeline: the doctor, then every stage whose inputs, configuration or version changed
// since it was last finished in this workspace. Nothing appears at `output` before everything is
// done and valid. The report is also written into the workspace (always) and the bundle (on
// success). Throws gs::Error; then the workspace stays.
BuildReport runBuild(BuildRequest request, const BuildObserver& observer);

struct StepRequest {
  std::string stage;
  BuildConfig config;
  std::filesystem::path input_workspace;
  std::filesystem::path output_workspace;  // empty: the same
  std::filesystem::path input;             // log; mcap_ingest only
  std::filesystem::path output;            // world_bundle_packer: where the bundle goes, too
  std::string scene_id;                    // empty: the name of the workspace
  WorldCheck check_world;                  // as in BuildRequest
  int workers = 0;
};

// One stage, whatever its stamp says.
BuildReport runStep(const StepRequest& request, const BuildObserver& observer);

// Size and MD5 of a log (of all its files), remembered in `cache_file` as long as size and time of
// change stay the same: hashing 40 GB takes minutes.
InputLog identifyLog(const std::filesystem::path& log, const std::filesystem::path& cache_file);

}  // namespace gs_builder

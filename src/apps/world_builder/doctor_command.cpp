// SPDX-License-Identifier: Apache-2.0
#include <iostream>

#include <nlohmann/json.hpp>

#include "apps/common/progress.hpp"
#include "apps/world_builder/build_arguments.hpp"
#include "apps/world_builder/commands.hpp"
#include "gs/core/parallel.hpp"
#include "gs/core/write_fields.hpp"
#include "gs_builder/doctor.hpp"
#include "gs_builder/road_in_log.hpp"

// gs-world-builder doctor LOG. All judgement is in gs_builder/doctor.
namespace apps {
namespace {

struct Arguments {
  ConfigArguments config;
  std::filesystem::path log;
  bool is_json = false;
};

void examine(const Arguments& arguments) {
  const gs_builder::BuildConfig config = loadConfig(arguments.config);
  gs_builder::LogDigest digest;
  {
    Progress progress("reading " + arguments.log.filename().string());
    digest = gs_builder::digestLog(arguments.log, config.pipeline,
                                   [&](double fraction) { progress.update(fraction); });
  }
  gs_builder::Diagnosis diagnosis =
      gs_builder::diagnose(digest, config.pipeline, gs::threadCount());
  gs_builder::addRoadContact(diagnosis, arguments.log, digest, config.pipeline);
  std::cout << (arguments.is_json ? gs::toText(toJson(diagnosis, digest))
                                  : toText(diagnosis, digest));
  if (!diagnosis.isFit()) gs_builder::throwFatal(diagnosis.findings, "doctor");
}

}  // namespace

void addDoctorCommand(CLI::App& app) {
  auto* command = app.add_subcommand("doctor",
                                     "Tell whether a drive log makes a good world, and "
                                     "what to fix");
  auto arguments = std::make_shared<Arguments>();
  command->add_option("log", arguments->log, "Drive log: a .mcap file or a rosbag2 folder")
      ->required();
  addConfigOptions(*command, arguments->config);
  command->add_flag("--json", arguments->is_json, "Print the diagnosis as JSON");
  command->footer(
      "Reads the log once. Shows which topic becomes which sensor, rates, gaps, the quality gates\n"
      "(10 s and 8 Hz; less than 30 s or 10 Hz is a warning; every sensor reachable through TF,\n"
      "cameras within 50 ms of a LiDAR scan), the TF tree's faults, the cameras' calibration, and "
      "what building will need. The camera-LiDAR\n"
      "offset is that of their stamps: the median distance of a picture to its nearest scan.\n"
      "Exit code 0: fit; 3, 4 or 5: what 'build' would stop with.\n"
      "Example:\n"
      "  gs-world-builder doctor drive.mcap");
  command->callback([arguments] { examine(*arguments); });
}

}  // namespace apps

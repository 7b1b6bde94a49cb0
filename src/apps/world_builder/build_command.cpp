// SPDX-License-Identifier: Apache-2.0
#include "apps/world_builder/build_arguments.hpp"
#include "apps/world_builder/commands.hpp"
#include "apps/world_builder/own_way_check.hpp"
#include "apps/world_builder/twin_report_writer.hpp"
#include "gs/core/error.hpp"

// gs-world-builder build --input LOG --output DIR. The work is in gs_builder/pipeline.
namespace apps {
namespace {

constexpr const char* kDetails =
    R"(Only the log is needed: cameras, LiDARs, odometry and frames are found by message type; a
configuration file names what should be otherwise ('print-default-config' writes one).
Runs 'doctor' first and stops when the log cannot make a world. Then, stage by stage:
  mcap_ingest          the log as images, scans, poses
  calibration_builder  lenses, mounts, LiDAR models
  drivesim_converter   training data (also transforms.json for Nerfstudio)
  geometry_builder     LiDAR map without moving things, ground, drivable area, mesh
  gs_training          Gaussians from the images
  gs_export            Gaussians as the simulator reads them
  world_bundle_packer  the bundle, validated, then renamed to --output
  twin_report          how good it is: twin_report.html in the bundle (not with --no-report)
Each stage has a folder in .gs_world_builder_workspace/<scene id>/. After a failure (or a kill) the
workspace stays, and the same command goes on where it stopped. After success it is removed unless
--keep-workspace is given. Ctrl-C while training leaves a checkpoint to go on from. Nothing appears at --output before the bundle is valid.

Examples
  gs-world-builder build --input drive.mcap --output worlds/mine
  gs-world-builder build --input drive.mcap --output worlds/mine --quality draft
  gs-world-builder build --input short.mcap --output worlds/short --min-duration 5
  gs-world-builder build --input drive.mcap --output worlds/mine --config config.yaml --workers 8)";

struct Arguments {
  ConfigArguments config;
  gs_builder::BuildRequest request;
  bool skips_validation = false;
  bool skips_report = false;
  bool is_json = false;
};

void build(Arguments& arguments) {
  gs_builder::BuildRequest& request = arguments.request;
  request.config = loadConfig(arguments.config);
  if (request.input.empty()) request.input = request.config.pipeline.input.mcap_file.value_or("");
  if (request.output.empty())
    request.output = request.config.pipeline.output.world_bundle_dir.value_or("");
  if (request.input.empty() || request.output.empty())
    throw gs::Error({.code = gs::ErrorCode::UsageError,
                     .component = "build",
                     .message = request.input.empty() ? "no log was named" : "no output was named",
                     .suggestion = "Add --input LOG.mcap and --output DIR, or name them in "
                                   "input.mcap_file and output.world_bundle_dir of config.yaml."});
  request.validates = !arguments.skips_validation;
  if (request.config.pipeline.pipeline.enable_twin_report && !arguments.skips_report)
    addTwinReport(request);
  request.check_world = findOwnWayProblem;
  BuildDisplay display;
  printReport(gs_builder::runBuild(request, display.observer()), arguments.is_json);
}

}  // namespace

void addBuildCommand(CLI::App& app) {
  auto* command = app.add_subcommand("build", "Make a world bundle from a drive log");
  command->footer(kDetails);
  auto arguments = std::make_shared<Arguments>();
  gs_builder::BuildRequest& request = arguments->request;
  command->add_option("-i,--input", request.input, "Drive log: a .mcap file or a rosbag2 folder");
  command->add_option("-o,--output", request.output,
                      "Folder of the bundle, replaced when it exists");
  addConfigOptions(*command, arguments->config);
  addQualityOption(*command, arguments->config);
  command->add_option("--scene-id", request.scene_id, "By default the name of the output folder");
  command->add_option("--workers", request.workers, "Threads; by default one per CPU")
      ->check(CLI::Range(1, 4096));
  command->add_option("--workspace", request.workspace,
                      "By default .gs_world_builder_workspace/<scene id>");
  command->add_flag("--keep-workspace", request.keeps_workspace,
                    "Keep what the stages made, also after success");
  command->add_flag("--skip-validation", arguments->skips_validation,
                    "Accept a bundle that breaks rules (they become warnings)");
  command->add_flag("--no-report", arguments->skips_report,
                    "Do not measure the world at the end (as 'gs-world-builder report' does)");
  command->add_flag("--json", arguments->is_json, "Print the build report as JSON");
  command->callback([arguments] { build(*arguments); });
}

}  // namespace apps

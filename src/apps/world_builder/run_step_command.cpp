// SPDX-License-Identifier: Apache-2.0
#include "apps/world_builder/build_arguments.hpp"
#include "apps/world_builder/commands.hpp"
#include "apps/world_builder/own_way_check.hpp"
#include "gs/core/error.hpp"

// gs-world-builder run-step STAGE --input-workspace W.
namespace apps {
namespace {

namespace fs = std::filesystem;

struct Arguments {
  ConfigArguments config;
  gs_builder::StepRequest request;
  bool is_json = false;
};

void runStep(Arguments& arguments) {
  gs_builder::StepRequest& request = arguments.request;
  // The workspace holds the configuration of its build: a step of it uses the same.
  std::error_code ignored;
  const bool is_frozen = fs::is_regular_file(request.input_workspace / "config.yaml", ignored);
  request.config =
      loadConfig(arguments.config, is_frozen ? request.input_workspace : fs::path("."));
  request.check_world = findOwnWayProblem;
  BuildDisplay display;
  printReport(gs_builder::runStep(request, display.observer()), arguments.is_json);
}

}  // namespace

void addRunStepCommand(CLI::App& app) {
  auto* command = app.add_subcommand("run-step", "Run one stage of a build in its workspace");
  auto arguments = std::make_shared<Arguments>();
  gs_builder::StepRequest& request = arguments->request;
  std::vector<std::string> names;
  for (const gs_builder::Stage& stage : gs_builder::stages()) names.emplace_back(stage.name);
  command->add_option("stage", request.stage, "Which stage")
      ->required()
      ->check(CLI::IsMember(names));
  command
      ->add_option("--input-workspace", request.input_workspace,
                   "Workspace with the earlier stages (for mcap_ingest: where it begins)")
      ->required();
  command->add_option("--output-workspace", request.output_workspace,
                      "Where the stage's folder is written; by default the same workspace");
  command->add_option("-i,--input", request.input, "Drive log, for mcap_ingest");
  command->add_option("-o,--output", request.output,
                      "For world_bundle_packer: where the bundle is put, too");
  addConfigOptions(*command, arguments->config);
  addQualityOption(*command, arguments->config);
  command->add_option("--scene-id", request.scene_id, "By default the name of the workspace");
  command->add_option("--workers", request.workers, "Threads; by default one per CPU")
      ->check(CLI::Range(1, 4096));
  command->add_flag("--json", arguments->is_json, "Print the report as JSON");
  command->footer(
      "Runs the stage whether or not it is up to date. Without --config the workspace's own copy\n"
      "of the configuration is used.\n"
      "Example:\n"
      "  gs-world-builder run-step geometry_builder \\\n"
      "    --input-workspace .gs_world_builder_workspace/mine --geometry-config mine.yaml");
  command->callback([arguments] { runStep(*arguments); });
}

}  // namespace apps

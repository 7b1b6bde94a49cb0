// SPDX-License-Identifier: Apache-2.0
#include "apps/world_builder/build_arguments.hpp"
#include "apps/world_builder/commands.hpp"
#include "apps/world_builder/own_way_check.hpp"
#include "apps/world_builder/twin_report_writer.hpp"
#include "gs/core/error.hpp"
#include "gs/core/log.hpp"

// gs-world-builder rebuild --report build_report.json: the same build again.
namespace apps {
namespace {

namespace fs = std::filesystem;

struct Arguments {
  fs::path report, input, output;
  int workers = 0;
  bool keeps_workspace = false;
  bool skips_report = false;
  bool is_json = false;
};

void rebuild(const Arguments& arguments) {
  const gs_builder::RebuildFacts facts = gs_builder::readRebuildFacts(arguments.report);
  gs_builder::BuildRequest request{
      .config = facts.config,
      .input = arguments.input.empty() ? facts.input : arguments.input,
      .output = arguments.output.empty() ? facts.output : arguments.output,
      .scene_id = facts.scene_id,
      .workers = arguments.workers,
      .keeps_workspace = arguments.keeps_workspace};
  if (request.output.empty())
    throw gs::Error({.code = gs::ErrorCode::UsageError,
                     .component = "rebuild",
                     .message = "the report names no output",
                     .suggestion = "Add --output DIR."});
  if (facts.config.pipeline.pipeline.enable_twin_report && !arguments.skips_report)
    addTwinReport(request);
  request.check_world = findOwnWayProblem;
  BuildDisplay display;
  gs_builder::BuildReport report = gs_builder::runBuild(request, display.observer());
  if (!facts.md5.empty() && report.input.md5 != facts.md5)
    report.warnings.push_back("the log is not the one of the report: its content changed");
  printReport(report, arguments.is_json);
}

}  // namespace

void addRebuildCommand(CLI::App& app) {
  auto* command =
      app.add_subcommand("rebuild", "Build a bundle again, from the report of an earlier build");
  auto arguments = std::make_shared<Arguments>();
  command->add_option("--report", arguments->report, "build_report.json of a bundle or workspace")
      ->required();
  command->add_option("-i,--input", arguments->input, "The log, when it has moved");
  command->add_option("-o,--output", arguments->output, "Another place for the bundle");
  command->add_option("--workers", arguments->workers, "Threads; by default one per CPU")
      ->check(CLI::Range(1, 4096));
  command->add_flag("--keep-workspace", arguments->keeps_workspace, "As for build");
  command->add_flag("--no-report", arguments->skips_report, "As for build");
  command->add_flag("--json", arguments->is_json, "Print the build report as JSON");
  command->footer(
      "The report holds the whole configuration, so no other file is needed. The same log and\n"
      "program version give the same bundle, but for the times in reports and metadata; set\n"
      "SOURCE_DATE_EPOCH to fix those too.\n"
      "Example:\n"
      "  gs-world-builder rebuild --report worlds/mine/build_report.json");
  command->callback([arguments] { rebuild(*arguments); });
}

}  // namespace apps

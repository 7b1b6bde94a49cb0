// SPDX-License-Identifier: Apache-2.0
#include "apps/common/run_program.hpp"
#include "apps/world_builder/commands.hpp"
#include "apps/world_builder/exit_codes.hpp"

int main(int argc, char** argv) {
  CLI::App app("Build a simulator world from a recorded drive", "gs-world-builder");
  app.require_subcommand(1);
  app.footer(
      "Run 'gs-world-builder COMMAND --help' for the options and an example of one command.\n"
      "Exit codes: 0 success, 1 general, 2 configuration, 3 input log, 4 topic missing,\n"
      "            5 a stage failed, 6 validation failed. Errors are JSON on stderr.");
  apps::addBuildCommand(app);
  apps::addDoctorCommand(app);
  apps::addRunStepCommand(app);
  apps::addRebuildCommand(app);
  apps::addReportCommand(app);
  apps::addValidateCommand(app);
  apps::addRulesCommand(app);
  apps::addImportCommand(app);
  apps::addExportCommand(app);
  apps::addPrintDefaultConfigCommand(app);
  apps::addValidateConfigCommand(app);
  return apps::runProgram(app, argc, argv, apps::builderExitCode);
}

// SPDX-License-Identifier: Apache-2.0
#include "apps/common/run_program.hpp"
#include "apps/inspect/commands.hpp"
#include "apps/simulator/exit_codes.hpp"

int main(int argc, char** argv) {
  CLI::App app("Look into drive logs and worlds", "gs-inspect");
  app.require_subcommand(1);
  app.footer("Run 'gs-inspect COMMAND --help' for the options and an example of one command.");
  apps::addEvaluateCommand(app);
  apps::addInfoCommand(app);
  apps::addLogCommand(app);
  apps::addOverviewCommand(app);
  apps::addRenderCommand(app);
  apps::addViewCommand(app);
  return apps::runProgram(app, argc, argv, apps::simulatorExitCode);
}

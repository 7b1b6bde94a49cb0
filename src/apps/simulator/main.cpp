// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include "apps/common/run_program.hpp"
#include "apps/simulator/commands.hpp"
#include "apps/simulator/exit_codes.hpp"
#include "gs_ros2/ros_args.hpp"

int main(int argc, char** argv) {
  CLI::App app("Drive in a world built from a recorded drive", "gs-simulator");
  app.require_subcommand(1);
  app.footer(
      "Start here:\n"
      "  gs-simulator check worlds/minimal_test\n"
      "  gs-simulator run worlds/minimal_test --headless --duration 10 --record run.mcap\n"
      "  gs-simulator run --help\n"
      "\n"
      "Exit codes: 0 success, 1 bundle not found or anything general, 2 bundle invalid,\n"
      "            3 required file missing, 4 requested GPU not available.\n"
      "            A run that failed its --fail-when: 10 collision, 11 offroad,\n"
      "            12 missed_deadline, 13 not_arrived, 14 standstill. verify: 20 different.\n"
      "            Errors are JSON on stderr.");
  const auto [own, ros] = gs_ros2::splitRosArgs(std::vector<std::string>(argv + 1, argv + argc));
  apps::addRunCommand(app, ros);
  apps::addCheckCommand(app);
  apps::addVerifyCommand(app);
  apps::addSimulatorPrintDefaultConfigCommand(app);
  std::vector<const char*> arguments = {argv[0]};
  for (const std::string& argument : own) arguments.push_back(argument.c_str());
  return apps::runProgram(app, static_cast<int>(arguments.size()), arguments.data(),
                          apps::simulatorExitCode);
}

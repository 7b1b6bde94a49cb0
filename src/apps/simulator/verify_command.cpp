// SPDX-License-Identifier: Apache-2.0
#include <iostream>
#include <memory>

#include "apps/common/run_program.hpp"
#include "apps/simulator/commands.hpp"
#include "apps/simulator/exit_codes.hpp"
#include "gs_sim/compare_runs.hpp"

namespace apps {

void addVerifyCommand(CLI::App& app) {
  struct Arguments {
    std::filesystem::path first, second;
    gs_sim::CompareOptions options;
  };
  auto* command = app.add_subcommand(
      "verify", "Say whether two recorded runs are the same, and where they first differ");
  auto arguments = std::make_shared<Arguments>();
  command->add_option("first", arguments->first, "A recorded run (.mcap or bag)")->required();
  command->add_option("second", arguments->second, "Another one")->required();
  command
      ->add_option("--ignore", arguments->options.ignored_topics,
                   "Topics to leave out, such as /sim/status of runs in real time")
      ->delimiter(',')
      ->allow_extra_args(false);
  command->footer(
      "Every topic is compared, message by message. Exit code 0: the same; 20: different.\n"
      "Example:\n"
      "  gs-simulator verify monday.mcap tuesday.mcap");

  command->callback([arguments] {
    const gs_sim::RunComparison comparison =
        gs_sim::compareRuns(arguments->first, arguments->second, arguments->options);
    std::cout << gs_sim::toText(comparison) << '\n';
    if (!comparison.isSame()) throw ExitWith{kRunsDiffer};
  });
}

}  // namespace apps

// SPDX-License-Identifier: Apache-2.0
#include <iostream>
#include <memory>

#include "apps/simulator/commands.hpp"
#include "gs_sim/load_parameters.hpp"

namespace apps {

void addSimulatorPrintDefaultConfigCommand(CLI::App& app) {
  struct Arguments {
    std::string file;
    bool is_all_shown = false;
  };
  auto* command = app.add_subcommand("print-default-config",
                                     "Print a parameter file to start from, with comments");
  auto arguments = std::make_shared<Arguments>();
  command->add_option("file", arguments->file, "vehicle, sim or sensors")
      ->required()
      ->check(CLI::IsMember({"vehicle", "sim", "sensors"}));
  command->add_flag("--all", arguments->is_all_shown, "Also the keys that are rarely needed");
  command->footer(
      "Example:\n"
      "  gs-simulator print-default-config vehicle > vehicle.yaml");

  command->callback([arguments] {
    const auto file = gs_sim::findParameterFile(arguments->file);
    std::cout << gs_sim::defaultParametersText(*file, arguments->is_all_shown);
  });
}

}  // namespace apps

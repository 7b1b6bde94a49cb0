// SPDX-License-Identifier: Apache-2.0
#include <iostream>
#include <memory>

#include "apps/world_builder/commands.hpp"
#include "gs_builder/config.hpp"

namespace apps {

void addPrintDefaultConfigCommand(CLI::App& app) {
  struct Arguments {
    std::string kind;
    bool is_all_shown = false;
  };
  auto* command = app.add_subcommand("print-default-config",
                                     "Print a configuration file to start from, with comments");
  auto arguments = std::make_shared<Arguments>();
  command->add_option("kind", arguments->kind, "pipeline, training or geometry")
      ->required()
      ->check(CLI::IsMember({"pipeline", "training", "geometry"}));
  command->add_flag("--all", arguments->is_all_shown, "Also the keys that are rarely needed");
  command->footer(
      "Example:\n"
      "  gs-world-builder print-default-config training > gs_training_config.yaml");

  command->callback([arguments] {
    const auto kind = gs_builder::findConfigKind(arguments->kind);
    std::cout << gs_builder::defaultConfigText(
        *kind, arguments->is_all_shown ? gs::YamlDetail::All : gs::YamlDetail::Common);
  });
}

}  // namespace apps

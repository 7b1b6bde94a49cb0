// SPDX-License-Identifier: Apache-2.0
#include <iostream>
#include <memory>

#include "apps/common/run_program.hpp"
#include "apps/make_test_data/commands.hpp"
#include "apps/world_builder/exit_codes.hpp"
#include "gs/bundle/write_bundle.hpp"
#include "gs/synthetic/broken_bundles.hpp"
#include "gs/synthetic/minimal_bundle.hpp"
#include "gs/synthetic/rosette.hpp"

namespace {

void addWorldCommand(CLI::App& app) {
  auto* command = app.add_subcommand("world", "Write the minimal test world");
  auto target = std::make_shared<std::filesystem::path>();
  command->add_option("directory", *target, "Folder to write; an old one is replaced")->required();
  auto has_rosette = std::make_shared<bool>(false);
  command
      ->add_option("--lidar", *has_rosette,
                   "spinning (default), or rosette: rays from a table, as of solid-state LiDARs")
      ->transform(CLI::CheckedTransformer(
          std::map<std::string, bool>{{"spinning", false}, {"rosette", true}}));
  command->footer(
      "Example (what is checked in as worlds/minimal_test, and another LiDAR in it):\n"
      "  gs-make-test-data world worlds/minimal_test\n"
      "  gs-make-test-data world /tmp/rosette --lidar rosette");
  command->callback([target, has_rosette] {
    gs::WorldBundle world = gs::makeMinimalBundle();
    if (*has_rosette) mountRosette(world, "top");
    gs::writeBundle(*target, world);
    std::cout << target->string() << ": minimal test world\n";
  });
}

void addBrokenCommand(CLI::App& app) {
  auto* command = app.add_subcommand("broken", "Write one broken world for every rule");
  auto target = std::make_shared<std::filesystem::path>();
  command->add_option("directory", *target, "Folder to write them into")->required();
  command->footer(
      "Example:\n"
      "  gs-make-test-data broken /tmp/broken\n"
      "  gs-world-builder validate /tmp/broken/heightmap_size");
  command->callback([target] {
    std::filesystem::create_directories(*target);
    for (const gs::BrokenBundle& broken : gs::brokenBundles()) {
      writeBrokenBundle(broken, *target / broken.name);
      std::cout << (*target / broken.name).string() << ": breaks " << broken.rule_id << '\n';
    }
  });
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Make worlds whose truth is known, for tests and demonstrations",
               "gs-make-test-data");
  app.require_subcommand(1);
  addWorldCommand(app);
  addBrokenCommand(app);
  apps::addDriveCommand(app);
  apps::addViewCommand(app);
  return apps::runProgram(app, argc, argv, apps::builderExitCode);
}

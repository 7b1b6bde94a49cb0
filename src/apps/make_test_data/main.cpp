// SPDX-License-Identifier: Apache-2.0
#include <iostream>
#include <memory>

#include "apps/common/run_program.hpp"
#include "apps/make_test_data/commands.hpp"
#include "apps/world_builder/exit_codes.hpp"
#include "gs/bundle/write_bundle.hpp"
#include "gs/core/file.hpp"
#include "gs/synthetic/broken_bundles.hpp"
#include "gs/synthetic/minimal_bundle.hpp"
#include "gs/synthetic/rosette.hpp"
#include "gs/synthetic/town_bundle.hpp"

namespace {

gs::TownBundle makeTown(const std::string& word) {
  gs::TownBundleOptions options;
  for (const auto& [kind, known] : enumWords(std::type_identity<gs::TownBundleKind>()))
    if (known == word) options = gs::optionsOf(kind);
  return gs::makeTownBundle(options);
}

void addWorldCommand(CLI::App& app) {
  auto* command = app.add_subcommand("world", "Write a test world: the minimal one, or a town");
  auto target = std::make_shared<std::filesystem::path>();
  command->add_option("directory", *target, "Folder to write; an old one is replaced")->required();
  auto kind = std::make_shared<std::string>("minimal");
  command->add_option("--kind", *kind, "How large it is; docs/acceptance.md says what for")
      ->check(CLI::IsMember({"minimal", "benchmark", "standard", "largest"}));
  auto has_rosette = std::make_shared<bool>(false);
  command
      ->add_option("--lidar", *has_rosette,
                   "spinning (default), or rosette: rays from a table, as of solid-state LiDARs")
      ->transform(CLI::CheckedTransformer(
          std::map<std::string, bool>{{"spinning", false}, {"rosette", true}}));
  command->footer(
      "Example (what is checked in as worlds/minimal_test, and another LiDAR in it):\n"
      "  gs-make-test-data world worlds/minimal_test\n"
      "  gs-make-test-data world /tmp/rosette --lidar rosette\n"
      "  gs-make-test-data world tests/data/benchmark_world --kind benchmark");
  command->callback([target, kind, has_rosette] {
    gs::TownBundle made =
        *kind == "minimal" ? gs::TownBundle{gs::makeMinimalBundle(), ""} : makeTown(*kind);
    if (*has_rosette) mountRosette(made.bundle, "top");
    gs::writeBundle(*target, made.bundle);
    if (const auto& trajectory = made.bundle.index.sim.trajectory)
      gs::writeFile(*target / *trajectory, std::string_view(made.trajectory));
    std::cout << target->string() << ": " << *kind << " test world\n";
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

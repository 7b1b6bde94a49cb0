// SPDX-License-Identifier: Apache-2.0
#include <iostream>
#include <memory>

#include <fmt/format.h>

#include "apps/common/run_program.hpp"
#include "apps/simulator/exit_codes.hpp"
#include "gs/bundle/read_bundle.hpp"

namespace {

// Loads the world exactly as a run does, so that a CI job can refuse a bad one early.
void addCheckCommand(CLI::App& app) {
  auto* command =
      app.add_subcommand("check", "Load a world as a run would, and say what it offers");
  auto world = std::make_shared<std::filesystem::path>();
  command->add_option("world", *world, "Folder that contains world.yaml")->required();
  command->footer(
      "Example:\n"
      "  gs-simulator check worlds/minimal_test");
  command->callback([world] {
    const gs::WorldBundle bundle = gs::readBundle(*world);
    const auto& start = bundle.timebase.initial_pose.position;
    std::cout << fmt::format(
        "{}: ready\n"
        "  {} Gaussians, {} x {} ground samples, {} drivable features\n"
        "  {} cameras, {} LiDARs, dt {} s, start at ({}, {}, {})\n",
        bundle.index.scene_id, bundle.gaussians.size(), bundle.heightmap.width,
        bundle.heightmap.height, bundle.drivable.features.size(), bundle.calibration.cameras.size(),
        bundle.calibration.lidars.size(), bundle.timebase.simulation.dt, start[0], start[1],
        start[2]);
  });
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Drive in a world built from a recorded drive", "gs-simulator");
  app.require_subcommand(1);
  app.footer(
      "Exit codes: 0 success, 1 bundle not found, 2 bundle invalid, 3 required file missing,\n"
      "            4 requested GPU not available. Errors are JSON on stderr.");
  addCheckCommand(app);
  return apps::runProgram(app, argc, argv, apps::simulatorExitCode);
}

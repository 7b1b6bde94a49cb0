// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cmath>
#include <iostream>
#include <memory>

#include <fmt/format.h>

#include "apps/simulator/commands.hpp"
#include "gs_sim/world_loader.hpp"

namespace apps {

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
    const gs_sim::WorldData loaded = gs_sim::loadWorld(*world);
    const gs::WorldBundle& bundle = loaded.bundle;
    // To the millimetre, so that what is nearly zero is printed as zero.
    std::array<double, 3> start = bundle.timebase.initial_pose.position;
    for (double& metres : start) metres = std::round(1e3 * metres) / 1e3 + 0.0;
    std::cout << fmt::format(
                     "{}: ready\n"
                     "  {} Gaussians, {} x {} ground samples, {} drivable features\n"
                     "  {} cameras, {} LiDARs, dt {} s, start at ({}, {}, {})\n",
                     bundle.index.scene_id, bundle.gaussians.size(), bundle.heightmap.width,
                     bundle.heightmap.height, bundle.drivable.features.size(),
                     bundle.calibration.cameras.size(), bundle.calibration.lidars.size(),
                     bundle.timebase.simulation.dt, start[0], start[1], start[2])
              << "  "
              << gs::toText(
                     bundle.timebase.base_link_above_ground.value_or(gs::BaseLinkAboveGround{}))
              << '\n';
    for (const std::string& warning : loaded.warnings)
      std::cout << "  warning: " << warning << '\n';
  });
}

}  // namespace apps

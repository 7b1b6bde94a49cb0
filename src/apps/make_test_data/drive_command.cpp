// SPDX-License-Identifier: Apache-2.0
#include <iostream>
#include <memory>

#include "apps/common/progress.hpp"
#include "apps/make_test_data/commands.hpp"
#include "gs/synthetic/sample_drive.hpp"

// gs-make-test-data drive: a drive through the synthetic town, as a car would log it.
namespace apps {

void addDriveCommand(CLI::App& app) {
  auto* command = app.add_subcommand("drive", "Write a sample drive as an MCAP log");
  auto log = std::make_shared<std::filesystem::path>();
  auto options = std::make_shared<gs::SampleDriveOptions>();
  auto is_static = std::make_shared<bool>(false);
  auto is_clean = std::make_shared<bool>(false);
  command->add_option("-o,--output", *log, "Log to write (.mcap)")->required();
  command->add_option("--seconds", options->seconds, "Length of the drive")
      ->check(CLI::Range(0.1, 3600.0))
      ->capture_default_str();
  command->add_option("--seed", options->seed, "Another seed, another town")->capture_default_str();
  command->add_option("--speed", options->speed, "m/s on straights")
      ->check(CLI::Range(1.0, 30.0))
      ->capture_default_str();
  command->add_flag("--no-moving", *is_static, "No moving cars and pedestrians");
  command->add_flag("--no-lidar-noise", *is_clean, "Exact LiDAR ranges");
  command->add_flag("--exposure-drift", options->has_exposure_drift, "Cameras change exposure");
  command->add_flag("--odometry-noise", options->has_odometry_noise, "Noisy odometry");
  command->add_flag("--odometry-drift", options->has_odometry_drift, "Odometry drifts off the map");
  command->footer(
      "Three cameras, a 32-beam LiDAR, odometry, TF, IMU and GNSS through a town whose every\n"
      "surface is known; LOG.truth/ beside the log holds the exact poses, mesh, drivable area and\n"
      "which pixels and points belong to moving things. The same seed gives the same bytes.\n"
      "Example:\n"
      "  gs-make-test-data drive --output drive.mcap --seconds 32 --seed 1");
  command->callback([=] {
    options->has_moving_objects = !*is_static;
    options->has_lidar_noise = !*is_clean;
    {
      Progress progress("driving");
      writeSampleDrive(*log, *options, [&](double f) { progress.update(f); });
    }
    std::cout << log->string() << ": " << options->seconds << " s sample drive, truth in "
              << log->string() << ".truth\n";
  });
}

}  // namespace apps

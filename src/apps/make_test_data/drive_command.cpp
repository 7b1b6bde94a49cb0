// SPDX-License-Identifier: Apache-2.0
#include <iostream>
#include <memory>
#include <optional>

#include "apps/common/progress.hpp"
#include "apps/make_test_data/commands.hpp"
#include "gs/synthetic/sample_drive.hpp"

// gs-make-test-data drive: a drive through the synthetic town, as a car would log it.
namespace apps {
namespace {

struct DriveArguments {
  std::filesystem::path log;
  gs::DrivePreset preset = gs::DrivePreset::Sample;
  uint64_t seed = 1;
  std::optional<double> seconds, speed;
  bool has_surround_rig = false;
  bool is_static = false, is_clean = false, has_exposure_drift = false;
  bool has_odometry_noise = false, has_odometry_drift = false;

  gs::SampleDriveOptions toOptions() const {
    gs::SampleDriveOptions options = gs::driveOptionsFor(preset, seed);
    if (has_surround_rig) mountSurroundRig(options);
    options.seconds = seconds.value_or(options.seconds);
    options.speed = speed.value_or(options.speed);
    options.has_moving_objects = !is_static;
    options.has_lidar_noise = !is_clean;
    options.has_exposure_drift = has_exposure_drift;
    options.has_odometry_noise = has_odometry_noise;
    options.has_odometry_drift = has_odometry_drift;
    return options;
  }
};

constexpr const char* kFooter =
    "sample: three cameras, a 32-beam LiDAR, odometry, TF, IMU and GNSS through a town whose "
    "every\n"
    "surface is known. real: the same town with the traits of real cars' logs: base_link 0.95 m\n"
    "above the road and tilted, 64 uneven beams without ring and time, everything at 9.68 Hz, an\n"
    "odometry that wanders beside a good one; docs/interfaces/drive_logs.md lists them.\n"
    "LOG.truth/ beside the log holds the exact poses, mesh, drivable area, and which pixels and\n"
    "points belong to moving things. The same seed gives the same bytes.\n"
    "Example:\n"
    "  gs-make-test-data drive --output drive.mcap --seconds 32 --seed 1\n"
    "  gs-make-test-data drive --output real.mcap --preset real --rig surround --seed 2";

}  // namespace

void addPresetOption(CLI::App& command, gs::DrivePreset& preset) {
  std::map<std::string, gs::DrivePreset> presets;
  for (const auto& [value, word] : enumWords(std::type_identity<gs::DrivePreset>()))
    presets.emplace(word, value);
  command.add_option("--preset", preset, "Which kind of drive: sample (default) or real")
      ->transform(CLI::CheckedTransformer(presets));
}

void addDriveCommand(CLI::App& app) {
  auto* command = app.add_subcommand("drive", "Write a made drive as an MCAP log");
  auto drive = std::make_shared<DriveArguments>();
  command->add_option("-o,--output", drive->log, "Log to write (.mcap)")->required();
  addPresetOption(*command, drive->preset);
  command
      ->add_option("--rig", drive->has_surround_rig,
                   "preset (default), or surround: six cameras and two LiDARs")
      ->transform(CLI::CheckedTransformer(
          std::map<std::string, bool>{{"preset", false}, {"surround", true}}));
  command->add_option("--seconds", drive->seconds, "Length of the drive (32; real: 20)")
      ->check(CLI::Range(0.1, 3600.0));
  command->add_option("--seed", drive->seed, "Another seed, another town")->capture_default_str();
  command->add_option("--speed", drive->speed, "m/s on straights (8; real: 6)")
      ->check(CLI::Range(1.0, 30.0));
  command->add_flag("--no-moving", drive->is_static, "No moving cars and pedestrians");
  command->add_flag("--no-lidar-noise", drive->is_clean, "Exact LiDAR ranges");
  command->add_flag("--exposure-drift", drive->has_exposure_drift, "Cameras change exposure");
  command->add_flag("--odometry-noise", drive->has_odometry_noise, "Noisy odometry");
  command->add_flag("--odometry-drift", drive->has_odometry_drift, "Odometry drifts off the map");
  command->footer(kFooter);
  command->callback([drive] {
    const gs::SampleDriveOptions options = drive->toOptions();
    {
      Progress progress("driving");
      writeSampleDrive(drive->log, options, [&](double f) { progress.update(f); });
    }
    std::cout << drive->log.string() << ": " << options.seconds << " s "
              << gs::wordOf(drive->preset) << " drive, truth in " << drive->log.string()
              << ".truth\n";
  });
}

}  // namespace apps

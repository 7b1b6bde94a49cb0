// SPDX-License-Identifier: Apache-2.0
#include <iostream>
#include <memory>
#include <optional>

#include "apps/common/progress.hpp"
#include "apps/common/simulated_ego.hpp"
#include "apps/common/true_drive.hpp"
#include "apps/inspect/commands.hpp"
#include "gs/bundle/read_bundle.hpp"
#include "gs/core/file.hpp"
#include "gs/core/parallel.hpp"
#include "gs/core/write_fields.hpp"
#include "gs/formats/png.hpp"
#include "gs_builder/build_report.hpp"
#include "gs_builder/evaluation.hpp"

// gs-inspect evaluate WORLD --log LOG: how good a world is, on frames its training never saw.
namespace apps {
namespace {

namespace fs = std::filesystem;

struct Arguments {
  fs::path world, log, workspace, save_images;
  std::optional<int> every;
  size_t max_frames = 48;
  int threads = 0;
  bool is_json = false;
};

// The configuration that the world was built with: which topics, which frames, how many held out.
gs_builder::BuildConfig configOf(const fs::path& world) {
  std::error_code ignored;
  const fs::path report = world / "build_report.json";
  if (!fs::is_regular_file(report, ignored)) return {};
  return gs_builder::readRebuildFacts(report).config;
}

void evaluate(const Arguments& arguments) {
  gs::setThreadCount(arguments.threads);
  const gs_builder::BuildConfig config = configOf(arguments.world);
  const auto loaded = std::make_shared<const gs_sim::WorldData>(
      gs_sim::WorldData{arguments.world, gs::readBundle(arguments.world), {}});
  const gs::WorldBundle& world = loaded->bundle;
  SimulatedEgo ego(loaded);
  std::unique_ptr<gs_builder::RecordedDrive> drive;
  {
    Progress progress("reading " + arguments.log.filename().string());
    drive = std::make_unique<gs_builder::RecordedDrive>(
        arguments.log, config.pipeline, [&](double fraction) { progress.update(fraction); });
  }
  gs_builder::EvaluationOptions options{
      .every = arguments.every.value_or(config.training.training.held_out_every),
      .max_frames = arguments.max_frames,
      .workspace = arguments.workspace,
      .simulate = [&](const std::string& camera, const gs::Rigid3& pose,
                      const gs_builder::EgoMotion& motion) {
        return ego.viewAt(camera, pose, motion);
      }};
  if (!arguments.save_images.empty()) {
    gs::createDirectories(arguments.save_images);
    options.save_image = [&](const std::string& name, const gs::Image8& picture) {
      gs::writeFileAtomically(arguments.save_images / (name + ".png"), gs::encodePng(picture));
    };
  }
  gs_builder::Evaluation evaluation;
  {
    Progress progress("measuring");
    options.progress = [&](double fraction) { progress.update(fraction); };
    evaluation =
        gs_builder::evaluateWorld(world, *drive, config.pipeline.ingest, options,
                                  findTruthOf(arguments.log).value_or(gs_builder::DriveTruth{}));
  }
  std::cout << (arguments.is_json ? gs::toText(toJson(evaluation)) : toText(evaluation));
}

}  // namespace

void addEvaluateCommand(CLI::App& app) {
  auto* command = app.add_subcommand("evaluate", "Measure how good a world is against its log");
  auto arguments = std::make_shared<Arguments>();
  command->add_option("world", arguments->world, "Folder that contains world.yaml")->required();
  command->add_option("--log", arguments->log, "The log that the world was built from")->required();
  command
      ->add_option("--workspace", arguments->workspace,
                   "Workspace of the build (--keep-workspace): where things move, and the ego's "
                   "own body")
      ->check(CLI::ExistingDirectory);
  command
      ->add_option("--every", arguments->every,
                   "Held-out frames are every n-th of a camera (default: as in the build)")
      ->check(CLI::Range(1, 1000000));
  command
      ->add_option("--max-frames", arguments->max_frames,
                   "Images to measure, evenly chosen of the held-out ones; 0 is all")
      ->capture_default_str();
  command->add_option(
      "--save-images", arguments->save_images,
      "Folder for pictures: recorded | rendered | difference, four times as strong");
  command->add_option("--threads", arguments->threads, "Threads to use; 0 is one per CPU")
      ->check(CLI::Range(0, 1024))
      ->capture_default_str();
  command->add_flag("--json", arguments->is_json, "Print it as JSON");
  command->footer(
      "PSNR (dB) and SSIM of held-out frames, over the whole image and over what does not move;\n"
      "rendered depth against the LiDAR; images of the closed loop, with the ego put by the\n"
      "simulator at the recorded x, y and heading. Where the log is a made drive with its truth "
      "beside it\n"
      "(LOG.truth), also against the true image 1, 2 and 3 m beside the path.\n"
      "Examples:\n"
      "  gs-inspect evaluate worlds/mine --log drive.mcap\n"
      "  gs-inspect evaluate worlds/mine --log drive.mcap --max-frames 0 --save-images pictures");
  command->callback([arguments] { evaluate(*arguments); });
}

}  // namespace apps

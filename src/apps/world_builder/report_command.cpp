// SPDX-License-Identifier: Apache-2.0
#include <iostream>
#include <memory>

#include <fmt/format.h>

#include "apps/common/progress.hpp"
#include "apps/world_builder/commands.hpp"
#include "apps/world_builder/twin_report_writer.hpp"
#include "gs/core/parallel.hpp"

// gs-world-builder report WORLD --log LOG: the recorded drive in the built world, as a page.
namespace apps {
namespace {

namespace fs = std::filesystem;

struct Arguments {
  TwinReportRequest request;
  int threads = 0;
  bool skips_timing = false;
};

void report(Arguments& arguments) {
  gs::setThreadCount(arguments.threads);
  arguments.request.has_timing = !arguments.skips_timing;
  fs::path output;
  {
    Progress progress("twin report");
    output = writeTwinReport(arguments.request, [&](double fraction, const std::string& status) {
               progress.update(fraction, status);
             }).file;
  }
  std::cout << fmt::format("\u2713 {} ({:.1f} MB)\n", output.string(),
                           static_cast<double>(fs::file_size(output)) / 1e6);
}

}  // namespace

void addReportCommand(CLI::App& app) {
  auto* command =
      app.add_subcommand("report", "Drive the recorded path in a world and write how good it is");
  auto arguments = std::make_shared<Arguments>();
  TwinReportRequest& request = arguments->request;
  command->add_option("world", request.world, "Folder that contains world.yaml")->required();
  command->add_option("--log", request.log, "The log that the world was built from")->required();
  command->add_option("-o,--output", request.output,
                      std::string("The page; by default ") + kTwinReportFile + " in the world");
  command
      ->add_option("--workspace", request.workspace,
                   "Workspace of the build (--keep-workspace): where things move, and the ego's "
                   "own body")
      ->check(CLI::ExistingDirectory);
  command
      ->add_option("--max-frames", request.max_frames,
                   "Images to measure, evenly chosen of the held-out ones; 0 is all")
      ->capture_default_str();
  command
      ->add_option("--max-scans", request.max_scans,
                   "LiDAR sweeps to measure, evenly chosen; 0 is all")
      ->capture_default_str();
  command->add_option("--threads", arguments->threads, "Threads to use; 0 is one per CPU")
      ->check(CLI::Range(0, 1024))
      ->capture_default_str();
  command->add_flag("--no-timing", arguments->skips_timing,
                    "Leave times and dates out: the same input gives the same bytes");
  command->footer(
      "One HTML page that needs nothing else: a verdict, images recorded and rendered with PSNR "
      "and\n"
      "SSIM, where along the drive and on the map they are weak, simulated against recorded "
      "LiDAR,\n"
      "facts of the drive and the build. Where the log is a made drive with its truth beside it\n"
      "(LOG.truth), also how good images are 1, 2 and 3 m beside the path.\n"
      "Examples:\n"
      "  gs-world-builder report worlds/mine --log drive.mcap\n"
      "  gs-world-builder report worlds/mine --log drive.mcap --max-frames 0 --output mine.html");
  command->callback([arguments] { report(*arguments); });
}

}  // namespace apps

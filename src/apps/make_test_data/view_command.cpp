// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <iostream>
#include <memory>
#include <numbers>

#include "apps/make_test_data/commands.hpp"
#include "gs/core/error.hpp"
#include "gs/core/file.hpp"
#include "gs/formats/png.hpp"
#include "gs/synthetic/sample_drive.hpp"
#include "gs/synthetic/town_renderer.hpp"

namespace apps {
namespace {

struct ViewOptions {
  std::filesystem::path out;
  double s = 0, side = 0, height = 1.6, yaw_deg = 0, pitch_deg = 0, t = 0, fov_deg = 80;
  std::string size = "800x450";
  uint64_t seed = 1;
  gs::DrivePreset preset = gs::DrivePreset::Sample;
};

gs::ViewCamera cameraOf(const ViewOptions& options) {
  int width = 0, height = 0;
  if (std::sscanf(options.size.c_str(), "%dx%d", &width, &height) != 2 || width < 1 || height < 1 ||
      width > 16384 || height > 16384)
    throw gs::Error({.code = gs::ErrorCode::InputInvalid,
                     .component = "make_test_data",
                     .message = "--size " + options.size + " is not WIDTHxHEIGHT",
                     .suggestion = "Write it as 800x450."});
  gs::ViewCamera camera{.width = width, .height = height};
  const double focal = 0.5 * width / std::tan(options.fov_deg * std::numbers::pi / 360);
  camera.intrinsics.fx = camera.intrinsics.fy = focal;
  camera.intrinsics.cx = 0.5 * (width - 1);
  camera.intrinsics.cy = 0.5 * (height - 1);
  return camera;
}

// On the route, looking along it; side and yaw turn to the left.
gs::Rigid3 poseOf(const ViewOptions& options, const gs::Town& town) {
  const auto& route = town.route();
  const auto count = static_cast<int64_t>(route.size());
  const auto index = ((std::llround(options.s / 0.5) % count) + count) % count;
  const auto &here = route[index], &next = route[(index + 1) % count];
  const double heading = std::atan2(next[1] - here[1], next[0] - here[0]);
  const double x = here[0] - std::sin(heading) * options.side;
  const double y = here[1] + std::cos(heading) * options.side;
  constexpr double kDegree = std::numbers::pi / 180;
  const gs::Quat map_from_body =
      gs::fromRollPitchYaw(0, options.pitch_deg * kDegree, heading + options.yaw_deg * kDegree);
  const gs::Quat body_from_camera(0.5, -0.5, 0.5, -0.5);  // z forward, x right, y down
  return {map_from_body * body_from_camera,
          gs::Vec3(x, y, town.groundHeight(x, y) + options.height)};
}

}  // namespace

void addViewCommand(CLI::App& app) {
  auto* command = app.add_subcommand("view", "Write the true image of the sample town");
  auto options = std::make_shared<ViewOptions>();
  command->add_option("--out", options->out, "PNG file to write")->required();
  command->add_option("--s", options->s, "Metres along the route");
  command->add_option("--side", options->side, "Metres to the left of the route");
  command->add_option("--height", options->height, "Metres above the ground");
  command->add_option("--yaw-deg", options->yaw_deg, "Degrees to the left of the route");
  command->add_option("--pitch-deg", options->pitch_deg, "Degrees downwards");
  command->add_option("--fov-deg", options->fov_deg, "Angle from the left to the right edge");
  command->add_option("--t", options->t, "Seconds: where the moving objects are");
  command->add_option("--size", options->size, "Image size, 800x450");
  command->add_option("--seed", options->seed, "Which town");
  addPresetOption(*command, options->preset);
  command->footer(
      "Example:\n"
      "  gs-make-test-data view --out street.png --s 120 --yaw-deg 30");
  command->callback([options] {
    const gs::ViewCamera camera = cameraOf(*options);
    const gs::Town town =
        gs::SampleDriveTruth(gs::driveOptionsFor(options->preset, options->seed)).town;
    const gs::TownRenderer renderer(town);
    const gs::TrueView view = renderer.renderView(camera, poseOf(*options, town), options->t);
    gs::writeFileAtomically(options->out, gs::encodePng(view.rgb));
    std::cout << options->out.string() << ": the town at " << options->s << " m\n";
  });
}

}  // namespace apps

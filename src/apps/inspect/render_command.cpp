// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>

#include <fmt/format.h>

#include "apps/common/progress.hpp"
#include "apps/inspect/commands.hpp"
#include "gs/bundle/read_bundle.hpp"
#include "gs/core/error.hpp"
#include "gs/core/file.hpp"
#include "gs/core/parallel.hpp"
#include "gs/formats/png.hpp"
#include "gs/render/depth_picture.hpp"
#include "gs/render/make_splat_renderer.hpp"
#include "gs_builder/ego_trajectory.hpp"

// gs-inspect render WORLD --camera front --out a.png: what a camera sees in a world.
namespace apps {
namespace {

struct Arguments {
  std::filesystem::path world, out, depth, trajectory;
  std::string camera;
  std::vector<double> pose;  // x, y, z, yaw in degrees
  int threads = 0;
  int every = 1;
};

const gs::CameraCalibration& cameraOf(const gs::WorldBundle& bundle, const std::string& id) {
  const auto& cameras = bundle.calibration.cameras;
  const auto found = id.empty() ? cameras.begin() : cameras.find(id);
  if (found != cameras.end()) return found->second;
  std::string known;
  for (const auto& [name, camera] : cameras) known += (known.empty() ? "" : ", ") + name;
  throw gs::Error({.code = gs::ErrorCode::InputInvalid,
                   .component = "gs-inspect",
                   .message = "this world has no camera '" + id + "'",
                   .suggestion = "Its cameras are: " + (known.empty() ? "none" : known) + "."});
}

gs::Rigid3 startOf(const gs::WorldBundle& bundle) {
  const auto& start = bundle.timebase.initial_pose;
  return {gs::fromXyzw(start.orientation),
          gs::Vec3(start.position[0], start.position[1], start.position[2])};
}

gs::Rigid3 poseFrom(const std::vector<double>& pose) {
  return {gs::fromRollPitchYaw(0, 0, pose[3] * M_PI / 180), gs::Vec3(pose[0], pose[1], pose[2])};
}

// Portable float map: metres, rows from the bottom.
std::string floatMapOf(const gs::ImageF& depth) {
  std::string text = fmt::format("Pf\n{} {}\n-1.0\n", depth.width, depth.height);
  for (int y = depth.height - 1; y >= 0; --y) {
    const auto row = depth.row(y);
    text.append(reinterpret_cast<const char*>(row.data()), row.size_bytes());
  }
  return text;
}

void writeDepth(const std::filesystem::path& file, const gs::ImageF& depth) {
  if (file.extension() == ".pfm") gs::writeFileAtomically(file, floatMapOf(depth));
  else gs::writeFileAtomically(file, gs::encodePng(gs::drawDepth(depth)));
}

class Photographer {
 public:
  explicit Photographer(const Arguments& arguments)
      : arguments_(arguments), bundle_(gs::readBundle(arguments.world)) {
    calibration_ = cameraOf(bundle_, arguments.camera);
    settings_ = gs::settingsFrom(bundle_.render_config);
    if (bundle_.sky) settings_.sky = gs::Sky(*bundle_.sky);
    renderer_ = gs::makeSplatRenderer(gs::RendererKind::Auto, {&bundle_.gaussians});
    bundle_.gaussians = {};  // the renderer has its own form of them
  }

  void one() const {
    const gs::Rigid3 map_from_base =
        arguments_.pose.empty() ? startOf(bundle_) : poseFrom(arguments_.pose);
    const gs::RenderedView view = shoot(map_from_base, !arguments_.depth.empty());
    gs::writeFileAtomically(arguments_.out, gs::encodePng(view.rgb));
    if (!arguments_.depth.empty()) writeDepth(arguments_.depth, view.depth);
    const gs::RenderStatistics& s = view.statistics;
    std::cout << fmt::format(
        "{}: {} x {} pixels, {} splats in view of {}, {:.1f} ms (blending {:.1f} ms)\n",
        arguments_.out.string(), view.rgb.width, view.rgb.height, s.splats_in_view, s.splats,
        1e3 * s.seconds(), 1e3 * s.secondsOf("blend"));
  }

  // One picture per pose, 000000.png and on, into the folder `out`.
  void sequence() const {
    const auto trajectory = gs_builder::readPosesCsv(arguments_.trajectory);
    const auto& poses = trajectory.poses();
    std::filesystem::create_directories(arguments_.out);
    Progress progress("rendering");
    const size_t step = static_cast<size_t>(arguments_.every);
    size_t count = 0;
    for (size_t i = 0; i < poses.size(); i += step, ++count) {
      const gs::RenderedView view = shoot(poses[i].map_from_base, false);
      gs::writeFileAtomically(arguments_.out / fmt::format("{:06}.png", count),
                              gs::encodePng(view.rgb));
      progress.update(static_cast<double>(i + 1) / static_cast<double>(poses.size()));
    }
    std::cout << fmt::format("{}: {} pictures\n", arguments_.out.string(), count);
  }

 private:
  gs::RenderedView shoot(const gs::Rigid3& map_from_base, bool with_depth) const {
    return renderer_->render(
        {.camera = gs::cameraOf(calibration_),
         .map_from_camera = map_from_base * calibration_.extrinsics.baseFromSensor(),
         .outputs = {.depth = with_depth}},
        settings_);
  }

  const Arguments& arguments_;
  gs::WorldBundle bundle_;
  gs::CameraCalibration calibration_;
  gs::RenderSettings settings_;
  std::unique_ptr<gs::SplatRenderer> renderer_;
};

}  // namespace

void addRenderCommand(CLI::App& app) {
  auto* command = app.add_subcommand("render", "Show what a camera sees in a world, as a PNG");
  auto arguments = std::make_shared<Arguments>();
  command->add_option("world", arguments->world, "Folder that contains world.yaml")->required();
  command->add_option("--camera", arguments->camera, "Camera of the calibration (default: first)");
  auto* pose = command
                   ->add_option("--pose", arguments->pose,
                                "Where base_link is: x,y,z in metres and yaw in degrees, map frame "
                                "(default: the world's start)")
                   ->delimiter(',')
                   ->expected(4);
  command->add_option("-o,--out", arguments->out, "PNG to write; a folder with --trajectory")
      ->required();
  auto* depth = command->add_option(
      "--depth", arguments->depth,
      "Also write the depth: FILE.pfm in metres, or FILE.png in colours, near is red, with their "
      "metres below");
  command
      ->add_option("--trajectory", arguments->trajectory,
                   "Poses of base_link (timestamp,x,y,z,qx,qy,qz,qw); one picture for each")
      ->check(CLI::ExistingFile)
      ->excludes(pose)
      ->excludes(depth);
  command->add_option("--every", arguments->every, "Of a trajectory, every n-th pose only")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  command->add_option("--threads", arguments->threads, "Threads to use; 0 is one per CPU")
      ->check(CLI::Range(0, 1024))
      ->capture_default_str();
  command->footer(
      "Examples:\n"
      "  gs-inspect render worlds/minimal_test --camera front --pose 20,0,0,0 --out a.png\n"
      "  gs-inspect render worlds/mine --trajectory poses.csv --every 8 --out frames");
  command->callback([arguments] {
    gs::setThreadCount(arguments->threads);
    const Photographer photographer(*arguments);
    if (arguments->trajectory.empty()) photographer.one();
    else photographer.sequence();
  });
}

}  // namespace apps

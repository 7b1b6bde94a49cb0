// SPDX-License-Identifier: Apache-2.0
#include "apps/common/true_drive.hpp"

#include <memory>

#include <fmt/format.h>

#include "gs/core/file.hpp"
#include "gs/formats/png.hpp"
#include "gs/synthetic/mover_sweep.hpp"
#include "gs/synthetic/sample_drive.hpp"
#include "gs/synthetic/town_renderer.hpp"

namespace apps {
namespace fs = std::filesystem;
namespace {

struct TrueDrive {
  explicit TrueDrive(const fs::path& log)
      : folder(log.string() + ".truth"),
        truth(gs::readSampleDriveTruth(log)),
        renderer(truth.town),
        road(truth.town.drivable()),
        movers(truth) {}

  gs::Image8 movingPixels(const std::string& name, gs::Stamp stamp) const {
    for (const auto& [id, camera] : truth.options.rig.cameras) {
      if (camera.frame_id != name) continue;
      const int64_t frame = gs::frameNumberAt(truth.options, id, stamp);
      const fs::path file = folder / "moving" / name / fmt::format("{:06}.png", frame);
      std::error_code ignored;
      if (!fs::is_regular_file(file, ignored)) return {};  // only frames that have some are kept
      return gs::decodePng(gs::asBytes(gs::readTextFile(file, uint64_t{1} << 28)), file.string());
    }
    return {};
  }

  gs_builder::DriveTruth::View staticView(const gs::CameraCalibration& camera,
                                          const gs::Rigid3& map_from_camera, gs::Stamp stamp) {
    const auto [rays, is_new] = tables.try_emplace(camera.frame_id);
    if (is_new)
      rays->second = std::make_unique<gs::RayTable>(
          gs::ViewCamera{camera.image_width, camera.image_height, camera.intrinsics});
    gs::TrueView view = renderer.renderView(*rays->second, map_from_camera,
                                            gs::toSeconds(stamp - gs::kSampleDriveStart),
                                            {.has_moving_objects = false}, true);
    return {std::move(view.rgb), std::move(view.depth)};
  }

  fs::path folder;
  gs::SampleDriveTruth truth;
  gs::TownRenderer renderer;
  gs::DrivableArea road;
  gs::MoverSweep movers;
  std::map<std::string, std::unique_ptr<gs::RayTable>> tables;
};

}  // namespace

std::optional<gs_builder::DriveTruth> findTruthOf(const fs::path& log) {
  std::error_code ignored;
  if (!fs::is_regular_file(fs::path(log.string() + ".truth") / "drive.json", ignored)) return {};
  const auto drive = std::make_shared<TrueDrive>(log);
  return gs_builder::DriveTruth{
      .moving_pixels = [drive](const std::string& camera,
                               gs::Stamp stamp) { return drive->movingPixels(camera, stamp); },
      .static_view =
          [drive](const gs::CameraCalibration& camera, const gs::Rigid3& map_from_camera,
                  gs::Stamp stamp) { return drive->staticView(camera, map_from_camera, stamp); },
      .is_road = [drive](double x, double y) { return gs::isDrivable(drive->road, x, y); },
      .is_movers_way = [drive](const gs::Vec3& p) { return drive->movers.contains(p); }};
}

}  // namespace apps

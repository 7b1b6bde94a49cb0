// SPDX-License-Identifier: Apache-2.0
#include <iostream>
#include <memory>

#include <fmt/format.h>

#include "apps/inspect/commands.hpp"
#include "gs/bundle/gaussian_check.hpp"
#include "gs/bundle/read_bundle.hpp"
#include "gs/core/write_fields.hpp"

// gs-inspect info WORLD: what a bundle holds, for people and (--json) for programs.
namespace apps {
namespace {

size_t knownSamples(const gs::Heightmap& map) {
  size_t known = 0;
  for (const float h : map.samples) known += h == h ? 1 : 0;
  return known;
}

std::string raysText(const gs::WorldBundle& bundle, const gs::LidarSpec& spec) {
  if (spec.pattern) return fmt::format("{} rays", rayCount(spec, bundle.raysOf(spec)));
  return fmt::format("{} channels, {} deg", spec.channels, spec.horizontal_resolution_deg);
}

nlohmann::ordered_json describe(const gs::WorldBundle& bundle) {
  const gs::GaussianDefects splats = findDefects(bundle.gaussians);
  const gs::HeightRange heights = rangeOf(bundle.heightmap);
  nlohmann::ordered_json info;
  info["scene_id"] = bundle.index.scene_id;
  info["source"] = toJson(bundle.metadata.source);
  info["spatial_extent"] = toJson(bundle.metadata.spatial_extent);
  info["gaussians"] = {{"count", bundle.gaussians.size()},
                       {"sh_degree", bundle.gaussians.sh_degree},
                       {"min", splats.min},
                       {"max", splats.max}};
  info["sky"] = bundle.sky.has_value();
  info["heightmap"] = {{"width", bundle.heightmap.width},
                       {"height", bundle.heightmap.height},
                       {"resolution", bundle.heightmap.resolution},
                       {"min", heights.min},
                       {"max", heights.max},
                       {"known_samples", knownSamples(bundle.heightmap)}};
  info["drivable"] = {{"features", bundle.drivable.features.size()},
                      {"area_m2", areaOf(bundle.drivable)}};
  info["static_mesh_triangles"] = bundle.static_mesh ? bundle.static_mesh->triangles.size() : 0;
  info["calibration"] = toJson(bundle.calibration);
  info["timebase"] = toJson(bundle.timebase);
  return info;
}

void printText(const gs::WorldBundle& bundle, const nlohmann::ordered_json& info) {
  const auto number = [&](const char* section, const char* key) {
    return info[section][key].get<double>();
  };
  const auto& extent = bundle.metadata.spatial_extent;
  const auto& splats = info["gaussians"];
  std::cout << fmt::format("scene      {} from {}, {:.1f} s\n", bundle.index.scene_id,
                           bundle.metadata.source.file, bundle.metadata.source.duration_sec)
            << fmt::format("extent     x {} .. {}, y {} .. {}, z {} .. {} m\n", extent.min_x,
                           extent.max_x, extent.min_y, extent.max_y, extent.min_z, extent.max_z)
            << fmt::format("gaussians  {}, SH degree {}, from {} to {}{}\n",
                           bundle.gaussians.size(), bundle.gaussians.sh_degree,
                           splats["min"].dump(), splats["max"].dump(), bundle.sky ? ", sky" : "")
            << fmt::format(
                   "ground     {} x {} samples of {} m, heights {:.2f} .. {:.2f} m, "
                   "{:.1f} % known\n",
                   bundle.heightmap.width, bundle.heightmap.height, bundle.heightmap.resolution,
                   number("heightmap", "min"), number("heightmap", "max"),
                   100 * number("heightmap", "known_samples") /
                       static_cast<double>(bundle.heightmap.samples.size()))
            << fmt::format("drivable   {} features, {:.0f} m2\n", bundle.drivable.features.size(),
                           number("drivable", "area_m2"))
            << fmt::format("mesh       {} triangles\n", info["static_mesh_triangles"].dump());
  std::cout << fmt::format(
      "vehicle    {}\n",
      gs::toText(bundle.timebase.base_link_above_ground.value_or(gs::BaseLinkAboveGround{})));
  for (const auto& [id, camera] : bundle.calibration.cameras)
    std::cout << fmt::format("camera     {}: {} x {}, {} {}, {} Hz\n", id, camera.image_width,
                             camera.image_height, gs::wordOf(camera.intrinsics.model),
                             gs::wordOf(camera.intrinsics.distortion_model), camera.rate_hz);
  for (const auto& [id, lidar] : bundle.calibration.lidars)
    std::cout << fmt::format("lidar      {}: {}, {}, {} .. {} m, {} Hz\n", id, lidar.spec.model,
                             raysText(bundle, lidar.spec), lidar.spec.min_range,
                             lidar.spec.max_range, lidar.rate_hz);
}

}  // namespace

void addInfoCommand(CLI::App& app) {
  auto* command = app.add_subcommand("info", "Say what a world holds");
  auto world = std::make_shared<std::filesystem::path>();
  auto is_json = std::make_shared<bool>(false);
  command->add_option("world", *world, "Folder that contains world.yaml")->required();
  command->add_flag("--json", *is_json, "Print it as JSON");
  command->footer(
      "Example:\n"
      "  gs-inspect info worlds/minimal_test");
  command->callback([world, is_json] {
    const gs::WorldBundle bundle = gs::readBundle(*world);
    const nlohmann::ordered_json info = describe(bundle);
    if (*is_json) std::cout << gs::toText(info);
    else printText(bundle, info);
  });
}

}  // namespace apps

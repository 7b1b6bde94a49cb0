// SPDX-License-Identifier: Apache-2.0
#include "gs/bundle/write_bundle.hpp"

#include "gs/bundle/drivable_file.hpp"
#include "gs/bundle/gaussian_ply.hpp"
#include "gs/bundle/heightmap_file.hpp"
#include "gs/bundle/read_bundle.hpp"
#include "gs/core/check.hpp"
#include "gs/core/error.hpp"
#include "gs/core/file.hpp"
#include "gs/core/write_fields.hpp"
#include "gs/formats/glb.hpp"
#include "gs/formats/png.hpp"

namespace gs {
namespace fs = std::filesystem;
namespace {

// Names come from the bundle's index: they are joined to the directory only after the same check
// that a reader would make.
fs::path placeFor(const fs::path& directory, const std::string& name) {
  const ResolvedPath place = resolveInside(directory, name);
  if (place.problem != PathProblem::None)
    throw Error({.code = ErrorCode::OutputFailed,
                 .component = "world_bundle",
                 .message = "'" + name + "' is not a path inside a bundle",
                 .suggestion = "Name bundle files by relative paths."});
  std::error_code why;
  fs::create_directories(place.path.parent_path(), why);
  if (why)
    throw Error(
        {.code = ErrorCode::OutputFailed,
         .component = "world_bundle",
         .message = "cannot create '" + place.path.parent_path().string() + "': " + why.message(),
         .suggestion = "Check free space and permissions of the output folder."});
  return place.path;
}

}  // namespace

void writeBundleInto(const fs::path& directory, const WorldBundle& bundle) {
  const WorldIndex& index = bundle.index;
  GS_CHECK(bundle.sky.has_value() == index.gaussians.sky.has_value());
  GS_CHECK(bundle.static_mesh.has_value() == index.geometry.static_mesh.has_value());
  const auto place = [&](const std::string& name) { return placeFor(directory, name); };
  const auto writeDocument = [&](const std::string& name, const auto& value) {
    const bool is_yaml = formatOf(name) == DocumentFormat::Yaml;
    writeFileAtomically(place(name), is_yaml ? toYamlText(toJson(value)) : toText(toJson(value)));
  };

  // What the cloud in memory is like, and what writeGaussianPly writes.
  RenderConfig render_config = bundle.render_config;
  render_config.sh_degree = bundle.gaussians.sh_degree;
  render_config.attribute_encoding = {};

  writeDocument("world.yaml", index);
  writeDocument(index.metadata, bundle.metadata);
  writeDocument(index.gaussians.render_config, render_config);
  writeGaussianPly(place(index.gaussians.background), bundle.gaussians);
  if (bundle.sky) writeFileAtomically(place(*index.gaussians.sky), encodePng(*bundle.sky));
  writeHeightmap(bundle.heightmap, place(index.geometry.heightmap),
                 place(index.geometry.heightmap_meta));
  writeFileAtomically(place(index.geometry.drivable), writeDrivable(bundle.drivable));
  if (const auto& mesh = bundle.static_mesh)
    // Without normals it is for rays and collisions alone, which a millimetre is nothing to.
    writeFileAtomically(place(*index.geometry.static_mesh),
                        mesh->normals.empty() ? encodeCompactGlb(*mesh) : encodeGlb(*mesh));
  writeDocument(index.sensors.calibration, bundle.calibration);
  for (const auto& [name, rays] : bundle.lidar_rays)
    writeFileAtomically(place(name), writeLidarRays(rays));
  writeDocument(index.sensors.tf_static, bundle.tf_static);
  writeDocument(index.sim.timebase, bundle.timebase);
}

void writeBundle(const fs::path& target, const WorldBundle& bundle) {
  StagedDirectory staged(target);
  writeBundleInto(staged.path(), bundle);
  const ValidationReport report = validateBundle(staged.path());
  if (!report.isValid()) throwInvalidBundle(report, ErrorCode::ValidationFailed);
  staged.commit();
}

}  // namespace gs

// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/world_loader.hpp"

#include <utility>

#include "gs/bundle/read_bundle.hpp"
#include "gs/core/error.hpp"

namespace gs_sim {
namespace {

// The simulator's own name for what is wrong, where it has one; a missing file explains the rest.
gs::ErrorCode codeOf(const gs::ValidationReport& report) {
  constexpr std::pair<std::string_view, gs::ErrorCode> kCodes[] = {
      {"file.missing", gs::ErrorCode::FileMissing},
      {"heightmap.size", gs::ErrorCode::InvalidHeightmapSize},
      {"calibration.quaternion", gs::ErrorCode::InvalidQuaternion},
      {"tf_static.quaternion", gs::ErrorCode::InvalidQuaternion},
      {"timebase.quaternion", gs::ErrorCode::InvalidQuaternion},
      {"tf_static.differs", gs::ErrorCode::InvalidTransform},
  };
  for (const auto& [rule, code] : kCodes)
    if (report.has(rule)) return code;
  return gs::ErrorCode::BundleInvalid;
}

}  // namespace

WorldData loadWorld(const std::filesystem::path& bundle_path) {
  gs::InspectedBundle inspected = gs::inspectBundle(bundle_path, gs::MissingMetadata::IsAWarning);
  if (!inspected.report.isValid())
    gs::throwInvalidBundle(inspected.report, codeOf(inspected.report));
  WorldData world{bundle_path, std::move(inspected.bundle), {}};
  for (const gs::Finding& finding : inspected.report.findings)
    world.warnings.push_back(finding.file + ": " + finding.message);
  return world;
}

std::vector<const gs::GaussianCloud*> splatsByAsset(const WorldData& world) {
  std::vector<const gs::GaussianCloud*> splats{&world.bundle.gaussians};
  for (const SceneAsset& asset : world.assets) splats.push_back(&asset.splats);
  return splats;
}

std::vector<const gs::TriangleMesh*> meshesByAsset(const WorldData& world) {
  const auto meshOf = [](const std::optional<gs::TriangleMesh>& mesh) {
    return mesh ? &*mesh : nullptr;
  };
  std::vector<const gs::TriangleMesh*> meshes{meshOf(world.bundle.static_mesh)};
  for (const SceneAsset& asset : world.assets) meshes.push_back(meshOf(asset.mesh));
  return meshes;
}

}  // namespace gs_sim

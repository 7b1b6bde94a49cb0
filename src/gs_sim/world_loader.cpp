// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/world_loader.hpp"

#include <utility>

#include "gs/bundle/read_bundle.hpp"
#include "gs/core/error.hpp"

namespace gs_sim {

WorldData loadWorld(const std::filesystem::path& bundle_path) {
  gs::InspectedBundle inspected = gs::inspectBundle(bundle_path, gs::MissingMetadata::IsAWarning);
  if (!inspected.report.isValid())
    gs::throwInvalidBundle(inspected.report, inspected.report.has("file.missing")
                                                 ? gs::ErrorCode::FileMissing
                                                 : gs::ErrorCode::BundleInvalid);
  WorldData world{bundle_path, std::move(inspected.bundle), {}};
  for (const gs::Finding& finding : inspected.report.findings)
    world.warnings.push_back(finding.file + ": " + finding.message);
  return world;
}

}  // namespace gs_sim

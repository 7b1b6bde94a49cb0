// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/extrinsics_file.hpp"

#include "gs/core/load_config.hpp"
#include "gs/core/rigid3.hpp"
#include "gs/core/value_checks.hpp"

namespace gs_builder {

std::vector<gs::Problem> problemsIn(const ExtrinsicsFile& file) {
  gs::ValueChecks checks;
  checks.isCompatibleVersion("version", file.version);
  for (const auto& [frame, mount] : file.mounts) {
    const std::string path = "mounts." + frame;
    checks.require(!mount.parent.empty() && mount.parent != frame, path + ".parent",
                   "a sensor is mounted on another frame than its own");
    for (const double value : mount.translation) checks.isFinite(path + ".translation", value);
    checks.require(gs::findRotation(mount.rotation_quat).has_value(), path + ".rotation_quat",
                   "is no rotation");
  }
  return checks.take();
}

void addExtrinsics(const std::filesystem::path& file, TfTree& tf) {
  for (const auto& [frame, mount] : gs::loadConfig<ExtrinsicsFile>(file).mounts)
    tf.add(mount.parent, frame, true, {}, {}, mount.translation, mount.rotation_quat);
}

}  // namespace gs_builder

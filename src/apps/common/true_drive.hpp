// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>

#include "gs_builder/evaluation.hpp"

namespace apps {

// The truth of a made drive (LOG.truth beside the log), as far as an evaluation asks for it;
// nothing when there is no such folder.
std::optional<gs_builder::DriveTruth> findTruthOf(const std::filesystem::path& log);

}  // namespace apps

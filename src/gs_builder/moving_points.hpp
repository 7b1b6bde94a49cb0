// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "gs/core/time.hpp"

namespace gs_builder {

// 05_geometry/moving_points/<lidar>.csv: of each scan, the indices of its points on moving things.
using MovingPoints = std::map<gs::Stamp, std::vector<uint32_t>>;

// One line per scan: its stamp in ns, then indices. Throws INPUT_INVALID naming the line.
MovingPoints parseMovingPoints(std::string_view text, const std::string& name);
// By LiDAR name; empty when there is no such folder.
std::map<std::string, MovingPoints> readMovingPoints(const std::filesystem::path& folder);

}  // namespace gs_builder

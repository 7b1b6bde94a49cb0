// SPDX-License-Identifier: Apache-2.0
#include "gs/bundle/calibration.hpp"
#include "gs/bundle/lidar_rays.hpp"
#include "gs/core/check.hpp"
#include "gs/core/error.hpp"
#include "gs/lidar/lidar_pattern.hpp"

// What can be read can be written and reads back the same; a pattern is made of it or refused.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  std::vector<gs::LidarRayProblem> problems;
  const gs::LidarRayTable table = gs::readLidarRays(text, problems);
  if (!table.rows.empty()) {
    std::vector<gs::LidarRayProblem> none;
    const bool is_same = gs::readLidarRays(gs::writeLidarRays(table), none) == table;
    GS_CHECK(is_same);
    GS_CHECK(none.empty());
  }
  try {
    gs::octetsOf(
        gs::makeLidarPattern("top", {.spec = {.pattern = "rays.csv"}, .rate_hz = 10}, &table));
  } catch (const gs::Error&) {
  }
  return 0;
}

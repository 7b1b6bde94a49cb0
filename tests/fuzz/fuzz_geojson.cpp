// SPDX-License-Identifier: Apache-2.0
#include "gs/bundle/drivable_file.hpp"
#include "gs/core/check.hpp"
#include "gs/core/error.hpp"

// What can be read can be written, and then reads back the same.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    std::vector<gs::DrivableProblem> problems;
    const gs::DrivableArea area = gs::readDrivable(text, problems);
    gs::findFeatureAt(area, 1.0, 2.0);
    gs::areaOf(area);
    const bool is_same = gs::readDrivable(gs::writeDrivable(area), problems) == area;
    GS_CHECK(is_same);
  } catch (const gs::Error&) {
  }
  return 0;
}

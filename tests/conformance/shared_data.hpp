// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <filesystem>

namespace gs::testing {

// The folder of fixtures beside the repository; it may be absent.
inline std::filesystem::path sharedData() {
  const char* folder = std::getenv("GS_SHARED_DATA");
  if (folder != nullptr) return folder;
  return std::filesystem::path(GS_ROOT) / "../shared/data";
}

}  // namespace gs::testing

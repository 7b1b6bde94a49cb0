// SPDX-License-Identifier: Apache-2.0
#include "gs/core/testing/temp_dir.hpp"

#include <cstdlib>
#include <string>

#include "gs/core/check.hpp"

namespace gs::testing {

TempDir::TempDir() {
  std::string pattern = (std::filesystem::temp_directory_path() / "gs_test_XXXXXX").string();
  GS_CHECK(mkdtemp(pattern.data()) != nullptr);
  path_ = pattern;
}

TempDir::~TempDir() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace gs::testing

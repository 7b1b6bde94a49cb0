// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "gs/core/document.hpp"
#include "gs/core/error.hpp"
#include "gs/core/file.hpp"
#include "gs/core/read_fields.hpp"

namespace gs_builder {

// A YAML or JSON file of the workspace as a struct. Throws gs::Error: FILE_MISSING when it is not
// there, `code` when it is not what it should be.
template <gs::HasFields T>
T readDocument(const std::filesystem::path& file,
               gs::ErrorCode code = gs::ErrorCode::InputInvalid) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(file, ignored))
    throw gs::Error({.code = gs::ErrorCode::FileMissing,
                     .component = "workspace",
                     .message = "'" + file.string() + "' is not there",
                     .details = {{"file", file.string()}},
                     .suggestion = "Run the stage that writes it, or the whole build again."});
  std::vector<gs::Problem> problems;
  const auto root = gs::parseDocument(gs::readTextFile(file, gs::kMaxYamlBytes),
                                      gs::formatOf(file.string()), problems);
  T value;
  if (root) value = gs::readFields<T>(*root, problems);
  if (!problems.empty())
    throw gs::Error({.code = code,
                     .component = "workspace",
                     .message = "'" + file.string() + "': " + gs::toString(problems.front()),
                     .details = {{"file", file.string()}},
                     .suggestion = "Correct the file, or run the stage that writes it again."});
  return value;
}

}  // namespace gs_builder

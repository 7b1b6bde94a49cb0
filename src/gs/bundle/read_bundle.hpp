// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>

#include "gs/bundle/findings.hpp"
#include "gs/bundle/world_bundle.hpp"

namespace gs {

// Reading and validating are one thing: a bundle is read file by file, and every rule that is
// broken becomes a finding. What could not be read keeps its default, so later files are still
// looked at and all findings are there at once.
struct InspectedBundle {
  WorldBundle bundle;  // complete when report.isValid()
  ValidationReport report;
};
// A finished world has a metadata.json. One that is only driven in can do without: it is then a
// warning, and what the other files know stands in its place.
enum class MissingMetadata { IsAnError, IsAWarning };
InspectedBundle inspectBundle(const std::filesystem::path& directory,
                              MissingMetadata missing_metadata = MissingMetadata::IsAnError);

// The bundle, or gs::Error: BUNDLE_NOT_FOUND when there is no such directory, FILE_MISSING when a
// required file is not there, BUNDLE_INVALID otherwise; details hold the whole report.
WorldBundle readBundle(const std::filesystem::path& directory);

// Just the report. Throws BUNDLE_NOT_FOUND when there is no such directory.
ValidationReport validateBundle(const std::filesystem::path& directory);

// gs::Error with the report in its details; `code` is what the caller makes of it.
enum class ErrorCode;
[[noreturn]] void throwInvalidBundle(const ValidationReport& report, ErrorCode code);

}  // namespace gs

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "gs/bundle/world_bundle.hpp"

namespace gs {

// Every file of the bundle under the names of its index, into a directory that exists. The same
// bundle gives the same bytes. Previews are not part of a WorldBundle: add them yourself.
// A sky or mesh without a name in the index (or the other way round) is a programming error.
void writeBundleInto(const std::filesystem::path& directory, const WorldBundle& bundle);

// The same, complete or not at all: written beside, validated, renamed into place. What stood at
// `target` is replaced. Throws gs::Error (VALIDATION_FAILED) and leaves `target` alone when the
// bundle breaks a rule.
void writeBundle(const std::filesystem::path& target, const WorldBundle& bundle);

}  // namespace gs

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gs {

// A bundle that breaks one rule of gs/bundle/rules.cpp, and says so.
struct BrokenBundle {
  std::string_view rule_id;  // the finding that validate must give
  std::string_view name;     // of the folder: "heightmap_size"
  std::string_view file;     // where the finding must be
  std::function<void(const std::filesystem::path&)> break_it;  // changes a valid minimal bundle
};

// At least one for every rule; the list is the documentation of what validate catches.
std::span<const BrokenBundle> brokenBundles();

// The minimal bundle at `directory`, with one thing wrong.
void writeBrokenBundle(const BrokenBundle& broken, const std::filesystem::path& directory);

}  // namespace gs

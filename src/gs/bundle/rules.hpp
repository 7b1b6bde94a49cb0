// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

namespace gs {

enum class Severity {
  Error,    // the bundle is not valid: the builder refuses to publish it, the simulator to load it
  Warning,  // usable; somebody should look
};

// One rule a world bundle must obey. rules.cpp is the complete list; `gs-world-builder rules`
// prints it; every rule has a bundle that breaks it (gs/synthetic/broken_bundles.cpp).
struct Rule {
  std::string_view id;  // "heightmap.size"
  Severity severity;
  std::string_view text;  // what must hold
};

std::span<const Rule> allRules();
const Rule& ruleAt(std::string_view id);  // ends the program when there is none: a bug

}  // namespace gs

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "gs/core/error.hpp"

namespace gs {

// Throws ConfigInvalid that names the option and the rule it breaks.
inline void requireOption(bool holds, const char* name, const char* rule) {
  if (holds) return;
  throw Error({.code = ErrorCode::ConfigInvalid,
               .component = "geometry_builder",
               .message = std::string(name) + " must be " + rule,
               .details = {{"option", name}}});
}

}  // namespace gs

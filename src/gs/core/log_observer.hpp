// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string_view>

#include "gs/core/log.hpp"

namespace gs {

// Sees every line that is logged at `level` or above, whatever stderr shows; the topic /rosout is
// fed from here. The first observer gets what was logged before it came too, so that what a program
// says while it starts is not lost. Called on the thread that logs, one at a time; it must not log.
// An empty function ends it.
using LogObserver =
    std::function<void(LogLevel level, std::string_view component, std::string_view message)>;
void setLogObserver(LogObserver observer, LogLevel level = LogLevel::Info);

}  // namespace gs

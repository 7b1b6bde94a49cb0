// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace gs {

// The most memory that this process has had at one time, in bytes; 0: not known.
size_t peakMemory();
// What the machine can still give, in bytes; 0: not known.
size_t availableMemory();

}  // namespace gs

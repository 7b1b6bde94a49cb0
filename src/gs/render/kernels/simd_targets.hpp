// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace gs {

// The instruction sets that this machine has and the kernels are compiled for, best first.
std::vector<std::string> simdTargets();
std::string bestSimdTarget();

// For tests and measurements: every kernel runs on this one from now on; empty takes the best
// again. Not while an image is being made.
void useSimdTarget(const std::string& name);

}  // namespace gs

// SPDX-License-Identifier: Apache-2.0
#include "gs/render/kernels/simd_targets.hpp"

#include <hwy/highway.h>
#include <hwy/targets.h>

namespace gs {

std::vector<std::string> simdTargets() {
  std::vector<std::string> names;
  for (const int64_t target : hwy::SupportedAndGeneratedTargets())
    names.emplace_back(hwy::TargetName(target));
  return names;
}

std::string bestSimdTarget() { return simdTargets().front(); }

void useSimdTarget(const std::string& name) {
  hwy::SetSupportedTargetsForTest(0);
  for (const int64_t target : hwy::SupportedAndGeneratedTargets())
    if (name == hwy::TargetName(target)) hwy::SetSupportedTargetsForTest(target);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

}  // namespace gs

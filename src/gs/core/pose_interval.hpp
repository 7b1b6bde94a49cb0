// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gs/core/rigid3.hpp"

namespace gs {

// Where something is from the beginning to the end of an exposure, named like a pose. Made of one
// pose, it stands still.
struct PoseInterval {
  Rigid3 begin, end;

  PoseInterval() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): one pose is the usual interval.
  PoseInterval(const Rigid3& still) : begin(still), end(still) {}
  PoseInterval(const Rigid3& at_begin, const Rigid3& at_end) : begin(at_begin), end(at_end) {}
};

}  // namespace gs

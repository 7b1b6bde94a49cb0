// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gs/synthetic/sample_drive.hpp"

namespace gs {

// What the builder takes a drive's first LiDAR for, against its true beams.
struct BeamAgreement {
  size_t beams = 0, true_beams = 0;
  double largest_error_deg = 0;  // of an elevation, beam by beam; NaN when their number differs
};

// From every `stride`-th cloud, as the log has it.
BeamAgreement compareBeams(const SampleDriveTruth& truth, size_t stride = 10);

}  // namespace gs

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gs/train/trained_splats.hpp"
#include "gs/train/trainer_options.hpp"

namespace gs {

// What changes with the iteration and nothing else.
struct Schedule {
  const TrainerOptions& options;

  // Halves from the first to the last divisor in equal parts of the coarse iterations.
  int divisorAt(int iteration) const;
  AdamStep stepAt(int iteration) const;
  bool densifiesAt(int iteration) const;
  bool savesAt(int iteration) const;
  bool evaluatesAt(int iteration) const;
  // Seconds that are left, when those from `first` to `now` took so long.
  double remaining(int first, int now, double elapsed_sec) const;
};

}  // namespace gs

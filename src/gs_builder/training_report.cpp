// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/training_report.hpp"

#include <algorithm>

namespace gs_builder {

void TrainingReport::add(Iteration iteration) {
  std::erase_if(iterations,
                [&](const Iteration& known) { return known.iteration == iteration.iteration; });
  iterations.push_back(iteration);
  std::sort(iterations.begin(), iterations.end(),
            [](const Iteration& a, const Iteration& b) { return a.iteration < b.iteration; });
  best_iteration = iterations.front().iteration;
  best_psnr = iterations.front().psnr;
  for (const Iteration& known : iterations)
    if (known.psnr >= best_psnr) {
      best_iteration = known.iteration;
      best_psnr = known.psnr;
    }
}

}  // namespace gs_builder

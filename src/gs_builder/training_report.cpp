// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/training_report.hpp"

#include <algorithm>

#include "gs_builder/read_document.hpp"

namespace gs_builder {

void TrainingReport::add(Iteration iteration) {
  std::erase_if(iterations,
                [&](const Iteration& known) { return known.iteration == iteration.iteration; });
  iterations.push_back(iteration);
  std::sort(iterations.begin(), iterations.end(),
            [](const Iteration& a, const Iteration& b) { return a.iteration < b.iteration; });
  chooseBest();
}

void TrainingReport::chooseBest() {
  if (iterations.empty()) return;
  const Iteration* best = &iterations.back();
  for (const Iteration& known : iterations)
    if (known.held_out_images && (!best->held_out_images || known.psnr >= best->psnr))
      best = &known;
  best_iteration = best->iteration;
  best_psnr = best->psnr;
}

TrainingReport readTrainingReport(const std::filesystem::path& file) {
  auto report = readDocument<TrainingReport>(file);
  report.chooseBest();
  return report;
}

}  // namespace gs_builder

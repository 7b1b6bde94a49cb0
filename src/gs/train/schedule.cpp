// SPDX-License-Identifier: Apache-2.0
#include "gs/train/schedule.hpp"

#include <algorithm>
#include <cmath>

namespace gs {

int Schedule::divisorAt(int iteration) const {
  const double coarse = options.coarse_part * options.iterations;
  int steps = 0;
  for (int d = options.first_divisor; d > options.last_divisor; d /= 2) ++steps;
  int divisor = options.first_divisor;
  for (int step = 1; step <= steps; ++step)
    if (iteration >= coarse * step / steps) divisor /= 2;
  return std::max(divisor, options.last_divisor);
}

AdamStep Schedule::stepAt(int iteration) const {
  const TrainerOptions::LearningRates& rates = options.rates;
  const double part = static_cast<double>(iteration) / std::max(1, options.iterations);
  AdamStep step;
  if (rates.position > 0)  // else they stay where they are
    step.position =
        static_cast<float>(rates.position * std::pow(rates.position_last / rates.position, part));
  step.feature = static_cast<float>(rates.feature);
  step.opacity = static_cast<float>(rates.opacity);
  step.scaling = static_cast<float>(rates.scaling);
  step.rotation = static_cast<float>(rates.rotation);
  step.bias1 = static_cast<float>(1 - std::pow(static_cast<double>(kBeta1), iteration + 1));
  step.bias2 = static_cast<float>(1 - std::pow(static_cast<double>(kBeta2), iteration + 1));
  step.learned_degree = std::min(options.sh_degree, iteration / std::max(1, options.sh_interval));
  return step;
}

bool Schedule::densifiesAt(int iteration) const {
  return iteration >= options.densify_start && iteration <= options.densify_end &&
         options.densify_interval > 0 && iteration % options.densify_interval == 0;
}

bool Schedule::savesAt(int iteration) const {
  return iteration == options.iterations ||
         std::find(options.save_iterations.begin(), options.save_iterations.end(), iteration) !=
             options.save_iterations.end();
}

bool Schedule::evaluatesAt(int iteration) const {
  return savesAt(iteration) ||
         (options.evaluate_every > 0 && iteration % options.evaluate_every == 0);
}

double Schedule::remaining(int first, int now, double elapsed_sec) const {
  // Iterations cost what their pixels cost, and something besides.
  const auto cost = [&](int from, int to) {
    double sum = 0;
    for (int i = from; i < to; i += 10) {
      const double d = divisorAt(i);
      sum += 0.3 + 1 / (d * d);
    }
    return sum;
  };
  const double done = cost(first, now);
  return done > 0 ? elapsed_sec / done * cost(now, options.iterations) : 0;
}

}  // namespace gs

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>

namespace gs_sim {

// The classic Runge-Kutta step of fourth order: the state after h under derivative(state).
template <size_t N, typename Derivative>
std::array<double, N> rk4(const std::array<double, N>& state, double h,
                          const Derivative& derivative) {
  const auto moved = [&](const std::array<double, N>& slope, double by) {
    std::array<double, N> result = state;
    for (size_t i = 0; i < N; ++i) result[i] += by * slope[i];
    return result;
  };
  const auto k1 = derivative(state);
  const auto k2 = derivative(moved(k1, h / 2));
  const auto k3 = derivative(moved(k2, h / 2));
  const auto k4 = derivative(moved(k3, h));
  std::array<double, N> next = state;
  for (size_t i = 0; i < N; ++i) next[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
  return next;
}

}  // namespace gs_sim

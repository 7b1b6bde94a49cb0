// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/sensor_trigger.hpp"

#include <algorithm>
#include <cmath>

#include "gs/core/rng.hpp"  // Uint128

namespace gs_sim {
namespace {

constexpr double kMicro = 1e6;
constexpr int64_t kNanosecondsTimesMicro = 1'000'000'000'000'000;

}  // namespace

// Why not keep a "next trigger time" and add the period to it? Because then the answer depends on
// every call since start: pausing, resetting or replaying needs the counter restored, and the
// rounding of 1/12 s piles up. Asking about the step number alone makes the schedule a fact about
// the clock, identical in the live run, the replay and the test.
bool firesAt(int64_t step, double rate_hz, gs::Duration dt) {
  // Firings per step as the fraction rate / steps; 128 bits hold any product of the two.
  const auto rate = static_cast<gs::Uint128>(std::max<int64_t>(std::llround(rate_hz * kMicro), 1));
  const auto unit = static_cast<gs::Uint128>(kNanosecondsTimesMicro);
  const gs::Uint128 per_step = rate * static_cast<uint64_t>(dt.ns);
  if (step < 0) return false;
  const gs::Uint128 k = static_cast<uint64_t>(step) * per_step / unit;
  const auto step_of = [&](gs::Uint128 firing) {
    return static_cast<int64_t>((2 * firing * unit + per_step) / (2 * per_step));
  };
  return step_of(k) == step || step_of(k + 1) == step;
}

}  // namespace gs_sim

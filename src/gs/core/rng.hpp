// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>

namespace gs {

// The project's random numbers: xoshiro256++ seeded through splitmix64. Always passed in, never
// global, and written here rather than taken from <random> because the standard leaves its
// distributions to the library: the same seed must give the same bytes on every machine.
__extension__ typedef unsigned __int128 Uint128;

class Rng {
 public:
  explicit Rng(uint64_t seed) {
    for (uint64_t& word : state_) {
      seed += 0x9e3779b97f4a7c15ULL;
      word = mix(seed);
    }
  }

  // An independent generator for item `index`, so that parallel loops need no shared sequence.
  Rng fork(uint64_t index) const { return Rng(mix(state_[0] ^ mix(index + 1))); }

  uint64_t next() {
    const uint64_t result = rotate(state_[0] + state_[3], 23) + state_[0];
    const uint64_t t = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= t;
    state_[3] = rotate(state_[3], 45);
    return result;
  }

  double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }  // [0, 1)
  double uniform(double low, double high) { return low + (high - low) * uniform(); }

  // [0, count), unbiased to one part in 2^64; count > 0.
  uint64_t below(uint64_t count) {
    return static_cast<uint64_t>((static_cast<Uint128>(next()) * count) >> 64);
  }

  // Standard normal, by Box and Muller: two uniforms per number, nothing kept between calls.
  double normal() {
    const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
    return radius * std::cos(6.283185307179586 * uniform());
  }

 private:
  static uint64_t rotate(uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }
  static uint64_t mix(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }

  uint64_t state_[4];
};

}  // namespace gs

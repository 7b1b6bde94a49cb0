// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>

namespace gs_sim {

// A 64-bit fingerprint of numbers in their order: equal for equal bits, on every machine. Two runs
// that differ in one bit of their state show it in the step where it happens.
class StateHash {
 public:
  void add(uint64_t word) {
    word ^= value_;
    word = (word ^ (word >> 32)) * 0xd6e8feb86659fd93ULL;
    word = (word ^ (word >> 32)) * 0xd6e8feb86659fd93ULL;
    value_ = (word ^ (word >> 32)) + 0x9e3779b97f4a7c15ULL;
  }
  void add(double number) { add(std::bit_cast<uint64_t>(number)); }
  uint64_t value() const { return value_; }

 private:
  uint64_t value_ = 0x2545f4914f6cdd1dULL;
};

}  // namespace gs_sim

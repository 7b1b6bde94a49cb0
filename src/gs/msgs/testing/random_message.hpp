// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstring>

#include "gs/core/rng.hpp"
#include "gs/formats/cdr_types.hpp"

namespace gs::testing {

// Fills any message with values of every kind: all bit patterns for integers, finite floats, lists
// of zero to three elements, texts that need padding. The same generator gives the same message.
template <typename T>
void fillRandomly(T& value, Rng& rng) {
  if constexpr (std::same_as<T, bool>) {
    value = rng.below(2) == 1;
  } else if constexpr (std::is_floating_point_v<T>) {
    value = static_cast<T>(std::ldexp(rng.normal(), static_cast<int>(rng.below(60)) - 30));
  } else if constexpr (CdrNumber<T>) {
    const uint64_t bits = rng.next();
    std::memcpy(&value, &bits, sizeof value);
  } else if constexpr (CdrText<T>) {
    value.assign(rng.below(9), 'a');
    for (char& letter : value) letter = static_cast<char>('a' + rng.below(26));
  } else if constexpr (CdrSequence<T>) {
    size_t count = rng.below(4);
    if constexpr (CdrBounded<T>) count = rng.below(T::kMaxSize + 1);
    value.clear();
    for (size_t i = 0; i < count; ++i) {
      typename T::value_type element{};
      fillRandomly(element, rng);
      value.push_back(std::move(element));
    }
  } else if constexpr (CdrArray<T>) {
    for (auto& element : value) fillRandomly(element, rng);
  } else {
    T::fields(value,
              [&rng](const char*, auto& field, FieldTraits = {}) { fillRandomly(field, rng); });
  }
}

}  // namespace gs::testing

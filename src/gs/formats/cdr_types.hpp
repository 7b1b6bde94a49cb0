// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

#include "gs/core/fields.hpp"

// Which kinds of member a message struct may have; the writer, the reader and the schema agree
// here.
namespace gs {

// bool is apart: its bytes are 0 or 1, and std::vector<bool> has no bytes at all.
template <typename T>
concept CdrNumber = (std::is_arithmetic_v<T> && !std::same_as<T, bool> && sizeof(T) <= 8) ||
                    std::same_as<T, std::byte>;

template <typename T>
concept CdrText = std::derived_from<T, std::string>;

template <typename T>
concept CdrSequence = requires {
  typename T::value_type;
}
&&std::derived_from<T, std::vector<typename T::value_type>>;

template <typename T>
struct IsCdrArray : std::false_type {};
template <typename T, size_t N>
struct IsCdrArray<std::array<T, N>> : std::true_type {};
template <typename T>
concept CdrArray = IsCdrArray<T>::value;

// `string<=N` and `T[<=N]`: a string or vector type that names its bound.
template <typename T>
concept CdrBounded = requires {
  T::kMaxSize;
};

// The fewest bytes that a T can take on the wire, padding left out: what a claimed element count is
// checked against before anything is allocated.
template <typename T>
size_t minCdrSize() {
  if constexpr (CdrNumber<T> || std::same_as<T, bool>) {
    return sizeof(T);
  } else if constexpr (CdrText<T> || CdrSequence<T>) {
    return 4;
  } else if constexpr (CdrArray<T>) {
    return std::tuple_size_v<T> * minCdrSize<typename T::value_type>();
  } else {
    static const size_t size = [] {
      size_t sum = 0;
      T example{};
      T::fields(example, [&sum](const char*, auto& field, FieldTraits = {}) {
        sum += minCdrSize<std::remove_cvref_t<decltype(field)>>();
      });
      return sum == 0 ? size_t{1} : sum;  // an empty struct is one byte
    }();
    return size;
  }
}

}  // namespace gs

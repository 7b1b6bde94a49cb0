// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

// `string<=N` and `T[<=N]` of .msg files. The bound is not on the wire, but it is part of the
// type's hash, and no honest sender exceeds it: a decoder looks for kMaxSize and refuses more.
namespace gs::msgs {

template <size_t N>
struct BoundedString : std::string {
  using std::string::string;
  BoundedString() = default;
  BoundedString(std::string text) : std::string(std::move(text)) {}  // NOLINT: as a plain string
  static constexpr size_t kMaxSize = N;
};

template <typename T, size_t N>
struct BoundedVector : std::vector<T> {
  using std::vector<T>::vector;
  static constexpr size_t kMaxSize = N;
};

}  // namespace gs::msgs

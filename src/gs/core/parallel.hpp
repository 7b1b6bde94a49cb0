// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

namespace gs {

// How many threads parallel loops may use; 0 means one per CPU. Set by main from --workers.
void setThreadCount(int count);
int threadCount();

// Calls body(begin, end) for consecutive blocks of `grain` items (the last may be shorter) covering
// [0, count). The blocks depend on count and grain alone, never on the number of threads, so a body
// that writes only to its own items gives the same bytes on any machine. When bodies throw, the
// exception of the first block (by position, not by time) is rethrown after all have ended.
void parallelFor(size_t count, size_t grain, const std::function<void(size_t, size_t)>& body);

// map(begin, end) -> T per block, then folded left to right: the same rounding every time.
template <typename T, typename Map, typename Combine>
T parallelReduce(size_t count, size_t grain, T start, const Map& map, const Combine& combine) {
  std::vector<T> parts(grain == 0 ? 0 : (count + grain - 1) / grain);
  parallelFor(count, grain,
              [&](size_t begin, size_t end) { parts[begin / grain] = map(begin, end); });
  for (T& part : parts) start = combine(std::move(start), std::move(part));
  return start;
}

}  // namespace gs

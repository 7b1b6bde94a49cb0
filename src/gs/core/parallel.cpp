// SPDX-License-Identifier: Apache-2.0
#include "gs/core/parallel.hpp"

#include <algorithm>
#include <exception>
#include <limits>
#include <memory>
#include <mutex>
#include <thread>

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include "gs/core/check.hpp"

namespace gs {
namespace {

struct Workers {
  explicit Workers(int count)
      : control(tbb::global_control::max_allowed_parallelism, static_cast<size_t>(count)),
        arena(count),
        count(count) {}
  tbb::global_control control;
  tbb::task_arena arena;
  int count;
};

int cpuCount() { return static_cast<int>(std::max(1u, std::thread::hardware_concurrency())); }

std::shared_ptr<Workers>& current() {
  static std::shared_ptr<Workers> workers = std::make_shared<Workers>(cpuCount());
  return workers;
}

}  // namespace

void setThreadCount(int count) {
  GS_CHECK(count >= 0);
  current() = std::make_shared<Workers>(count == 0 ? cpuCount() : count);
}

int threadCount() { return current()->count; }

void parallelFor(size_t count, size_t grain, const std::function<void(size_t, size_t)>& body) {
  GS_CHECK(grain > 0u);
  const size_t blocks = (count + grain - 1) / grain;
  if (blocks <= 1 || threadCount() == 1) {
    for (size_t begin = 0; begin < count; begin += grain)
      body(begin, std::min(count, begin + grain));
    return;
  }
  std::mutex mutex;
  size_t failed_block = std::numeric_limits<size_t>::max();
  std::exception_ptr failure;
  const auto run = [&](size_t block) {
    const size_t begin = block * grain;
    try {
      body(begin, std::min(count, begin + grain));
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (block < failed_block) {
        failed_block = block;
        failure = std::current_exception();
      }
    }
  };
  const auto workers = current();
  workers->arena.execute([&] { tbb::parallel_for(size_t{0}, blocks, run); });
  if (failure) std::rethrow_exception(failure);
}

}  // namespace gs

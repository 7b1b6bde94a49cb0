// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/work_queue.hpp"

#include <gmock/gmock.h>

namespace gs_sim {
namespace {

TEST(WorkQueue, AFloodOfRequestsIsBounded) {
  WorkQueue queue;
  int done = 0;
  for (size_t i = 0; i < 3 * WorkQueue::kMaxWaiting; ++i) queue.post([&done] { ++done; });
  EXPECT_EQ(queue.droppedCount(), 2 * WorkQueue::kMaxWaiting);
  EXPECT_EQ(queue.runWaiting(), WorkQueue::kMaxWaiting);
  EXPECT_EQ(done, static_cast<int>(WorkQueue::kMaxWaiting));
}

}  // namespace
}  // namespace gs_sim

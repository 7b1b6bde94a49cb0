// SPDX-License-Identifier: Apache-2.0
#include "gs_ros2/send_lane.hpp"

#include <future>

#include <gmock/gmock.h>

#include "gs_ros2/testing/wait.hpp"

namespace gs_ros2 {
namespace {

using ::testing::ElementsAre;

TEST(SendLane, WorksInTheOrderOfPosting) {
  SendLane lane;
  testing::Inbox<int> done;
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(lane.post(&lane, 10, [&done, i] { done.put(i); }));
  ASSERT_TRUE(done.waitFor(3));
  EXPECT_THAT(done.items(), ElementsAre(0, 1, 2));
}

TEST(SendLane, WhoHandsOverTooMuchLosesItsOwnOldestWork) {
  SendLane lane;
  testing::Inbox<int> done;
  std::promise<void> gate, started;
  const int greedy = 0, modest = 0;
  lane.post(&lane, 1, [&] {
    started.set_value();
    gate.get_future().wait();
  });
  started.get_future().wait();  // from here on everything waits
  lane.post(&modest, 2, [&] { done.put(100); });
  EXPECT_TRUE(lane.post(&greedy, 2, [&] { done.put(0); }));
  EXPECT_TRUE(lane.post(&greedy, 2, [&] { done.put(1); }));
  EXPECT_FALSE(lane.post(&greedy, 2, [&] { done.put(2); }));
  EXPECT_TRUE(lane.post(&modest, 2, [&] { done.put(101); }));
  gate.set_value();
  ASSERT_TRUE(done.waitFor(4));
  EXPECT_THAT(done.items(), ElementsAre(100, 1, 2, 101));
}

TEST(SendLane, NothingOfAnOwnerRunsAfterItIsForgotten) {
  SendLane lane;
  auto owner = std::make_unique<int>(0);
  std::promise<void> started;
  lane.post(owner.get(), 10, [&, raw = owner.get()] {
    started.set_value();
    ++*raw;  // a sanitizer would notice if the owner were gone
  });
  for (int i = 0; i < 5; ++i) lane.post(owner.get(), 10, [raw = owner.get()] { ++*raw; });
  started.get_future().wait();
  lane.forget(owner.get());
  owner.reset();
  testing::Inbox<int> done;
  lane.post(&lane, 1, [&] { done.put(0); });
  EXPECT_TRUE(done.waitFor(1));
}

}  // namespace
}  // namespace gs_ros2

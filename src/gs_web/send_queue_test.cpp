// SPDX-License-Identifier: Apache-2.0
#include "gs_web/send_queue.hpp"

#include <gmock/gmock.h>

namespace gs_web {
namespace {

using testing::ElementsAre;

Frame frame(const std::string& text, uint64_t channel, size_t max_waiting = 1) {
  return {.head = text, .channel = channel, .max_waiting = max_waiting};
}

std::vector<std::string> all(SendQueue& queue) {
  std::vector<std::string> heads;
  while (auto next = queue.pop()) heads.push_back(next->head);
  return heads;
}

TEST(SendQueue, OfAnImageOnlyTheNewestWaits) {
  SendQueue queue;
  for (const char* text : {"a1", "b1", "a2", "a3"}) EXPECT_TRUE(queue.push(frame(text, text[0])));
  EXPECT_EQ(queue.droppedCount(), 2u);
  EXPECT_THAT(all(queue), ElementsAre("b1", "a3"));
}

TEST(SendQueue, SmallMessagesWaitUntilThereAreTooMany) {
  SendQueue queue;
  for (int i = 0; i < 3; ++i) queue.push(frame("tf" + std::to_string(i), 7, 3));
  EXPECT_EQ(queue.droppedCount(), 0u);
  queue.push(frame("tf3", 7, 3));  // behind: catch up at once
  EXPECT_EQ(queue.droppedCount(), 3u);
  EXPECT_THAT(all(queue), ElementsAre("tf3"));
}

TEST(SendQueue, AnswersAreNeverDropped) {
  SendQueue queue;
  for (int i = 0; i < 200; ++i) {
    EXPECT_TRUE(queue.push(frame("answer", 0)));
    queue.push(frame("image", 1));
  }
  EXPECT_EQ(queue.size(), 201u);
}

TEST(SendQueue, AClientThatNeverReadsItsAnswersIsGivenUp) {
  SendQueue queue;
  const std::string large(SendQueue::kMaxUndroppable / 4, 'x');
  for (int i = 0; i < 4; ++i) EXPECT_TRUE(queue.push(frame(large, 0)));
  EXPECT_FALSE(queue.push(frame("one more", 0)));
  queue.pop();
  EXPECT_TRUE(queue.push(frame("", 0)));
}

TEST(SendQueue, ForgetsAChannelThatNobodyWantsAnyMore) {
  SendQueue queue;
  queue.push(frame("a", 1));
  queue.push(frame("b", 2));
  queue.forget(1);
  EXPECT_THAT(all(queue), ElementsAre("b"));
  EXPECT_EQ(queue.droppedCount(), 0u);
}

}  // namespace
}  // namespace gs_web

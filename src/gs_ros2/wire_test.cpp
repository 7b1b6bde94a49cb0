// SPDX-License-Identifier: Apache-2.0
#include "gs_ros2/wire.hpp"

#include <gmock/gmock.h>

#include "gs/core/error.hpp"
#include "gs_ros2/testing/wait.hpp"

#ifdef __SANITIZE_ADDRESS__
// Debian's Fast DDS frees some of its own objects with another size than it asked for.
extern "C" const char* __asan_default_options();
extern "C" const char* __asan_default_options() { return "new_delete_type_mismatch=0"; }
#endif

namespace gs_ros2 {
namespace {

using ::testing::ElementsAre;
using testing::eventually;
using testing::loopback;

EndpointSpec numbers(Qos qos = {}) {
  return {.topic = "rt/numbers", .type = "test::msg::dds_::Number_", .type_hash = "", .qos = qos};
}

// A message of one byte behind the CDR header.
Encode number(int value) {
  return [value](std::vector<std::byte>& out) {
    out = {std::byte{0}, std::byte{1}, std::byte{0}, std::byte{0}, static_cast<std::byte>(value)};
  };
}

struct Listener {
  explicit Listener(Participant& participant, Qos qos = {})
      : reader(participant.createReader(numbers(qos), [this](const Arrival& arrival) {
          if (arrival.bytes.size() > 4) inbox.put(std::to_integer<int>(arrival.bytes[4]));
        })) {}

  testing::Inbox<int> inbox;
  std::unique_ptr<Reader> reader;
};

TEST(Wire, CarriesMessagesInOrderToEveryReader) {
  Participant sender(loopback()), receiver(loopback());
  auto writer = sender.createWriter(numbers());
  Listener reliable(receiver), best_effort(receiver, {.is_reliable = false});
  ASSERT_TRUE(eventually(
      [&] { return writer->readerCount() == 2 && best_effort.reader->writerCount() == 1; }));
  for (int i = 1; i <= 3; ++i) writer->publish(number(i));
  ASSERT_TRUE(reliable.inbox.waitFor(3));
  EXPECT_THAT(reliable.inbox.items(), ElementsAre(1, 2, 3));
  ASSERT_TRUE(best_effort.inbox.waitFor(3));
  EXPECT_EQ(writer->lostCount(), 0u);
}

TEST(Wire, LatchedMessagesReachReadersThatComeLate) {
  Participant sender(loopback()), receiver(loopback());
  auto writer = sender.createWriter(numbers({.is_latched = true, .depth = 1}));
  writer->publish(number(1));
  writer->publish(number(2));
  Listener late(receiver, {.is_latched = true, .depth = 1});
  ASSERT_TRUE(late.inbox.waitFor(1));
  EXPECT_EQ(late.inbox.items().back(), 2);
}

TEST(Wire, EachSideKnowsTheNodesOfTheOther) {
  Participant one(loopback());
  auto two = std::make_unique<Participant>(loopback());
  one.announce({{.ns = "/", .name = "sim", .readers = {}, .writers = {one.guid()}}});
  two->announce({{.ns = "/lab", .name = "driver", .readers = {}, .writers = {}}});
  EXPECT_TRUE(
      eventually([&] { return one.peerNodes() == std::vector<std::string>{"/lab/driver"}; }));
  EXPECT_TRUE(eventually([&] { return two->peerNodes() == std::vector<std::string>{"/sim"}; }));
  two.reset();
  EXPECT_TRUE(eventually([&] { return one.peerNodes().empty(); }));
}

TEST(Wire, ATopicHasOneType) {
  Participant participant(loopback());
  auto writer = participant.createWriter(numbers());
  EndpointSpec other = numbers();
  other.type = "test::msg::dds_::Text_";
  EXPECT_THROW(participant.createWriter(other), gs::Error);
  EXPECT_NO_THROW(participant.createReader(numbers(), [](const Arrival&) {}));
}

TEST(Wire, ADomainThatCannotExistIsRefused) {
  WireSettings settings = loopback();
  settings.domain = 233;
  EXPECT_THROW(Participant{settings}, gs::Error);
}

TEST(Wire, EndpointsComeAndGoWhileMessagesFlow) {
  Participant sender(loopback()), receiver(loopback());
  auto writer = sender.createWriter(numbers());
  for (int round = 0; round < 20; ++round) {
    Listener passing(receiver);
    ASSERT_TRUE(eventually([&] { return writer->readerCount() == 1; }));
    writer->publish(number(round));
    ASSERT_TRUE(passing.inbox.waitFor(1));
    passing.reader.reset();
    ASSERT_TRUE(eventually([&] { return writer->readerCount() == 0; }));
  }
}

}  // namespace
}  // namespace gs_ros2

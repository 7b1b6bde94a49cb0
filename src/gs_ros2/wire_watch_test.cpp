// SPDX-License-Identifier: Apache-2.0
#include "gs_ros2/wire_watch.hpp"

#include <gmock/gmock.h>

namespace gs_ros2 {
namespace {

using Datagram = std::vector<std::byte>;

Guid guidOf(uint8_t participant, uint8_t entity) {
  Guid guid;
  guid.bytes[11] = participant;
  guid.bytes[15] = entity;
  return guid;
}

const Guid kWriter = guidOf(1, 3), kReader = guidOf(2, 4);

// An RTPS message, written by hand from the standard.
class Message {
 public:
  explicit Message(const Guid& sender, bool is_little_endian = true)
      : is_little_endian_(is_little_endian) {
    for (const char letter : {'R', 'T', 'P', 'S', '\2', '\3', '\1', '\17'}) byte(letter);
    prefix(sender);
  }

  Message& part(int id, std::initializer_list<uint32_t> words, const Guid* reader,
                const Guid* writer, size_t lead_bytes = 0) {
    byte(id);
    byte(is_little_endian_ ? 1 : 0);
    const size_t size = lead_bytes + 8 + 4 * words.size();
    byte(static_cast<int>(is_little_endian_ ? size : size >> 8));
    byte(static_cast<int>(is_little_endian_ ? size >> 8 : size));
    for (size_t i = 0; i < lead_bytes; ++i) byte(0);
    entity(*reader);
    entity(*writer);
    for (const uint32_t word : words) put(word);
    return *this;
  }
  Message& destination(const Guid& guid) {
    for (const int value :
         {0x0e, is_little_endian_ ? 1 : 0, is_little_endian_ ? 12 : 0, is_little_endian_ ? 0 : 12})
      byte(value);
    prefix(guid);
    return *this;
  }

  Datagram bytes;

 private:
  void byte(int value) { bytes.push_back(static_cast<std::byte>(value)); }
  void prefix(const Guid& guid) {
    for (size_t i = 0; i < 12; ++i) byte(guid.bytes[i]);
  }
  void entity(const Guid& guid) {
    for (size_t i = 12; i < 16; ++i) byte(guid.bytes[i]);
  }
  void put(uint32_t word) {
    for (int i = 0; i < 4; ++i) byte(static_cast<int>(word >> 8 * (is_little_endian_ ? i : 3 - i)));
  }

  bool is_little_endian_;
};

Datagram ackNack(uint32_t base, uint32_t bits, uint32_t word, bool is_little_endian = true) {
  return Message(kReader, is_little_endian)
      .destination(kWriter)
      .part(0x06, {0, base, bits, word, 1}, &kReader, &kWriter)
      .bytes;
}

Datagram heartbeat(uint32_t first, uint32_t last, bool is_little_endian = true) {
  return Message(kWriter, is_little_endian)
      .part(0x07, {0, first, 0, last, 1}, &kReader, &kWriter)
      .bytes;
}

// Ten messages written by a writer that keeps two; its reader has answered once.
struct WireWatchTest : ::testing::Test {
  WireWatchTest() {
    watch.add(kWriter, ledger);
    ledger->addReader(kReader, std::chrono::steady_clock::now());
    watch.received(ackNack(1, 0, 0));
    for (int i = 1; i <= 10; ++i) {
      ledger->beforeWrite();
      ledger->afterWrite(i);
      const auto number = static_cast<uint32_t>(i);
      send(Message(kWriter).part(0x15, {0, number, 0}, &kReader, &kWriter, 4).bytes);
    }
  }

  Datagram send(const Datagram& datagram) {
    const gs::Bytes sent = watch.sending(datagram, copy);
    return {sent.begin(), sent.end()};
  }

  std::shared_ptr<LossLedger> ledger = std::make_shared<LossLedger>(2);
  WireWatch watch;
  std::vector<std::byte> copy;
};

TEST_F(WireWatchTest, HeartbeatsAskForWhatNobodyHasAnsweredFor) {
  EXPECT_EQ(send(heartbeat(9, 10)), heartbeat(1, 10));
  EXPECT_EQ(send(heartbeat(9, 10, false)), heartbeat(1, 10, false));
  watch.received(ackNack(11, 0, 0));
  EXPECT_EQ(send(heartbeat(9, 10)), heartbeat(9, 10));
}

TEST_F(WireWatchTest, AnswersAreReadInBothByteOrders) {
  watch.received(ackNack(2, 3, 0xa0000000));  // 2 and 4
  EXPECT_EQ(ledger->lostCount(), 2u);
  watch.received(ackNack(5, 1, 0x80000000, false));
  EXPECT_EQ(ledger->lostCount(), 3u);
  watch.received(Message(kReader)
                     .destination(kWriter)
                     .part(0x12, {0, 7, 1, 1, 0x80000000, 1}, &kReader, &kWriter)
                     .bytes);
  EXPECT_EQ(ledger->lostCount(), 4u);
}

TEST_F(WireWatchTest, WhatAReaderHasAPartOfIsMissingBesideTheRest) {
  watch.received(Message(kReader)
                     .destination(kWriter)
                     .part(0x06, {0, 3, 2, 0x40000000, 1}, &kReader, &kWriter)     // lacks 4,
                     .part(0x12, {0, 3, 1, 1, 0x80000000, 1}, &kReader, &kWriter)  // a part of 3
                     .bytes);
  EXPECT_EQ(ledger->lostCount(), 2u);
  EXPECT_EQ(send(heartbeat(9, 10)), heartbeat(5, 10));
}

TEST_F(WireWatchTest, AnswersToAnotherParticipantAreNotOurs) {
  watch.received(Message(kReader)
                     .destination(guidOf(9, 3))
                     .part(0x06, {0, 2, 1, 0x80000000, 1}, &kReader, &kWriter)
                     .bytes);
  EXPECT_EQ(ledger->lostCount(), 0u);
  watch.received(  // without a destination it is for whoever gets it
      Message(kReader).part(0x06, {0, 2, 1, 0x80000000, 1}, &kReader, &kWriter).bytes);
  EXPECT_EQ(ledger->lostCount(), 1u);
}

TEST_F(WireWatchTest, OnlyTheLastFragmentEndsAMessage) {
  const auto fragment = [](uint32_t first) {  // of 5 x 100 bytes
    return Message(kWriter)
        .part(0x16, {0, 11, first, 1 | 100 << 16, 500}, &kReader, &kWriter, 4)
        .bytes;
  };
  watch.received(ackNack(11, 0, 0));
  ledger->beforeWrite();
  ledger->afterWrite(11);
  send(fragment(4));
  EXPECT_EQ(send(heartbeat(10, 11)), heartbeat(10, 10));
  send(fragment(5));
  EXPECT_EQ(send(heartbeat(10, 11)), heartbeat(10, 11));
}

TEST_F(WireWatchTest, TruncatedAndOtherDatagramsPassUnharmed) {
  const Datagram whole = ackNack(2, 256, 0xffffffff);  // says 256 bits and has 64
  const Datagram beat = heartbeat(9, 10);
  for (size_t size = 0; size <= whole.size(); ++size) watch.received(gs::Bytes(whole).first(size));
  for (size_t size = 0; size < beat.size(); ++size)
    EXPECT_EQ(watch.sending(gs::Bytes(beat).first(size), copy).size(), size);
  EXPECT_EQ(ledger->lostCount(), 0u);
  watch.remove(kWriter);
  EXPECT_EQ(send(beat), beat);
}

}  // namespace
}  // namespace gs_ros2

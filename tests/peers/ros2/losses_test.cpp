// SPDX-License-Identifier: Apache-2.0
// What a writer says was lost is what its readers miss, to the message. The readers are programs
// of their own that tell every number they got; some are slow, frozen, or killed.
#include <set>

#include <gmock/gmock.h>

#include "gs_ros2/testing/wait.hpp"
#include "peers/ros2/child_process.hpp"
#include "peers/ros2/cyclone.hpp"
#include "peers/ros2/sensor_stream.hpp"

namespace peers {
namespace {

using gs_ros2::testing::eventually;
using gs_ros2::testing::kPatience;
using std::chrono::milliseconds;

// What is written: small messages on the way of odometry, or big ones on the way of images.
struct Kind {
  const char* name;
  size_t bytes;
  bool is_bulk;
  int depth;
  milliseconds period;
};
void PrintTo(const Kind& kind, std::ostream* out) { *out << kind.name; }

constexpr Kind kSmall{"Small", 4000, false, 10, milliseconds(5)};
constexpr Kind kBig{"Big", 300'000, true, 5, milliseconds(40)};

class StampReader {
 public:
  explicit StampReader(uint32_t domain, int delay_ms = 0)
      : process_({GS_STOCK_READER, std::to_string(domain), "reliable", "1", "--every-stamp",
                  std::to_string(delay_ms)}) {
    if (!process_.waitForLine("ready", kPatience)) ADD_FAILURE() << "the reader did not start";
  }

  // Reads on until it has got so many more.
  bool readMore(size_t count) {
    const size_t wanted = numbers_.size() + count;
    while (numbers_.size() < wanted)
      if (!readUntil(-1)) return false;
    return true;
  }
  // Reads on until it has got this message.
  bool readUntil(int64_t number) {
    while (const auto line = process_.waitForLine("at ", kPatience)) {
      numbers_.insert(std::atoll(line->c_str() + 3));
      if (*numbers_.rbegin() >= number) return true;
    }
    return false;
  }

  // Of those between the first and the last that it got.
  uint64_t missing() const {
    if (numbers_.empty()) return 0;
    return static_cast<uint64_t>(*numbers_.rbegin() - *numbers_.begin() + 1) - numbers_.size();
  }
  ChildProcess& process() { return process_; }

 private:
  ChildProcess process_;
  std::set<int64_t> numbers_;
};

struct Losses : ::testing::TestWithParam<Kind> {
  Losses() {
    auto spec = cameraSpec(0);
    spec.qos = {.depth = GetParam().depth, .is_bulk = GetParam().is_bulk};
    writer = participant.createWriter(spec);
    gs::msgs::Image image;
    image.header.frame_id = std::string(40, ' ');
    image.data.resize(GetParam().bytes);
    topic = {spec, 0, gs::encodeCdr(image)};
  }

  void write(milliseconds time) {
    const auto end = Clock::now() + time;
    for (auto next = Clock::now(); next < end;) {
      publish(*writer, topic, {number++, 0});
      next += GetParam().period;
      std::this_thread::sleep_until(next);
    }
  }

  // Writes until the reader has been answering for a while.
  void meet(StampReader& reader, int readers = 1) {
    ASSERT_TRUE(eventually([&] { return writer->readerCount() == readers; }));
    std::atomic<bool> has_met = false;
    std::thread writing([&] {
      while (!has_met) write(GetParam().period);
    });
    EXPECT_TRUE(reader.readMore(3 * static_cast<size_t>(GetParam().depth)));
    has_met = true;
    writing.join();
  }

  uint32_t domain = gs_ros2::testing::loopback().domain;
  gs_ros2::Participant participant{gs_ros2::testing::loopback()};
  std::unique_ptr<gs_ros2::Writer> writer;
  Topic topic;
  int64_t number = 0;
};

TEST_P(Losses, AFastReaderLosesNothingAndNothingIsClaimed) {
  StampReader reader(domain);
  meet(reader);
  write(milliseconds(1000));
  ASSERT_TRUE(reader.readUntil(number - 1));
  EXPECT_EQ(reader.missing(), 0u);
  EXPECT_EQ(writer->lostCount(), 0u);
}

TEST_P(Losses, ASlowReaderMissesWhatIsClaimed) {
  StampReader reader(domain, GetParam().is_bulk ? 100 : 10);
  meet(reader);
  write(milliseconds(1500));
  ASSERT_TRUE(reader.readUntil(number - 1));
  EXPECT_GT(reader.missing(), 0u);
  EXPECT_EQ(writer->lostCount(), reader.missing());
}

TEST_P(Losses, AFrozenReaderMissesWhatIsClaimedWhenItWakes) {
  StampReader reader(domain);
  meet(reader);
  for (int round = 0; round < 2; ++round) {
    reader.process().send(SIGSTOP);
    write(milliseconds(700));
    reader.process().send(SIGCONT);
    write(milliseconds(200));
  }
  ASSERT_TRUE(reader.readUntil(number - 1));
  EXPECT_GT(reader.missing(), 0u);
  EXPECT_EQ(writer->lostCount(), reader.missing());
}

TEST_P(Losses, AReaderThatVanishesIsOwedNothingAndHarmsNobody) {
  StampReader reader(domain), victim(domain);
  meet(reader, 2);
  ASSERT_TRUE(victim.readMore(1));
  victim.process().send(SIGSTOP);
  write(milliseconds(700));
  victim.process().send(SIGKILL);
  write(milliseconds(700));
  ASSERT_TRUE(reader.readUntil(number - 1));
  EXPECT_EQ(reader.missing(), 0u);
  EXPECT_EQ(writer->lostCount(), 0u);
}

// The one that is gone owes answers until its lease ends, 20 s later; whoever comes must not wait
// so long.
TEST_P(Losses, AReaderThatComesAfterOneHasVanishedIsServedAtOnce) {
  StampReader reader(domain), victim(domain);
  meet(reader, 2);
  ASSERT_TRUE(victim.readMore(1));
  victim.process().send(SIGKILL);
  write(milliseconds(500));
  StampReader newcomer(domain);
  ASSERT_TRUE(eventually([&] { return writer->readerCount() == 3; }));
  const int64_t came = number;
  std::atomic<bool> has_read = false;
  std::thread writing([&] {
    while (!has_read) write(GetParam().period);
  });
  EXPECT_TRUE(newcomer.readMore(1));
  has_read = true;
  writing.join();
  EXPECT_LT(number - came, milliseconds(5000) / GetParam().period);
}

TEST_P(Losses, AReaderOfAnotherVendorLosesNothingAndNothingIsClaimed) {
  CycloneParticipant cyclone(domain);
  CycloneReader<sensor_msgs_msg_dds__Image_> reader(cyclone, sensor_msgs_msg_dds__Image__desc,
                                                    topic.spec.topic, {.depth = 1000});
  std::set<int64_t> numbers;
  const auto take = [&] {
    return reader.takeAll([&](const auto& image) {
      Mark mark;
      std::memcpy(&mark, image.header.frame_id, sizeof mark);
      numbers.insert(mark.number);
    });
  };
  ASSERT_TRUE(eventually([&] { return writer->readerCount() == 1; }));
  ASSERT_TRUE(eventually([&] {
    write(GetParam().period);
    return take();
  }));
  write(milliseconds(1000));
  ASSERT_TRUE(eventually([&] { return take() && *numbers.rbegin() == number - 1; }));
  EXPECT_EQ(numbers.size(), static_cast<size_t>(number - *numbers.begin()));
  EXPECT_EQ(writer->lostCount(), 0u);
}

INSTANTIATE_TEST_SUITE_P(Peers, Losses, ::testing::Values(kSmall, kBig),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace peers

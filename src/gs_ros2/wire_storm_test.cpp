// SPDX-License-Identifier: Apache-2.0
// Damaged RTPS datagrams from nobody we know, while nodes talk to each other. GS_STORM_DATAGRAMS is
// how many; ten million of a stranger were tried with sanitizers.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <netinet/in.h>

#include "fuzz/mutate.hpp"
#include "gs_ros2/testing/wait.hpp"
#include "gs_ros2/wire.hpp"

namespace gs_ros2 {
namespace {

using testing::eventually;

std::vector<std::string> seeds() {
  std::vector<std::filesystem::path> files;
  for (const auto& file : std::filesystem::directory_iterator(GS_RTPS_SEEDS))
    files.push_back(file.path());
  std::sort(files.begin(), files.end());
  std::vector<std::string> contents;
  for (const auto& file : files) {
    std::ifstream in(file, std::ios::binary);
    contents.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
  return contents;
}

std::string prefixOf(const Guid& guid) {
  return {reinterpret_cast<const char*>(guid.bytes.data()), 12};
}

constexpr size_t kHeader = 20, kSender = 8;

// Seeds are addressed to participants of long ago: addressed to ours they are looked into.
std::string addressedTo(const Guid& receiver, std::string datagram) {
  constexpr uint8_t kInfoDestination = 0x0e;
  if (datagram.size() >= kHeader + 16 &&
      static_cast<uint8_t>(datagram[kHeader]) == kInfoDestination)
    datagram.replace(kHeader + 4, 12, prefixOf(receiver));
  return datagram;
}

// A socket of some other address than the participants'.
class Stranger {
 public:
  explicit Stranger(uint32_t domain) : domain_(domain) {
    socket_ = ::socket(AF_INET, SOCK_DGRAM, 0);
    sockaddr_in own = address(0);
    inet_pton(AF_INET, "127.0.0.9", &own.sin_addr);
    bind(socket_, reinterpret_cast<const sockaddr*>(&own), sizeof own);
  }
  ~Stranger() { close(socket_); }

  // To discovery and data of the first eight participants of the domain in turn, and to the port
  // that all of them share.
  static constexpr uint64_t kPorts = 17;
  void send(const std::string& datagram, uint64_t which) const {
    const uint64_t offset = which % kPorts == 0 ? 0 : 9 + which % kPorts;
    const auto port = static_cast<uint16_t>(7400 + 250 * domain_ + offset);
    const sockaddr_in to = address(port);
    sendto(socket_, datagram.data(), datagram.size(), 0, reinterpret_cast<const sockaddr*>(&to),
           sizeof to);
  }

 private:
  static sockaddr_in address(uint16_t port) {
    sockaddr_in result{};
    result.sin_family = AF_INET;
    result.sin_port = htons(port);
    inet_pton(AF_INET, "127.0.0.1", &result.sin_addr);
    return result;
  }

  uint32_t domain_;
  int socket_ = -1;
};

uint64_t stormSize() {
  const char* text = std::getenv("GS_STORM_DATAGRAMS");
  return text ? std::strtoull(text, nullptr, 10) : 20'000;
}

double residentMegabytes() {
  std::ifstream in("/proc/self/statm");
  double pages = 0;
  in >> pages >> pages;
  return pages * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1e6;
}

class Storm : public ::testing::Test {
 protected:
  static EndpointSpec spec() {
    return {"rt/storm", "std_msgs::msg::dds_::String_", "", {.depth = 100}, {}};
  }

  void SetUp() override {
    // The nodes that the seeds were taken from read the clock: here they find one.
    clock = receiver.createWriter(
        {"rt/clock", "rosgraph_msgs::msg::dds_::Clock_", "", {.depth = 10}, {}});
    writer = sender.createWriter(spec());
    reader = receiver.createReader(spec(), [this](const Arrival& arrival) {
      EXPECT_EQ(arrival.bytes.size(), 4u);
      ++arrived;
    });
    ASSERT_TRUE(eventually([&] { return writer->readerCount() == 1; }));
  }

  // Damaged datagrams, every one of which has been looked at before the next hundred is sent.
  // Between them the two participants talk: one message per hundred.
  void rage(const std::string& prefix, uint64_t count) {
    const Stranger stranger(testing::loopback().domain);
    std::vector<std::string> all = seeds();
    ASSERT_GE(all.size(), 40u);
    for (std::string& seed : all) {
      seed = addressedTo(receiver.guid(), seed);
      if (!prefix.empty()) seed.replace(kSender, prefix.size(), prefix);
    }
    gs::Rng rng(17);
    for (uint64_t i = 0; i < count; ++i) {
      if (i == count / 2) halfway_mb = residentMegabytes();
      stranger.send(gs::fuzz::mutate(all, rng.below(all.size()), rng), i);
      if (i % 100 != 99) continue;
      talk();
    }
  }

  void talk() {
    clock->writeNow(std::vector<std::byte>(12), {});
    writer->writeNow(std::vector<std::byte>(4), {});
    ++said;
    // The storm must not outrun the receiver's sockets; a connection that it broke stays broken.
    eventually([&] { return arrived >= said; }, std::chrono::milliseconds(10));
  }

  Participant sender{testing::loopback()}, receiver{testing::loopback()};
  std::unique_ptr<Writer> writer, clock;
  std::atomic<uint64_t> arrived = 0;
  uint64_t said = 0;
  double halfway_mb = 0;
  std::unique_ptr<Reader> reader;
};

TEST_F(Storm, DamagedDatagramsOfAStrangerDoNoHarm) {
  rage("", stormSize());
  EXPECT_TRUE(eventually([&] { return arrived == said; })) << arrived << " of " << said;
  const Participant::Datagrams seen = receiver.datagrams();
  EXPECT_GT(seen.damaged, stormSize() / 20);
  EXPECT_GT(seen.received, seen.damaged);  // some damage is not seen from outside
  EXPECT_LT(residentMegabytes() - halfway_mb, 32);
}

// The worst a peer can be: its own datagrams, damaged. It may lose its connection, we may not die.
TEST_F(Storm, DamagedDatagramsOfAPeerEndNothing) {
  rage(prefixOf(sender.guid()), stormSize());
  writer.reset();
  Participant other{testing::loopback()};
  const auto fresh = other.createWriter(spec());
  ASSERT_TRUE(eventually([&] { return fresh->readerCount() == 1; }));
  const uint64_t before = arrived;
  EXPECT_TRUE(eventually([&] {
    fresh->writeNow(std::vector<std::byte>(4), {});
    return arrived > before;
  }));
}

std::string seed(const std::string& name) {
  std::ifstream in(std::filesystem::path(GS_RTPS_SEEDS) / name, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

// The announcement of a reader of /clock, under this number and with this kind of reliability.
std::string announcement(int64_t number, bool is_reliable) {
  std::string datagram = seed("fast_data_subscriptions");
  const size_t writer = datagram.find(std::string("\0\0\x04\xc2", 4));
  for (size_t i = 0; i < 8; ++i) datagram[writer + 4 + i] = 0;
  datagram[writer + 8] = static_cast<char>(number);
  const size_t reliability = datagram.find(std::string("\x1a\0\x0c\0", 4));
  datagram[reliability + 4] = is_reliable ? 2 : 1;
  return datagram;
}

// No node does this: reliability is for life. A library that lets it happen asserts later.
TEST_F(Storm, AReaderThatBecomesReliableEndsNothing) {
  const Stranger stranger(testing::loopback().domain);
  const auto tell = [&](const std::string& datagram) {
    for (const uint64_t which : {1, 3})
      stranger.send(addressedTo(receiver.guid(), datagram), which);
  };
  for (int64_t number = 1; number < 8; ++number) {
    ASSERT_TRUE(eventually([&] {
      tell(seed("fast_data_participant"));
      tell(announcement(number, number % 2 == 0));
      return clock->readerCount() == 1;
    }));
    for (int i = 0; i < 30; ++i) talk();
  }
}

}  // namespace
}  // namespace gs_ros2

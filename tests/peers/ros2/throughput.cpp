// SPDX-License-Identifier: Apache-2.0
// throughput [SECONDS]: three cameras of 1920x1080 at 12 Hz and 200,000 points at 20 Hz, reliably,
// to a reader in another process over loopback; then the same bytes as bare UDP datagrams. Prints
// MB/s, latency, losses and what publishing costs the caller. Fails when a message is lost.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <mutex>
#include <string>
#include <sys/resource.h>
#include <sys/socket.h>
#include <thread>

#include <arpa/inet.h>

#include "gs_ros2/testing/wait.hpp"
#include "peers/ros2/child_process.hpp"
#include "peers/ros2/sensor_stream.hpp"

namespace {

using namespace peers;

constexpr int kCameras = 3;
constexpr size_t kDatagram = 65000;

std::vector<Topic> makeTopics() {
  std::vector<Topic> topics = makeCameras(kCameras, 1920, 1080, 12);
  gs::msgs::PointCloud2 cloud;
  cloud.header.frame_id = std::string(40, ' ');
  cloud.width = 200'000;
  cloud.point_step = 18;
  cloud.data.resize(size_t{18} * 200'000);
  topics.push_back({{"rt/points", gs::ddsTypeName<gs::msgs::PointCloud2>(), "", topics[0].spec.qos},
                    20,
                    gs::encodeCdr(cloud)});
  return topics;
}

int readDds() {
  gs_ros2::Participant participant(gs_ros2::testing::loopback());
  std::vector<Topic> topics = makeTopics();
  std::mutex mutex;
  std::vector<Tally> tallies(topics.size());
  std::vector<std::unique_ptr<gs_ros2::Reader>> readers;
  for (size_t i = 0; i < topics.size(); ++i)
    readers.push_back(
        participant.createReader(topics[i].spec, [&, i](const gs_ros2::Arrival& arrival) {
          if (arrival.bytes.size() != topics[i].bytes.size()) return;
          const std::lock_guard lock(mutex);
          tallies[i].see(markOf(arrival.bytes), arrival.bytes.size());
        }));
  std::printf("ready\n");
  std::fflush(stdout);
  const auto start = Clock::now();
  while (std::cin.get() != EOF) {
  }
  const std::chrono::duration<double> seconds = Clock::now() - start;
  const std::lock_guard lock(mutex);
  print("dds", tallies, seconds.count());
  return 0;
}

int openUdp(uint16_t& port, bool must_bind) {
  const int handle = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  const int size = 4 << 20;
  setsockopt(handle, SOL_SOCKET, SO_RCVBUF, &size, sizeof size);
  setsockopt(handle, SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(port);
  if (must_bind) {
    if (bind(handle, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) std::abort();
    socklen_t length = sizeof address;
    getsockname(handle, reinterpret_cast<sockaddr*>(&address), &length);
    port = ntohs(address.sin_port);
    timeval patience{0, 100'000};
    setsockopt(handle, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  } else if (connect(handle, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) {
    std::abort();
  }
  return handle;
}

// A datagram is: topic, offset, then the bytes. A message counts when its last piece has come and
// no piece was missing.
struct Piece {
  uint32_t topic = 0, offset = 0;
};

int readUdp() {
  uint16_t port = 0;
  const int handle = openUdp(port, true);
  std::printf("port %d\n", port);
  std::fflush(stdout);
  const std::vector<Topic> topics = makeTopics();
  std::vector<Tally> tallies(topics.size());
  std::vector<std::vector<std::byte>> messages;
  std::vector<size_t> got(topics.size());
  for (const Topic& topic : topics) messages.emplace_back(topic.bytes.size());
  std::vector<std::byte> buffer(kDatagram + sizeof(Piece));
  const auto start = Clock::now();
  while (!peers::isStdinClosed()) {
    const ssize_t count = recv(handle, buffer.data(), buffer.size(), 0);
    if (count < static_cast<ssize_t>(sizeof(Piece))) continue;
    Piece piece;
    std::memcpy(&piece, buffer.data(), sizeof piece);
    const size_t size = static_cast<size_t>(count) - sizeof piece;
    if (piece.topic >= topics.size()) continue;
    auto& message = messages[piece.topic];
    if (piece.offset + size > message.size()) continue;
    std::memcpy(message.data() + piece.offset, buffer.data() + sizeof piece, size);
    got[piece.topic] = piece.offset == 0 ? size : got[piece.topic] + size;
    if (piece.offset + size == message.size() && got[piece.topic] == message.size())
      tallies[piece.topic].see(markOf(message), message.size());
  }
  const std::chrono::duration<double> seconds = Clock::now() - start;
  print("udp", tallies, seconds.count());
  close(handle);
  return 0;
}

double cpuSeconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto sum = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return sum(usage.ru_utime) + sum(usage.ru_stime);
}

bool benchDds(const std::string& self, std::vector<Topic>& topics, int seconds) {
  auto settings = gs_ros2::testing::loopback();
  settings.bulk_bytes_per_ms = gs_ros2::bulkBytesPerMs(bulkStreams(topics), 1);
  setenv("GS_TEST_DOMAIN", std::to_string(settings.domain).c_str(), 1);
  peers::ChildProcess reader({self, "--read-dds"});
  if (!reader.waitForLine("ready", gs_ros2::testing::kPatience)) return false;
  gs_ros2::Participant participant(settings);
  std::vector<std::unique_ptr<gs_ros2::Writer>> writers;
  for (const Topic& topic : topics) writers.push_back(participant.createWriter(topic.spec));
  if (!gs_ros2::testing::eventually([&] {
        return std::all_of(writers.begin(), writers.end(),
                           [](const auto& writer) { return writer->readerCount() == 1; });
      }))
    return false;
  const double cpu_before = cpuSeconds();
  std::vector<double> cost_ms;
  int64_t sent = 0;
  drive(topics, seconds, [&](size_t i, const Mark& mark) {
    const auto before = Clock::now();
    publish(*writers[i], topics[i], mark);
    cost_ms.push_back(std::chrono::duration<double, std::milli>(Clock::now() - before).count());
    ++sent;
  });
  const double cpu = cpuSeconds() - cpu_before;
  // Nothing says when the last message has been acknowledged; the reader's count does.
  std::this_thread::sleep_for(std::chrono::seconds(2));
  uint64_t lost = 0;
  for (const auto& writer : writers) lost += writer->lostCount();
  reader.finish();
  const auto line = reader.waitForLine("dds", gs_ros2::testing::kPatience);
  std::printf("%s\n", line.value_or("dds: no answer").c_str());
  std::printf(
      "  sent %ld, overwritten or dropped here %lu; publish() costs p95 %.3f ms, max %.3f ms; "
      "writer CPU %.0f %%\n",
      sent, lost, quantile(cost_ms, 0.95), quantile(cost_ms, 1), 100 * cpu / seconds);
  long received = 0, missing = -1;
  if (line) std::sscanf(line->c_str(), "dds messages %ld missing %ld", &received, &missing);
  return received == sent && missing == 0;
}

void benchUdp(const std::string& self, std::vector<Topic>& topics, int seconds) {
  peers::ChildProcess reader({self, "--read-udp"});
  const auto line = reader.waitForLine("port", gs_ros2::testing::kPatience);
  if (!line) return;
  auto port = static_cast<uint16_t>(std::atoi(line->c_str() + 5));
  const int handle = openUdp(port, false);
  std::vector<std::byte> buffer(kDatagram + sizeof(Piece));
  const double cpu_before = cpuSeconds();
  drive(topics, seconds, [&](size_t i, const Mark& mark) {
    auto& bytes = topics[i].bytes;
    setMark(bytes, mark);
    for (size_t offset = 0; offset < bytes.size(); offset += kDatagram) {
      const size_t size = std::min(kDatagram, bytes.size() - offset);
      const Piece piece{static_cast<uint32_t>(i), static_cast<uint32_t>(offset)};
      std::memcpy(buffer.data(), &piece, sizeof piece);
      std::memcpy(buffer.data() + sizeof piece, bytes.data() + offset, size);
      send(handle, buffer.data(), size + sizeof piece, 0);
    }
  });
  const double cpu = cpuSeconds() - cpu_before;
  close(handle);
  reader.finish();
  std::printf(
      "%s\n  writer CPU %.0f %%\n",
      reader.waitForLine("udp", gs_ros2::testing::kPatience).value_or("udp: no answer").c_str(),
      100 * cpu / seconds);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string role = argc > 1 ? argv[1] : "10";
  if (role == "--read-dds") return readDds();
  if (role == "--read-udp") return readUdp();
  const int seconds = std::atoi(role.c_str());
  std::vector<Topic> topics = makeTopics();
  double rate = 0;
  for (const auto& [bytes, rate_hz] : bulkStreams(topics)) rate += bytes * rate_hz / 1e6;
  std::printf("%d cameras 1920x1080 at 12 Hz, 200000 points at 20 Hz: %.0f MB/s for %d s\n",
              kCameras, rate, seconds);
  const std::string self = std::filesystem::read_symlink("/proc/self/exe");
  benchUdp(self, topics, seconds);
  const bool is_complete = benchDds(self, topics, seconds);
  std::printf(is_complete ? "every message arrived\n" : "FAILED: messages were lost\n");
  return is_complete ? 0 : 1;
}

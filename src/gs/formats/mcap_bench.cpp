// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <chrono>
#include <cmath>
#include <ctime>
#include <memory>
#include <numbers>

#include <benchmark/benchmark.h>

#include "gs/core/check.hpp"
#include "gs/core/parallel.hpp"
#include "gs/core/rng.hpp"
#include "gs/core/testing/temp_dir.hpp"
#include "gs/formats/cdr.hpp"
#include "gs/formats/compression.hpp"
#include "gs/formats/mcap_parse.hpp"
#include "gs/formats/mcap_reader.hpp"
#include "gs/formats/mcap_writer.hpp"
#include "gs/formats/point_cloud2.hpp"
#include "gs/formats/testing/counting_source.hpp"
#include "gs/msgs/sensor_msgs.hpp"

// Reading a log should cost little more than what cannot be avoided: decompressing its chunks, or
// reading its bytes. Each benchmark times both in the same run, one after the other, so that a busy
// machine slows both; `ratio` is ours / plain in passed time, `cpu_ratio` in work. Plain is one
// thread; the argument is how many threads we may use (0: as many as the machine has).
namespace gs {
namespace {

// Seconds that passed, and seconds that all threads together worked.
struct Cost {
  double wall = 0, cpu = 0;
  void operator+=(const Cost& other) {
    wall += other.wall;
    cpu += other.cpu;
  }
};

Cost costOf(const auto& work) {
  const auto start = std::chrono::steady_clock::now();
  const std::clock_t cpu_start = std::clock();
  work();
  return {std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(),
          static_cast<double>(std::clock() - cpu_start) / CLOCKS_PER_SEC};
}

constexpr int kTopics = 10;
constexpr int kMessages = 320;
constexpr int kRings = 32, kColumns = 900;
constexpr size_t kPoints = size_t{kRings} * kColumns;

// A scan of a street between walls, with the noise of a real sensor: 691 kB.
msgs::PointCloud2 scan(int seed) {
  Rng rng(static_cast<uint64_t>(seed));
  LidarPoints points;
  for (int column = 0; column < kColumns; ++column)
    for (int ring = 0; ring < kRings; ++ring) {
      const double azimuth = 2 * std::numbers::pi * column / kColumns;
      const double elevation = (ring - 20) * 0.02;
      const double to_wall = 8 / std::max(0.05, std::abs(std::sin(azimuth + 0.001 * seed)));
      const double to_ground = elevation < 0 ? 1.8 / -std::sin(elevation) : 1e3;
      const double range = std::min({to_wall, to_ground, 120.0}) + 0.01 * rng.normal();
      points.positions.push_back(
          {static_cast<float>(range * std::cos(elevation) * std::cos(azimuth)),
           static_cast<float>(range * std::cos(elevation) * std::sin(azimuth)),
           static_cast<float>(range * std::sin(elevation))});
      points.intensity.push_back(static_cast<float>(rng.below(64)));
      points.ring.push_back(static_cast<uint16_t>(ring));
      points.time_offset.push_back(static_cast<float>(column) / kColumns * 0.05f);
    }
  msgs::PointCloud2 message;
  message.header.frame_id = "lidar_top";
  message.header.stamp.sec = 1000 + seed;
  fillPointCloud(points, message);
  return message;
}

// 220 MB on ten topics. With `is_sorted_by_topic` a topic shares chunks with its neighbours only.
struct Fixture {
  Fixture(McapCompression compression, bool is_sorted_by_topic) {
    McapWriter writer(file, {.compression = compression});
    for (int i = 0; i < kMessages; ++i) {
      const int topic = is_sorted_by_topic ? i * kTopics / kMessages : i % kTopics;
      const std::vector<std::byte> data = encodeCdr(scan(i));
      const uint16_t channel = writer.addChannel(0, "/topic_" + std::to_string(topic), "cdr");
      writer.write({.channel_id = channel, .log_time = {i}, .data = data});
      bytes += data.size();
    }
    writer.close();
  }
  testing::TempDir dir;
  std::filesystem::path file = dir / "log.mcap";
  uint64_t bytes = 0;
};

uint64_t bytesOf(const LogReader& reader, const LogQuery& query = {}) {
  uint64_t bytes = 0;
  reader.read(query, [&bytes](const LogMessage& message) { bytes += message.data.size(); });
  return bytes;
}

uint64_t pointsOf(const LogReader& reader) {
  uint64_t count = 0;
  msgs::PointCloud2 message;
  LidarPoints points;
  reader.read({}, [&](const LogMessage& logged) {
    GS_CHECK(decodeCdrInto(logged.data, message));
    decodePointCloudInto(viewPointCloud(message), logged.topic.name, points);
    count += points.positions.size();
  });
  return count;
}

// Times `plain` and `ours` in turns.
void race(benchmark::State& state, uint64_t bytes, const auto& plain, const auto& ours) {
  Cost plain_cost, our_cost;
  for (auto _ : state) {
    plain_cost += costOf(plain);
    const Cost cost = costOf(ours);
    state.SetIterationTime(cost.wall);
    our_cost += cost;
  }
  state.counters["plain_ms"] = plain_cost.wall * 1e3 / static_cast<double>(state.iterations());
  state.counters["ratio"] = our_cost.wall / plain_cost.wall;
  state.counters["cpu_ratio"] = our_cost.cpu / plain_cost.cpu;
  state.SetBytesProcessed(static_cast<int64_t>(bytes) * state.iterations());
  setThreadCount(0);
}

// The chunks of a log as they are stored, with the size they unpack to.
std::vector<std::pair<std::string, size_t>> storedChunks(const std::filesystem::path& file) {
  std::vector<std::pair<std::string, size_t>> chunks;
  visitMcapRecords(*openFile(file), [&chunks](const McapRecord& record) {
    if (const auto* chunk = std::get_if<McapChunk>(&record))
      chunks.emplace_back(std::string(asText(chunk->records)), chunk->uncompressed_size);
  });
  return chunks;
}

// Plain: decompress the chunks, their compressed bytes in memory already. Ours: read the file,
// decompress, check the CRCs, sort by time, decode CDR, and turn every column into points.
void decodeClouds(benchmark::State& state) {
  const Fixture fixture(McapCompression::Zstd, false);
  setThreadCount(static_cast<int>(state.range(0)));
  const LogReader reader(fixture.file, {.is_strict = true});
  if (pointsOf(reader) != kMessages * kPoints) return state.SkipWithError("wrong answer");
  const auto chunks = storedChunks(fixture.file);
  ScratchBuffer buffer;
  const auto decompress = [&] {
    for (const auto& [data, size] : chunks) {
      Bytes out;
      GS_CHECK(decompressZstd(asBytes(data), size, buffer, out).empty());
      benchmark::DoNotOptimize(out.data());
    }
  };
  race(state, fixture.bytes, decompress, [&] { benchmark::DoNotOptimize(pointsOf(reader)); });
  state.counters["compressed_to"] = static_cast<double>(std::filesystem::file_size(fixture.file)) /
                                    static_cast<double>(fixture.bytes);
}
BENCHMARK(decodeClouds)
    ->Name("mcap/decode_clouds_zstd")
    ->Arg(0)
    ->Arg(1)
    ->UseManualTime()
    ->MinTime(1)
    ->Unit(benchmark::kMillisecond);

// Plain: read the file in pieces of 4 MB.
void readPlain(benchmark::State& state) {
  const Fixture fixture(McapCompression::None, false);
  setThreadCount(static_cast<int>(state.range(0)));
  const LogReader reader(fixture.file, {.is_strict = true});
  if (bytesOf(reader) != fixture.bytes) return state.SkipWithError("wrong answer");
  const auto source = openFile(fixture.file);
  std::vector<std::byte> piece(size_t{4} << 20);
  const auto read_file = [&] {
    for (uint64_t at = 0; at < source->size(); at += piece.size())
      benchmark::DoNotOptimize(source->readSomeAt(at, piece));
  };
  race(state, source->size(), read_file, [&] { benchmark::DoNotOptimize(bytesOf(reader)); });
  state.counters["rate_of_plain"] = 1 / state.counters["ratio"];
}
BENCHMARK(readPlain)
    ->Name("mcap/read_uncompressed")
    ->Arg(0)
    ->Arg(1)
    ->UseManualTime()
    ->MinTime(1)
    ->Unit(benchmark::kMillisecond);

// Bytes of the chunks that hold messages of the channel; the id of /topic_4 is 5.
uint64_t chunkBytesOf(const std::filesystem::path& file, uint16_t channel) {
  uint64_t bytes = 0;
  visitMcapRecords(*openFile(file), [&](const McapRecord& record) {
    const auto* index = std::get_if<McapChunkIndex>(&record);
    if (index && index->message_index_offsets.contains(channel)) bytes += index->chunk_length;
  });
  return bytes;
}

void readOneTopicOfTen(benchmark::State& state) {
  const Fixture fixture(McapCompression::None, true);
  std::atomic<uint64_t> count = 0;
  const LogReader reader(std::make_unique<testing::CountingSource>(openFile(fixture.file), count),
                         {.is_strict = true});
  count = 0;
  if (bytesOf(reader, {.topics = {"/topic_4"}}) != fixture.bytes / kTopics)
    return state.SkipWithError("wrong answer");
  const auto read = static_cast<double>(count);
  state.counters["read_of_file"] =
      read / static_cast<double>(std::filesystem::file_size(fixture.file));
  state.counters["read_of_its_chunks"] = read / static_cast<double>(chunkBytesOf(fixture.file, 5));
  for (auto _ : state) benchmark::DoNotOptimize(bytesOf(reader, {.topics = {"/topic_4"}}));
}
BENCHMARK(readOneTopicOfTen)->Name("mcap/read_one_topic_of_ten")->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace gs

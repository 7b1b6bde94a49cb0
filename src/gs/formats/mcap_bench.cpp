// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <chrono>
#include <cmath>
#include <memory>

#include <benchmark/benchmark.h>

#include "gs/core/check.hpp"
#include "gs/core/testing/temp_dir.hpp"
#include "gs/formats/compression.hpp"
#include "gs/formats/mcap_parse.hpp"
#include "gs/formats/mcap_reader.hpp"
#include "gs/formats/mcap_writer.hpp"

// Reading a log should cost little more than what cannot be avoided: decompressing its chunks, or
// reading its bytes. Each benchmark times both in the same run, one after the other, so that a busy
// machine slows both; `ratio` is ours / plain. On two cores of a 2.4 GHz server CPU, both busy with
// other work: zstd 1.03 to 1.13, uncompressed at 50 to 68 % of the plain rate (one thread alone: 14
// GB/s to copy from the page cache, 23 GB/s to check the CRC), one topic of ten 10.9 % of the file.
namespace gs {
namespace {

using Clock = std::chrono::steady_clock;

double secondsOf(const auto& work) {
  const auto start = Clock::now();
  work();
  return std::chrono::duration<double>(Clock::now() - start).count();
}

constexpr int kTopics = 10;
constexpr int kMessages = 320;
constexpr size_t kPayload = size_t{650} << 10;

// Like a PointCloud2: floats whose upper bytes change slowly and whose lower bytes are noise.
std::string payload(int seed) {
  std::string data(kPayload, '\0');
  uint32_t noise = 2654435761U * static_cast<uint32_t>(seed + 1);
  for (size_t i = 0; i + 4 <= data.size(); i += 4) {
    noise = noise * 1664525U + 1013904223U;
    const auto slow = static_cast<float>(std::sin(static_cast<double>(i) * 1e-4 + seed));
    const float value = std::round(slow * 1000) / 8 + static_cast<float>(noise >> 29) / 8;
    std::memcpy(data.data() + i, &value, sizeof value);
  }
  return data;
}

// 208 MB on ten topics. With `is_sorted_by_topic` each topic has chunks of its own.
struct Fixture {
  Fixture(McapCompression compression, bool is_sorted_by_topic) {
    McapWriter writer(file, {.compression = compression});
    for (int i = 0; i < kMessages; ++i) {
      const int topic = is_sorted_by_topic ? i * kTopics / kMessages : i % kTopics;
      const std::string data = payload(i);
      const uint16_t channel = writer.addChannel(0, "/topic_" + std::to_string(topic), "cdr");
      writer.write({.channel_id = channel, .log_time = {i}, .data = asBytes(data)});
    }
    writer.close();
  }
  testing::TempDir dir;
  std::filesystem::path file = dir / "log.mcap";
};

uint64_t bytesOf(const LogReader& reader, const LogQuery& query = {}) {
  uint64_t bytes = 0;
  reader.read(query, [&bytes](const LogMessage& message) { bytes += message.data.size(); });
  return bytes;
}

void report(benchmark::State& state, double plain, double ours, uint64_t bytes) {
  state.counters["plain_ms"] = plain * 1e3 / static_cast<double>(state.iterations());
  state.counters["ratio"] = ours / plain;
  state.SetBytesProcessed(static_cast<int64_t>(bytes) * state.iterations());
}

void readZstd(benchmark::State& state) {
  const Fixture fixture(McapCompression::Zstd, false);
  const LogReader reader(fixture.file, {.is_strict = true});
  if (bytesOf(reader) != kMessages * kPayload) return state.SkipWithError("wrong answer");
  // Plain: the chunks' compressed bytes are in memory already.
  std::vector<std::pair<std::string, size_t>> chunks;
  visitMcapRecords(*openFile(fixture.file), [&chunks](const McapRecord& record) {
    if (const auto* chunk = std::get_if<McapChunk>(&record))
      chunks.emplace_back(std::string(asText(chunk->records)), chunk->uncompressed_size);
  });
  double plain = 0, ours = 0;
  ScratchBuffer buffer;
  for (auto _ : state) {
    plain += secondsOf([&] {
      for (const auto& [data, size] : chunks) {
        Bytes out;
        GS_CHECK(decompressZstd(asBytes(data), size, buffer, out).empty());
        benchmark::DoNotOptimize(out.data());
      }
    });
    const double seconds = secondsOf([&] { benchmark::DoNotOptimize(bytesOf(reader)); });
    state.SetIterationTime(seconds);
    ours += seconds;
  }
  report(state, plain, ours, kMessages * kPayload);
}
BENCHMARK(readZstd)
    ->Name("mcap/read_zstd")
    ->UseManualTime()
    ->MinTime(1)
    ->Unit(benchmark::kMillisecond);

void readPlain(benchmark::State& state) {
  const Fixture fixture(McapCompression::None, false);
  const LogReader reader(fixture.file, {.is_strict = true});
  if (bytesOf(reader) != kMessages * kPayload) return state.SkipWithError("wrong answer");
  const auto source = openFile(fixture.file);
  std::vector<std::byte> piece(size_t{4} << 20);
  double plain = 0, ours = 0;
  for (auto _ : state) {
    plain += secondsOf([&] {
      for (uint64_t at = 0; at < source->size(); at += piece.size())
        benchmark::DoNotOptimize(source->readSomeAt(at, piece));
    });
    const double seconds = secondsOf([&] { benchmark::DoNotOptimize(bytesOf(reader)); });
    state.SetIterationTime(seconds);
    ours += seconds;
  }
  report(state, plain, ours, source->size());
  state.counters["rate_of_plain"] = plain / ours;
}
BENCHMARK(readPlain)
    ->Name("mcap/read_uncompressed")
    ->UseManualTime()
    ->MinTime(1)
    ->Unit(benchmark::kMillisecond);

class CountingSource final : public ByteSource {
 public:
  CountingSource(std::unique_ptr<ByteSource> inner, std::atomic<uint64_t>& count)
      : inner_(std::move(inner)), count_(count) {}
  uint64_t size() const override { return inner_->size(); }
  const std::string& name() const override { return inner_->name(); }
  size_t readSomeAt(uint64_t offset, std::span<std::byte> out) const override {
    const size_t got = inner_->readSomeAt(offset, out);
    count_ += got;
    return got;
  }

 private:
  std::unique_ptr<ByteSource> inner_;
  std::atomic<uint64_t>& count_;
};

void readOneTopicOfTen(benchmark::State& state) {
  const Fixture fixture(McapCompression::None, true);
  std::atomic<uint64_t> count = 0;
  const LogReader reader(std::make_unique<CountingSource>(openFile(fixture.file), count),
                         {.is_strict = true});
  count = 0;
  if (bytesOf(reader, {.topics = {"/topic_4"}}) != kMessages / kTopics * kPayload)
    return state.SkipWithError("wrong answer");
  state.counters["read_of_file"] =
      static_cast<double>(count) / static_cast<double>(std::filesystem::file_size(fixture.file));
  for (auto _ : state) benchmark::DoNotOptimize(bytesOf(reader, {.topics = {"/topic_4"}}));
}
BENCHMARK(readOneTopicOfTen)->Name("mcap/read_one_topic_of_ten")->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace gs

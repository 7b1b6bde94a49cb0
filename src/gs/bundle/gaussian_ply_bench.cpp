// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <memory>
#include <span>
#include <string>
#include <sys/mman.h>

#include <benchmark/benchmark.h>

#include "gs/bundle/gaussian_ply.hpp"
#include "gs/bundle/testing/random_cloud.hpp"
#include "gs/core/check.hpp"
#include "gs/core/file.hpp"
#include "gs/core/testing/temp_dir.hpp"

// Reading a cloud should cost little more than reading its bytes. Each benchmark times both in the
// same run, one after the other, so that a busy machine slows both; `ratio` is ours / plain. On two
// shared cores of a 2.4 GHz server CPU with the file in the page cache: reading 0.57 (100 thousand
// splats), 0.60 (1 million, 236 MB), 0.90 (5 million); writing 1.10 and 1.00.
namespace gs {
namespace {

using Clock = std::chrono::steady_clock;

double secondsOf(const auto& work) {
  const auto start = Clock::now();
  work();
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Straight from the kernel: malloc would hand out pages that an earlier round has already touched.
struct FreshMemory {
  explicit FreshMemory(size_t size) {
    void* memory =
        ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    GS_CHECK(memory != MAP_FAILED);
    bytes = {static_cast<std::byte*>(memory), size};
  }
  ~FreshMemory() { ::munmap(bytes.data(), bytes.size()); }
  FreshMemory(const FreshMemory&) = delete;
  FreshMemory& operator=(const FreshMemory&) = delete;
  std::span<std::byte> bytes;
};

// One cloud and its file at a time: 5 million splats are 1.2 GB.
struct Fixture {
  explicit Fixture(size_t count) : cloud(testing::randomCloud(count, 3, count)) {
    writeGaussianPly(file, cloud);
  }
  testing::TempDir dir;
  std::filesystem::path file = dir / "cloud.ply";
  GaussianCloud cloud;
};

const Fixture& fixtureOf(size_t count) {
  static std::unique_ptr<Fixture> fixture;
  if (!fixture || fixture->cloud.size() != count) {
    fixture.reset();
    fixture = std::make_unique<Fixture>(count);
  }
  return *fixture;
}

void report(benchmark::State& state, double plain_seconds, double our_seconds, uint64_t bytes) {
  state.counters["plain_ms"] = plain_seconds * 1e3 / static_cast<double>(state.iterations());
  state.counters["ratio"] = our_seconds / plain_seconds;
  state.SetBytesProcessed(static_cast<int64_t>(bytes) * state.iterations());
  state.SetItemsProcessed(state.range(0) * state.iterations());  // items are splats
}

void readCloud(benchmark::State& state) {
  const Fixture& fixture = fixtureOf(static_cast<size_t>(state.range(0)));
  const auto source = openFile(fixture.file);
  if (!(readGaussianPly(*source) == fixture.cloud)) return state.SkipWithError("wrong answer");
  double plain = 0, ours = 0;
  for (auto _ : state) {
    plain += secondsOf([&] {
      const FreshMemory memory(source->size());
      benchmark::DoNotOptimize(source->readAt(0, memory.bytes));
    });
    const double seconds = secondsOf([&] {
      const GaussianCloud cloud = readGaussianPly(*source);
      benchmark::DoNotOptimize(cloud.sh_rest.data());
    });
    state.SetIterationTime(seconds);
    ours += seconds;
  }
  report(state, plain, ours, source->size());
}
BENCHMARK(readCloud)
    ->Name("gaussian_ply/read")
    ->Arg(100'000)
    ->Arg(1'000'000)
    ->Arg(5'000'000)
    ->UseManualTime()
    ->MinTime(2)
    ->Unit(benchmark::kMillisecond);

void writeCloud(benchmark::State& state) {
  const Fixture& fixture = fixtureOf(static_cast<size_t>(state.range(0)));
  const std::string expected = readTextFile(fixture.file, uint64_t{4} << 30);
  const auto target = fixture.dir / "copy.ply";
  writeGaussianPly(target, fixture.cloud);
  if (readTextFile(target, uint64_t{4} << 30) != expected)
    return state.SkipWithError("wrong answer");
  double plain = 0, ours = 0;
  for (auto _ : state) {
    plain += secondsOf([&] { writeFileAtomically(target, expected); });
    const double seconds = secondsOf([&] { writeGaussianPly(target, fixture.cloud); });
    state.SetIterationTime(seconds);
    ours += seconds;
  }
  report(state, plain, ours, expected.size());
}
BENCHMARK(writeCloud)
    ->Name("gaussian_ply/write")
    ->Arg(100'000)
    ->Arg(1'000'000)
    ->UseManualTime()
    ->MinTime(2)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace gs

// SPDX-License-Identifier: Apache-2.0
#include "gs/render/depth_sort.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "gs/core/check.hpp"
#include "gs/core/parallel.hpp"

namespace gs {
namespace {

constexpr int kPasses = 3, kMaxDigitBits = 11;
constexpr size_t kMaxBuckets = size_t{1} << kMaxDigitBits;
constexpr size_t kGrain = 32768;

using Histogram = std::array<uint32_t, kMaxBuckets>;

struct Digit {
  int shift, bits;
  size_t buckets() const { return size_t{1} << bits; }
  size_t of(const DepthKey& key) const { return key.key >> shift & (buckets() - 1); }
};

// A stable counting pass: each block counts, the counts become places, each block scatters.
void sortPass(const AlignedVector<DepthKey>& from, AlignedVector<DepthKey>& to,
              const Digit& digit) {
  std::vector<Histogram> blocks((from.size() + kGrain - 1) / kGrain);
  parallelFor(from.size(), kGrain, [&](size_t begin, size_t end) {
    Histogram& counts = blocks[begin / kGrain];
    std::fill_n(counts.begin(), digit.buckets(), 0);
    for (size_t i = begin; i < end; ++i) ++counts[digit.of(from[i])];
  });
  uint32_t place = 0;
  for (size_t bucket = 0; bucket < digit.buckets(); ++bucket)
    for (Histogram& block : blocks) {
      const uint32_t count = block[bucket];
      block[bucket] = place;
      place += count;
    }
  parallelFor(from.size(), kGrain, [&](size_t begin, size_t end) {
    Histogram& places = blocks[begin / kGrain];
    for (size_t i = begin; i < end; ++i) to[places[digit.of(from[i])]++] = from[i];
  });
}

}  // namespace

DepthKeys::DepthKeys(float near_plane, float far_plane)
    : first_(std::bit_cast<uint32_t>(near_plane)),
      last_(std::bit_cast<uint32_t>(std::max(near_plane, far_plane))) {
  GS_CHECK(near_plane > 0.0f);
}

uint32_t DepthKeys::keyOf(float depth) const {
  return std::clamp(std::bit_cast<uint32_t>(depth), first_, last_) - first_;
}

int DepthKeys::bits() const {
  return std::max(1, static_cast<int>(std::bit_width(last_ - first_)));
}

void sortByDepth(AlignedVector<DepthKey>& keys, int bits, AlignedVector<DepthKey>& scratch) {
  scratch.resize(keys.size());
  const int digit_bits = (bits + kPasses - 1) / kPasses;
  sortPass(keys, scratch, {0, digit_bits});
  sortPass(scratch, keys, {digit_bits, digit_bits});
  sortPass(keys, scratch, {2 * digit_bits, digit_bits});
  keys.swap(scratch);
}

}  // namespace gs

// SPDX-License-Identifier: Apache-2.0
#include "gs/render/depth_sort.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "gs/core/check.hpp"
#include "gs/core/parallel.hpp"

namespace gs {
namespace {

constexpr int kBits = 11;
constexpr size_t kBuckets = size_t{1} << kBits;
constexpr size_t kGrain = 32768;

using Histogram = std::array<uint32_t, kBuckets>;

size_t bucketOf(const DepthKey& key, int shift) { return key.key >> shift & (kBuckets - 1); }

// A stable counting pass: each block counts, the counts become places, each block scatters.
void sortPass(const AlignedVector<DepthKey>& from, AlignedVector<DepthKey>& to, int shift) {
  std::vector<Histogram> blocks((from.size() + kGrain - 1) / kGrain);
  parallelFor(from.size(), kGrain, [&](size_t begin, size_t end) {
    Histogram& counts = blocks[begin / kGrain];
    counts.fill(0);
    for (size_t i = begin; i < end; ++i) ++counts[bucketOf(from[i], shift)];
  });
  uint32_t place = 0;
  for (size_t bucket = 0; bucket < kBuckets; ++bucket)
    for (Histogram& block : blocks) {
      const uint32_t count = block[bucket];
      block[bucket] = place;
      place += count;
    }
  parallelFor(from.size(), kGrain, [&](size_t begin, size_t end) {
    Histogram& places = blocks[begin / kGrain];
    for (size_t i = begin; i < end; ++i) to[places[bucketOf(from[i], shift)]++] = from[i];
  });
}

}  // namespace

DepthQuantizer::DepthQuantizer(float near_plane, float far_plane)
    : first_(std::bit_cast<uint32_t>(near_plane)),
      last_(std::bit_cast<uint32_t>(std::max(near_plane, far_plane))),
      shift_(0) {
  GS_CHECK(near_plane > 0.0f);
  while ((last_ - first_) >> shift_ >= size_t{1} << 2 * kBits) ++shift_;
}

uint32_t DepthQuantizer::keyOf(float depth) const {
  return (std::clamp(std::bit_cast<uint32_t>(depth), first_, last_) - first_) >> shift_;
}

void sortByDepth(AlignedVector<DepthKey>& keys, AlignedVector<DepthKey>& scratch) {
  scratch.resize(keys.size());
  sortPass(keys, scratch, 0);
  sortPass(scratch, keys, kBits);
}

}  // namespace gs

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "gs/core/linear.hpp"

namespace gs {

// Sparse voxels in bricks of 8 x 8 x 8: surfaces are connected, so a hash per brick and a bit per
// voxel is far smaller and faster than a hash per voxel.
struct VoxelCoord {
  int32_t x, y, z;
};

constexpr int kBrickSide = 8;
constexpr int kBrickVoxels = kBrickSide * kBrickSide * kBrickSide;
constexpr int32_t kMaxBrickCoord = 1 << 20;  // 21 bits per axis with the sign

inline VoxelCoord voxelAt(const Vec3& p, double inverse_size) {
  return {static_cast<int32_t>(std::floor(p.x() * inverse_size)),
          static_cast<int32_t>(std::floor(p.y() * inverse_size)),
          static_cast<int32_t>(std::floor(p.z() * inverse_size))};
}

inline uint64_t brickKeyOf(VoxelCoord v) {
  const auto part = [](int32_t c) {
    return static_cast<uint64_t>((c >> 3) + kMaxBrickCoord) & 0x1fffff;
  };
  return part(v.z) << 42 | part(v.y) << 21 | part(v.x);
}
inline uint32_t localOf(VoxelCoord v) {
  return static_cast<uint32_t>((v.z & 7) << 6 | (v.y & 7) << 3 | (v.x & 7));
}
inline VoxelCoord brickCorner(uint64_t key) {
  const auto part = [](uint64_t bits) {
    return (static_cast<int32_t>(bits & 0x1fffff) - kMaxBrickCoord) * kBrickSide;
  };
  return {part(key), part(key >> 21), part(key >> 42)};
}
inline VoxelCoord voxelIn(uint64_t brick_key, uint32_t local) {
  const VoxelCoord corner = brickCorner(brick_key);
  return {corner.x + static_cast<int32_t>(local & 7),
          corner.y + static_cast<int32_t>(local >> 3 & 7),
          corner.z + static_cast<int32_t>(local >> 6)};
}

inline uint64_t mixBits(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

// 64-bit keys to the numbers 0, 1, 2 ... in the order of insertion.
class KeyIndex {
 public:
  static constexpr uint32_t kNone = 0xffffffff;

  uint32_t find(uint64_t key) const {
    if (slots_.empty()) return kNone;
    for (size_t i = mixBits(key) & mask_;; i = (i + 1) & mask_) {
      if (slots_[i].number == kNone) return kNone;
      if (slots_[i].key == key) return slots_[i].number;
    }
  }
  uint32_t findOrAdd(uint64_t key) {
    if (2 * (count_ + 1) > slots_.size()) grow();
    for (size_t i = mixBits(key) & mask_;; i = (i + 1) & mask_) {
      if (slots_[i].number == kNone) {
        slots_[i] = {key, count_};
        return count_++;
      }
      if (slots_[i].key == key) return slots_[i].number;
    }
  }
  uint32_t size() const { return count_; }

 private:
  struct Slot {
    uint64_t key = 0;
    uint32_t number = kNone;
  };
  void grow() {
    const std::vector<Slot> old = std::move(slots_);
    slots_.assign(std::max<size_t>(64, 2 * old.size()), {});
    mask_ = slots_.size() - 1;
    for (const Slot& slot : old) {
      if (slot.number == kNone) continue;
      size_t i = mixBits(slot.key) & mask_;
      while (slots_[i].number != kNone) i = (i + 1) & mask_;
      slots_[i] = slot;
    }
  }
  std::vector<Slot> slots_;
  size_t mask_ = 0;
  uint32_t count_ = 0;
};

// A fixed set of voxels, numbered brick by brick (bricks in the order they are added, voxels by
// their local number). Lookup is one hash and one popcount.
class VoxelSet {
 public:
  static constexpr uint32_t kNone = 0xffffffff;
  using Mask = std::array<uint64_t, kBrickVoxels / 64>;
  struct Brick {
    uint64_t key;
    uint32_t first;  // number of its first voxel
    Mask mask;

    uint32_t find(uint32_t local) const {
      const uint64_t bit = uint64_t{1} << (local & 63);
      if ((mask[local >> 6] & bit) == 0) return kNone;
      uint32_t rank = static_cast<uint32_t>(std::popcount(mask[local >> 6] & (bit - 1)));
      for (uint32_t w = 0; w < local >> 6; ++w)
        rank += static_cast<uint32_t>(std::popcount(mask[w]));
      return first + rank;
    }
  };

  void addBrick(uint64_t key, const Mask& mask) {
    index_.findOrAdd(key);
    bricks_.push_back({key, size_, mask});
    for (const uint64_t word : mask) size_ += static_cast<uint32_t>(std::popcount(word));
  }
  const Brick* findBrick(uint64_t key) const {
    const uint32_t number = index_.find(key);
    return number == KeyIndex::kNone ? nullptr : &bricks_[number];
  }
  uint32_t find(VoxelCoord v) const {
    const Brick* brick = findBrick(brickKeyOf(v));
    return brick == nullptr ? kNone : brick->find(localOf(v));
  }
  const std::vector<Brick>& bricks() const { return bricks_; }
  uint32_t size() const { return size_; }

 private:
  KeyIndex index_;
  std::vector<Brick> bricks_;
  uint32_t size_ = 0;
};

// Calls visit(local, number) for the voxels of a brick.
template <typename Visit>
void forEachVoxel(const VoxelSet::Brick& brick, const Visit& visit) {
  uint32_t number = brick.first;
  for (uint32_t w = 0; w < brick.mask.size(); ++w)
    for (uint64_t word = brick.mask[w]; word != 0; word &= word - 1)
      visit(w * 64 + static_cast<uint32_t>(std::countr_zero(word)), number++);
}

// The bricks around one voxel's brick, looked up once per brick instead of once per voxel.
class BrickNeighborhood {
 public:
  BrickNeighborhood(const VoxelSet& set, uint64_t key) : corner_(brickCorner(key)) {
    for (int i = 0; i < 27; ++i)
      bricks_[i] = set.findBrick(brickKeyOf({corner_.x + (i % 3 - 1) * kBrickSide,
                                             corner_.y + (i / 3 % 3 - 1) * kBrickSide,
                                             corner_.z + (i / 9 - 1) * kBrickSide}));
  }
  // v within 8 voxels of the middle brick.
  uint32_t find(VoxelCoord v) const {
    const int bx = ((v.x - corner_.x) >> 3) + 1, by = ((v.y - corner_.y) >> 3) + 1,
              bz = ((v.z - corner_.z) >> 3) + 1;
    const VoxelSet::Brick* brick = bricks_[bx + 3 * by + 9 * bz];
    return brick == nullptr ? VoxelSet::kNone : brick->find(localOf(v));
  }
  const std::array<const VoxelSet::Brick*, 27>& bricks() const { return bricks_; }  // null: none

 private:
  VoxelCoord corner_;
  std::array<const VoxelSet::Brick*, 27> bricks_{};
};

}  // namespace gs

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <sys/mman.h>
#include <utility>
#include <vector>

namespace gs {

// Memory for arrays that SIMD kernels read: starts on a cache line and is not zeroed by resize(),
// because the gigabytes of a splat cloud would otherwise be written twice. Large blocks ask for
// huge pages, which makes first-touch (loading) and random access (culling) cheaper.
template <typename T>
struct AlignedAllocator {
  using value_type = T;
  static constexpr size_t kAlignment = 64;
  static constexpr size_t kHugePage = size_t{2} << 20;

  AlignedAllocator() = default;
  template <typename U>
  explicit AlignedAllocator(const AlignedAllocator<U>&) {}

  T* allocate(size_t count) {
    if (count > static_cast<size_t>(-1) / 2 / sizeof(T)) throw std::bad_array_new_length();
    const size_t bytes = count * sizeof(T);
    const size_t alignment = bytes >= kHugePage ? kHugePage : kAlignment;
    const size_t rounded = (bytes + kAlignment - 1) / kAlignment * kAlignment;
    void* memory = nullptr;
    if (posix_memalign(&memory, alignment, rounded) != 0) throw std::bad_alloc();
    if (alignment == kHugePage) madvise(memory, rounded, MADV_HUGEPAGE);  // a wish, not a need
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, size_t) { std::free(memory); }

  template <typename U>
  void construct(U* at) {
    ::new (static_cast<void*>(at)) U;  // default-, not value-initialised: see above
  }
  template <typename U, typename... Args>
  void construct(U* at, Args&&... args) {
    ::new (static_cast<void*>(at)) U(std::forward<Args>(args)...);
  }

  friend bool operator==(const AlignedAllocator&, const AlignedAllocator&) { return true; }
};

template <typename T>
using AlignedVector = std::vector<T, AlignedAllocator<T>>;

}  // namespace gs

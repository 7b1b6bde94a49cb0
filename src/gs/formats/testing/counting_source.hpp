// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "gs/core/bytes.hpp"

namespace gs::testing {

// Counts the bytes that are read of another source; from any thread.
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

}  // namespace gs::testing

// SPDX-License-Identifier: Apache-2.0
#include "gs/formats/compression.hpp"

#include <algorithm>

#include <lz4frame.h>
#include <zstd.h>

#include "gs/core/check.hpp"

namespace gs {
namespace {

// A zstd block is at most 128 KiB and at least 3 bytes of header and 1 of content; an LZ4 match
// grows by 255 per byte.
constexpr size_t kZstdMaxRatio = (size_t{128} << 10) / 4;
constexpr size_t kLz4MaxRatio = 255;
// Sizes that need no proof: less than this, or this many times the data.
constexpr size_t kSmall = size_t{1} << 20;
constexpr size_t kUsualRatio = 64;

std::string tooMuch(size_t size, size_t data) {
  return std::to_string(data) + " compressed bytes cannot give " + std::to_string(size);
}

std::string wrongSize(const std::string& given, size_t size) {
  return "decompressed to " + given + " bytes where " + std::to_string(size) + " were promised";
}

struct FreeZstd {
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
  void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
};
struct FreeLz4 {
  void operator()(LZ4F_dctx* context) const { LZ4F_freeDecompressionContext(context); }
};

ZSTD_DCtx* zstdContext() {  // 150 kB each: kept per thread
  thread_local const std::unique_ptr<ZSTD_DCtx, FreeZstd> context(ZSTD_createDCtx());
  GS_CHECK(context != nullptr);
  return context.get();
}

// Output grows as the data proves itself.
std::string streamZstd(Bytes data, size_t size, ScratchBuffer& buffer, Bytes& out) {
  ZSTD_DCtx* context = zstdContext();
  ZSTD_DCtx_reset(context, ZSTD_reset_session_only);
  ZSTD_inBuffer input{data.data(), data.size(), 0};
  size_t done = 0, status = 1;
  while (true) {
    const size_t room = std::min(size, std::max(kSmall, 2 * done));
    const auto space = buffer.grownTo(room, done);
    ZSTD_outBuffer output{space.data(), space.size(), done};
    status = ZSTD_decompressStream(context, &output, &input);
    if (ZSTD_isError(status)) return ZSTD_getErrorName(status);
    const bool is_stuck = output.pos == done;
    done = output.pos;
    if (status == 0 && input.pos == input.size) break;
    if (is_stuck && (done == size || input.pos == input.size)) break;
  }
  if (status != 0) return done == size ? "more data than promised" : "the data ends early";
  if (done != size) return wrongSize(std::to_string(done), size);
  out = buffer.grownTo(size, size);
  return {};
}

}  // namespace

std::span<std::byte> ScratchBuffer::grownTo(size_t size, size_t kept) {
  if (size > capacity_) {
    auto larger = std::make_unique_for_overwrite<std::byte[]>(size);
    std::copy_n(memory_.get(), kept, larger.get());
    memory_ = std::move(larger);
    capacity_ = size;
  }
  return {memory_.get(), size};
}

std::string decompressZstd(Bytes data, size_t size, ScratchBuffer& buffer, Bytes& out) {
  if (size / kZstdMaxRatio > data.size()) return tooMuch(size, data.size());
  const bool is_usual =
      size <= kSmall || size <= buffer.capacity() || size / kUsualRatio <= data.size();
  if (!is_usual) return streamZstd(data, size, buffer, out);
  const auto space = buffer.ofSize(size);
  const size_t got =
      ZSTD_decompressDCtx(zstdContext(), space.data(), space.size(), data.data(), data.size());
  if (ZSTD_isError(got)) return ZSTD_getErrorName(got);
  if (got != size) return wrongSize(std::to_string(got), size);
  out = space;
  return {};
}

std::string decompressLz4(Bytes data, size_t size, ScratchBuffer& buffer, Bytes& out) {
  if (size / kLz4MaxRatio > data.size()) return tooMuch(size, data.size());
  LZ4F_dctx* raw = nullptr;
  if (LZ4F_isError(LZ4F_createDecompressionContext(&raw, LZ4F_VERSION))) return "out of memory";
  const std::unique_ptr<LZ4F_dctx, FreeLz4> context(raw);
  const auto space = buffer.ofSize(size);
  LZ4F_decompressOptions_t options{};
  options.stableDst = 1;  // the output stays where it is: no second copy of the window
  size_t read = 0, written = 0, hint = 1;
  while (hint != 0) {
    size_t in = data.size() - read, room = space.size() - written;
    hint = LZ4F_decompress(raw, space.data() + written, &room, data.data() + read, &in, &options);
    if (LZ4F_isError(hint)) return LZ4F_getErrorName(hint);
    read += in;
    written += room;
    if (hint != 0 && in == 0 && room == 0)
      return written == size ? "more data than promised" : "the data ends early";
  }
  if (read != data.size()) return "bytes after the frame";
  if (written != size) return wrongSize(std::to_string(written), size);
  out = space;
  return {};
}

void compressZstd(Bytes data, int level, std::string& out) {
  thread_local const std::unique_ptr<ZSTD_CCtx, FreeZstd> context(ZSTD_createCCtx());
  const size_t before = out.size();
  out.resize(before + ZSTD_compressBound(data.size()));
  const size_t got = ZSTD_compressCCtx(context.get(), out.data() + before, out.size() - before,
                                       data.data(), data.size(), level);
  GS_CHECK(!ZSTD_isError(got));
  out.resize(before + got);
}

void compressLz4(Bytes data, int level, std::string& out) {
  LZ4F_preferences_t preferences{};
  preferences.compressionLevel = level;
  preferences.frameInfo.contentSize = data.size();
  const size_t before = out.size();
  out.resize(before + LZ4F_compressFrameBound(data.size(), &preferences));
  const size_t got = LZ4F_compressFrame(out.data() + before, out.size() - before, data.data(),
                                        data.size(), &preferences);
  GS_CHECK(!LZ4F_isError(got));
  out.resize(before + got);
}

}  // namespace gs

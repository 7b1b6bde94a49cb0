// SPDX-License-Identifier: Apache-2.0
#include "gs/formats/compression.hpp"

#include <gtest/gtest.h>

namespace gs {
namespace {

struct Codec {
  const char* name;
  void (*compress)(Bytes, int, std::string&);
  std::string (*decompress)(Bytes, size_t, ScratchBuffer&, Bytes&);
};
constexpr Codec kCodecs[] = {{"zstd", compressZstd, decompressZstd},
                             {"lz4", compressLz4, decompressLz4}};

std::string countingText(size_t lines) {
  std::string text;
  for (size_t i = 0; i < lines; ++i) text += std::to_string(i * i) + "\n";
  return text;
}

TEST(Compression, GivesBackWhatItTook) {
  for (const Codec& codec : kCodecs) {
    for (const std::string& text : {std::string(), std::string("a"), countingText(100'000),
                                    std::string(5 << 20, '\0')}) {  // the last one is streamed
      std::string packed;
      codec.compress(asBytes(text), 1, packed);
      ScratchBuffer buffer;
      Bytes out;
      EXPECT_EQ(codec.decompress(asBytes(packed), text.size(), buffer, out), "") << codec.name;
      EXPECT_EQ(asText(out), text) << codec.name;
    }
  }
}

TEST(Compression, RefusesASizeThatIsNotExactlyRight) {
  const std::string text = countingText(1000);
  for (const Codec& codec : kCodecs) {
    std::string packed;
    codec.compress(asBytes(text), 1, packed);
    for (const size_t size : {size_t{0}, text.size() - 1, text.size() + 1, text.size() * 2}) {
      ScratchBuffer buffer;
      Bytes out;
      EXPECT_NE(codec.decompress(asBytes(packed), size, buffer, out), "") << codec.name << size;
    }
  }
}

TEST(Compression, AllocatesNothingThatTheDataCannotJustify) {
  const std::string text = countingText(10);
  for (const Codec& codec : kCodecs) {
    std::string packed;
    codec.compress(asBytes(text), 1, packed);
    ScratchBuffer buffer;
    Bytes out;
    EXPECT_NE(codec.decompress(asBytes(packed), size_t{1} << 30, buffer, out), "") << codec.name;
    EXPECT_LE(buffer.capacity(), size_t{2} << 20) << codec.name;
  }
}

TEST(Compression, SaysSoWhenTheDataIsCutOrDamagedOrHasATail) {
  const std::string text = countingText(2000);
  for (const Codec& codec : kCodecs) {
    std::string packed;
    codec.compress(asBytes(text), 1, packed);
    ScratchBuffer buffer;
    Bytes out;
    for (size_t size = 0; size < packed.size(); size += 97)
      EXPECT_NE(codec.decompress(asBytes(packed).first(size), text.size(), buffer, out), "");
    EXPECT_NE(codec.decompress(asBytes(packed + "tail"), text.size(), buffer, out), "");
  }
}

}  // namespace
}  // namespace gs

// SPDX-License-Identifier: Apache-2.0
#include "gs/core/bytes.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "gs/core/error.hpp"
#include "gs/core/file.hpp"
#include "gs/core/testing/temp_dir.hpp"

namespace gs {
namespace {

TEST(ByteSource, FileAndMemoryAnswerAlike) {
  const testing::TempDir dir;
  writeFileAtomically(dir / "abc.bin", asBytes("abcdef"));
  const auto file = openFile(dir / "abc.bin");
  const auto memory = openMemory(asBytes("abcdef"));
  for (const ByteSource* source : {file.get(), memory.get()}) {
    EXPECT_EQ(source->size(), 6u);
    std::vector<std::byte> out(3);
    EXPECT_TRUE(source->readAt(2, out));
    EXPECT_EQ(asText(out), "cde");
    EXPECT_EQ(source->readSomeAt(5, out), 1u);
    EXPECT_FALSE(source->readAt(4, out));
    EXPECT_EQ(source->readSomeAt(~uint64_t{0}, out), 0u);
  }
}

TEST(ByteSource, SaysWhichFileItCannotOpen) {
  const testing::TempDir dir;
  try {
    openFile(dir / "absent.bin");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(error.report().message.find("absent.bin"), std::string::npos);
  }
  EXPECT_THROW(openFile(dir.path()), Error);
}

TEST(ByteCursor, NeverWalksPastTheEnd) {
  ByteCursor cursor(asBytes("\x01\x02\x03"));
  EXPECT_EQ(cursor.take<uint16_t>(), 0x0201);
  EXPECT_FALSE(cursor.take<uint16_t>());
  EXPECT_EQ(cursor.left(), 1u);
  EXPECT_FALSE(cursor.take(~size_t{0}));
  EXPECT_EQ(cursor.take<uint8_t>(), 3);
}

}  // namespace
}  // namespace gs

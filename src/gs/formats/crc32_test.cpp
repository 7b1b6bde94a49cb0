// SPDX-License-Identifier: Apache-2.0
#include "gs/formats/crc32.hpp"

#include <gtest/gtest.h>

#include "gs/core/rng.hpp"

namespace gs {
namespace {

TEST(Crc32, GivesTheCheckValueOfItsDefinition) {
  EXPECT_EQ(crc32Of(asBytes("123456789")), 0xCBF43926U);
  EXPECT_EQ(crc32Of({}), 0U);
}

TEST(Crc32, TheFoldedVersionAgreesWithZlibAtEveryLengthAndAlignment) {
  Rng rng(7);
  std::string text(1500, '\0');
  for (char& c : text) c = static_cast<char>(rng.uniform(0, 256));
  for (size_t begin = 0; begin < 17; ++begin) {
    for (size_t size = 0; begin + size <= text.size(); ++size) {
      const Bytes bytes = asBytes(text).subspan(begin, size);
      ASSERT_EQ(crc32Of(bytes, 12345), crc32Reference(bytes, 12345)) << begin << " " << size;
    }
  }
}

TEST(Crc32, MayBeFedInPieces) {
  const std::string text(1000, 'a');
  const Bytes bytes = asBytes(text);
  EXPECT_EQ(crc32Of(bytes.subspan(333), crc32Of(bytes.first(333))), crc32Of(bytes));
}

}  // namespace
}  // namespace gs

// SPDX-License-Identifier: Apache-2.0
#include "gs/core/hash.hpp"

#include <gtest/gtest.h>

namespace gs {
namespace {

TEST(Hash, MatchesThePublishedTestVectors) {
  EXPECT_EQ(hexDigest(HashKind::Md5, asBytes("")), "d41d8cd98f00b204e9800998ecf8427e");
  EXPECT_EQ(hexDigest(HashKind::Md5, asBytes("message digest")),
            "f96b697d7cb7938d525a2f31aaf161d0");
  EXPECT_EQ(hexDigest(HashKind::Sha256, asBytes("abc")),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(Hash, StreamingGivesTheSameAsAllAtOnce) {
  const std::string text(3'000'001, 'x');
  EXPECT_EQ(hexDigest(HashKind::Md5, *openMemory(asBytes(text))),
            hexDigest(HashKind::Md5, asBytes(text)));
}

}  // namespace
}  // namespace gs

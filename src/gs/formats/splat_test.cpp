// SPDX-License-Identifier: Apache-2.0
#include "gs/formats/splat.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gs/core/error.hpp"

namespace gs {
namespace {

using ::testing::ElementsAre;

// x y z = 1 2 3, scales 0.5 0.25 2, colour 10 20 30 40, rotation w x y z = 255 128 0 64.
std::string oneSplat() {
  std::string file;
  appendBytes(file, std::array{1.f, 2.f, 3.f, 0.5f, 0.25f, 2.f});
  appendBytes(file, std::array<uint8_t, 8>{10, 20, 30, 40, 255, 128, 0, 64});
  return file;
}

TEST(Splat, ReadsTheFieldsOfARecord) {
  const std::string file = oneSplat();
  int calls = 0;
  readSplatRecords(*openMemory(asBytes(file)), [&](uint64_t first, std::span<const SplatRecord> r) {
    ++calls;
    EXPECT_EQ(first, 0u);
    ASSERT_EQ(r.size(), 1u);
    EXPECT_THAT(r[0].position, ElementsAre(1.f, 2.f, 3.f));
    EXPECT_THAT(r[0].scale, ElementsAre(0.5f, 0.25f, 2.f));
    EXPECT_THAT(r[0].rgba, ElementsAre(10, 20, 30, 40));
    EXPECT_THAT(r[0].rotationXyzw(), ElementsAre(0.f, -1.f, -0.5f, 127.f / 128.f));
  });
  EXPECT_EQ(calls, 1);
}

TEST(Splat, HandsOutEveryRecordOnce) {
  const size_t count = 20001;
  std::string file;
  for (size_t i = 0; i < count; ++i) {
    std::string record = oneSplat();
    const auto x = static_cast<float>(i);
    std::memcpy(record.data(), &x, sizeof x);
    file += record;
  }
  std::vector<float> xs(count, -1.f);
  readSplatRecords(*openMemory(asBytes(file)),
                   [&](uint64_t first, std::span<const SplatRecord> records) {
                     for (size_t i = 0; i < records.size(); ++i)
                       xs[first + i] = records[i].position[0];
                   });
  for (size_t i = 0; i < count; ++i) ASSERT_EQ(xs[i], static_cast<float>(i));
}

TEST(Splat, RefusesSizesThatHoldNoWholeRecords) {
  for (const std::string& file : {std::string(), oneSplat() + "x", oneSplat().substr(1)})
    EXPECT_THROW(countSplatRecords(*openMemory(asBytes(file))), Error) << file.size();
}

}  // namespace
}  // namespace gs

// SPDX-License-Identifier: Apache-2.0
#include "gs/formats/png.hpp"

#include <gtest/gtest.h>

#include "gs/core/error.hpp"
#include "gs/core/rng.hpp"

namespace gs {
namespace {

Image8 noise(int width, int height, int channels) {
  Image8 image(width, height, channels);
  Rng rng(9);
  for (uint8_t& value : image.pixels) value = static_cast<uint8_t>(rng.below(256));
  return image;
}

TEST(Png, KeepsEveryPixel) {
  for (const int channels : {1, 3, 4}) {
    const Image8 image = noise(33, 17, channels);
    EXPECT_EQ(decodePng(asBytes(encodePng(image)), "x"), image);
  }
}

TEST(Png, SizeIsKnownWithoutDecoding) {
  const std::string png = encodePng(noise(33, 17, 4));
  EXPECT_EQ(findPngSize(asBytes(png)), (ImageSize{33, 17}));
  EXPECT_EQ(findPngSize(asBytes(std::string_view(png).substr(0, 24))), (ImageSize{33, 17}));
  EXPECT_EQ(findPngSize(asBytes(std::string_view(png).substr(0, 23))), std::nullopt);
  EXPECT_EQ(findPngSize(asBytes("no png")), std::nullopt);
  std::string negative = png;
  negative[16] = '\x80';
  EXPECT_EQ(findPngSize(asBytes(negative)), std::nullopt);
}

TEST(Png, RefusesDamage) {
  const std::string good = encodePng(noise(64, 64, 3));
  EXPECT_THROW(decodePng(asBytes(""), "x"), Error);
  EXPECT_THROW(decodePng(asBytes(std::string_view(good).substr(0, good.size() / 2)), "x"), Error);
  std::string flipped = good;
  flipped[flipped.size() / 2] = static_cast<char>(flipped[flipped.size() / 2] ^ 0x40);
  EXPECT_THROW(decodePng(asBytes(flipped), "x"), Error);
}

}  // namespace
}  // namespace gs

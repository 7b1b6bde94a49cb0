// SPDX-License-Identifier: Apache-2.0
#include "gs/formats/image_codec.hpp"

#include <cstdlib>

#include <gtest/gtest.h>

#include "gs/core/error.hpp"
#include "gs/formats/png.hpp"
#include "gs/msgs/sensor_msgs.hpp"

namespace gs {
namespace {

using Pixels = std::vector<uint8_t>;

Pixels decoded(std::string_view encoding, uint32_t width, const Pixels& data,
               bool is_bigendian = false, uint32_t height = 1) {
  const auto step = static_cast<uint32_t>(data.size() / height);
  return decodeRawImage({.width = width,
                         .height = height,
                         .encoding = encoding,
                         .is_bigendian = is_bigendian,
                         .step = step,
                         .data = std::as_bytes(std::span(data))},
                        "/camera")
      .pixels;
}

TEST(RawImage, ColoursBecomeRgb) {
  EXPECT_EQ(decoded("rgb8", 2, {1, 2, 3, 4, 5, 6}), (Pixels{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(decoded("bgr8", 2, {1, 2, 3, 4, 5, 6}), (Pixels{3, 2, 1, 6, 5, 4}));
  EXPECT_EQ(decoded("8UC3", 1, {1, 2, 3}), (Pixels{3, 2, 1}));
  EXPECT_EQ(decoded("rgba8", 1, {1, 2, 3, 9}), (Pixels{1, 2, 3}));
  EXPECT_EQ(decoded("bgra8", 1, {1, 2, 3, 9}), (Pixels{3, 2, 1}));
}

TEST(RawImage, GreyStaysGrey) {
  EXPECT_EQ(decoded("mono8", 2, {1, 2}), (Pixels{1, 2}));
  EXPECT_EQ(decoded("mono16", 2, {0xcd, 0xab, 0x00, 0x01}), (Pixels{0xab, 0x01}));
  EXPECT_EQ(decoded("mono16", 2, {0xab, 0xcd, 0x01, 0x00}, true), (Pixels{0xab, 0x01}));
}

TEST(RawImage, RowPaddingIsSkipped) {
  EXPECT_EQ(decoded("mono8", 2, {1, 2, 99, 3, 4, 99}, false, 2), (Pixels{1, 2, 3, 4}));
}

TEST(RawImage, YuvIsStudioRange) {
  // Black, white and grey have no colour; 81 90 240 is BT.601's pure red.
  EXPECT_EQ(decoded("yuv422", 2, {128, 16, 128, 235}), (Pixels{0, 0, 0, 255, 255, 255}));
  EXPECT_EQ(decoded("yuv422_yuy2", 2, {16, 128, 235, 128}), (Pixels{0, 0, 0, 255, 255, 255}));
  const Pixels red = decoded("uyvy", 2, {90, 81, 240, 81});
  EXPECT_NEAR(red[0], 255, 2);
  EXPECT_NEAR(red[1], 0, 2);
  EXPECT_NEAR(red[2], 0, 2);
}

TEST(RawImage, ABayerMosaicOfOneColourIsThatColourEverywhere) {
  constexpr uint8_t kRed = 200, kGreen = 100, kBlue = 50;
  for (const std::string pattern : {"rggb", "bggr", "gbrg", "grbg"}) {
    Pixels mosaic(6 * 5);
    for (size_t i = 0; i < mosaic.size(); ++i) {
      const char colour = pattern[2 * (i / 6 % 2) + i % 6 % 2];
      mosaic[i] = colour == 'r' ? kRed : colour == 'g' ? kGreen : kBlue;
    }
    const Pixels rgb = decoded("bayer_" + pattern + "8", 6, mosaic, false, 5);
    for (size_t i = 0; i < rgb.size(); i += 3)
      ASSERT_EQ((Pixels{rgb[i], rgb[i + 1], rgb[i + 2]}), (Pixels{kRed, kGreen, kBlue}))
          << pattern << " " << i / 3;
  }
}

TEST(RawImage, BayerKeepsSamplesAndInterpolatesBetweenThem) {
  // R 0 R / 0 0 0 / R 0 R in rggb: the middle is blue, its red the mean of four corners.
  const Pixels rgb = decoded("bayer_rggb8", 3, {10, 0, 20, 0, 77, 0, 30, 0, 40}, false, 3);
  EXPECT_EQ(rgb[3 * 4 + 0], 25);
  EXPECT_EQ(rgb[3 * 4 + 2], 77);
  EXPECT_EQ(rgb[3 * 1 + 0], 15);
}

TEST(RawImage, RefusesWhatDoesNotFit) {
  const Pixels data(12);
  const RawImage good{.width = 2,
                      .height = 2,
                      .encoding = "rgb8",
                      .step = 6,
                      .data = std::as_bytes(std::span(data))};
  EXPECT_NO_THROW(decodeRawImage(good, ""));
  RawImage bad = good;
  bad.step = 5;
  EXPECT_THROW(decodeRawImage(bad, ""), Error);
  bad = good;
  bad.height = 3;
  EXPECT_THROW(decodeRawImage(bad, ""), Error);
  bad.height = bad.width = bad.step = 0xffffffff;
  EXPECT_THROW(decodeRawImage(bad, ""), Error);
  bad = good;
  bad.width = 0;
  EXPECT_THROW(decodeRawImage(bad, ""), Error);
  for (const char* name : {"32FC1", "", "bayer", "mono16 big endian", "bayer_rggb16"}) {
    bad = good;
    bad.encoding = name;
    EXPECT_THROW(decodeRawImage(bad, ""), Error) << name;
  }
  EXPECT_THROW(decoded("yuyv", 1, {1, 2, 3, 4}), Error);
}

TEST(RawImage, AMessageIsReadInPlace) {
  msgs::Image message;
  message.width = 1;
  message.height = 1;
  message.step = 3;
  message.encoding = "bgr8";
  message.data = {1, 2, 3};
  EXPECT_EQ(decodeRawImage(viewImage(message), "/camera").pixels, (Pixels{3, 2, 1}));
}

Image8 smoothImage(int channels) {
  Image8 image(37, 23, channels);
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x)
      for (int c = 0; c < channels; ++c)
        image.at(x, y)[c] = static_cast<uint8_t>(40 + 4 * x + 2 * y + 20 * c);
  return image;
}

TEST(Jpeg, ASmoothImageSurvives) {
  for (const int channels : {1, 3}) {
    const Image8 image = smoothImage(channels);
    const Image8 again = decodeJpeg(encodeJpeg(image, 95), "test.jpg");
    ASSERT_EQ(again.pixels.size(), image.pixels.size());
    for (size_t i = 0; i < image.pixels.size(); ++i)
      ASSERT_LE(std::abs(int{image.pixels[i]} - int{again.pixels[i]}), 12) << i;
  }
}

TEST(Jpeg, SizeIsKnownWithoutDecoding) {
  const auto bytes = encodeJpeg(smoothImage(3), 50);
  EXPECT_EQ(findJpegSize(bytes), (ImageSize{37, 23}));
  EXPECT_EQ(findJpegSize(asBytes("no jpeg")), std::nullopt);
}

TEST(Jpeg, TheSameImageGivesTheSameBytes) {
  EXPECT_EQ(encodeJpeg(smoothImage(3)), encodeJpeg(smoothImage(3)));
}

TEST(Jpeg, HalfAnImageIsAnErrorUnlessAskedFor) {
  auto bytes = encodeJpeg(smoothImage(3));
  bytes.resize(bytes.size() - 100);  // behind the headers, before the end
  EXPECT_THROW(decodeJpeg(bytes, "half.jpg"), Error);
  EXPECT_EQ(decodeJpeg(bytes, "half.jpg", DamagedJpeg::Accept).width, 37);
}

TEST(Jpeg, ATinyFileCannotClaimAHugeImage) {
  auto bytes = encodeJpeg(smoothImage(1));
  for (size_t i = 0; i + 8 < bytes.size();
       ++i)  // the frame header: FF C0, length, 8, height, width
    if (bytes[i] == std::byte{0xff} && bytes[i + 1] == std::byte{0xc0})
      for (size_t k = 5; k < 9; ++k) bytes[i + k] = std::byte{0x3f};
  ASSERT_EQ(findJpegSize(bytes)->width, 0x3f3f);
  try {
    decodeJpeg(bytes, "bomb.jpg", DamagedJpeg::Accept);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.report().message,
              "'bomb.jpg' is not a usable JPEG: it claims more pixels than it can hold");
  }
}

TEST(CompressedImage, JpegAndPngAreToldApartByTheirBytes) {
  const Image8 image = smoothImage(3);
  EXPECT_EQ(decodeCompressedImage(asBytes(encodePng(image)), ""), image);
  EXPECT_EQ(decodeCompressedImage(encodeJpeg(image), "").width, image.width);
  EXPECT_THROW(decodeCompressedImage(asBytes("GIF89a"), ""), Error);
  EXPECT_THROW(decodeCompressedImage({}, ""), Error);
}

}  // namespace
}  // namespace gs

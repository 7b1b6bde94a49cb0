// SPDX-License-Identifier: Apache-2.0
#include "gs/render/depth_picture.hpp"

#include <cmath>
#include <limits>
#include <set>

#include <gtest/gtest.h>

namespace gs {
namespace {

// A road that comes from 4 m to 40 m, a speck before the lens, and sky above.
ImageF road() {
  ImageF depth(100, 60, 1);
  for (int y = 20; y < 60; ++y)
    for (int x = 0; x < 100; ++x)
      *depth.at(x, y) = 4 * std::pow(10.0f, static_cast<float>(59 - y) / 39);
  *depth.at(50, 59) = 0.05f;
  *depth.at(50, 20) = 900.0f;
  return depth;
}

TEST(DepthPicture, UsesAllColoursForWhatTheImageShowsNotForSpecks) {
  const ImageF depth = road();
  const DepthSpan span = spanOf(depth);
  EXPECT_NEAR(span.near, 4, 0.5);
  EXPECT_NEAR(span.far, 40, 4);
  const Image8 picture = drawDepth(depth);
  EXPECT_EQ(picture.channels, 3);
  EXPECT_EQ(picture.width, 100);
  EXPECT_EQ(picture.height, 60 + kDepthLegend);
  std::set<std::array<uint8_t, 3>> colors;
  for (int y = 20; y < 60; ++y) {
    const uint8_t* pixel = picture.at(10, y);
    colors.insert({pixel[0], pixel[1], pixel[2]});
  }
  EXPECT_GT(colors.size(), 35u);  // every row of the road can be told from the others
  EXPECT_GT(picture.at(10, 58)[0], picture.at(10, 58)[2] + 60);  // near is red
  EXPECT_GT(picture.at(10, 22)[2], picture.at(10, 22)[1] + 60);  // far is blue
  EXPECT_EQ(picture.at(10, 5)[0] + picture.at(10, 5)[1] + picture.at(10, 5)[2], 0);
}

TEST(DepthPicture, SurvivesImagesWithoutDepthAndWithOneDepthOnly) {
  EXPECT_EQ(spanOf(ImageF(8, 4, 1)).near, 0);
  drawDepth(ImageF(8, 4, 1));
  ImageF flat(8, 4, 1);
  std::fill(flat.pixels.begin(), flat.pixels.end(), 5.0f);
  flat.pixels[3] = std::numeric_limits<float>::quiet_NaN();
  flat.pixels[4] = std::numeric_limits<float>::infinity();
  EXPECT_GT(drawDepth(flat).at(0, 0)[0], 0);
}

}  // namespace
}  // namespace gs

// SPDX-License-Identifier: Apache-2.0
#include "gs/train/residual_map.hpp"

#include <gtest/gtest.h>

#include "gs/train/depth_loss.hpp"

namespace gs {
namespace {

PlanarImage plain(int width, int height, float value) {
  PlanarImage image;
  image.resize(width, height);
  for (auto& plane : image.planes) std::fill(plane.begin(), plane.end(), value);
  return image;
}

TEST(ResidualMap, FindsTheBlockThatStaysWrong) {
  const PlanarImage target = plain(70, 40, 0.5f);  // neither side is a multiple of a block
  PlanarImage seen = plain(70, 40, 0.52f);
  for (int y = 32; y < 40; ++y)
    for (int x = 64; x < 70; ++x) seen.row(1, y)[x] = 1;
  ResidualMap residual;
  for (int visit = 0; visit < 2; ++visit) {
    addResiduals(seen, target, {}, 1, residual);
    EXPECT_TRUE(badBlocks(residual).empty()) << "after so few visits it may just be untrained";
  }
  addResiduals(seen, target, {}, 1, residual);
  const std::vector<uint8_t> is_bad = badBlocks(residual);
  ASSERT_EQ(is_bad.size(), 15u);
  for (size_t i = 0; i < is_bad.size(); ++i) EXPECT_EQ(is_bad[i], i == 14 ? 1 : 0);

  for (int visit = 0; visit < 5; ++visit) addResiduals(target, target, {}, 1, residual);
  EXPECT_TRUE(badBlocks(residual).empty()) << "once explained it counts again";
}

TEST(ResidualMap, LeavesOutWhatIsMaskedAndBeginsAnewAtAnotherResolution) {
  const PlanarImage target = plain(32, 16, 0);
  PlanarImage seen = plain(32, 16, 0.01f);
  for (int x = 0; x < 8; ++x) seen.row(0, 3)[x] = 1;
  Image8 mask(32, 16, 1);
  std::fill(mask.pixels.begin(), mask.pixels.end(), uint8_t{255});
  for (int x = 0; x < 8; ++x) *mask.at(x, 3) = 0;
  ResidualMap residual;
  addResiduals(seen, target, mask, 1, residual);
  EXPECT_NEAR(residual.error[0], 0.01f, 1e-6f);
  addResiduals(plain(16, 8, 0.5f), plain(16, 8, 0), {}, 2, residual);
  EXPECT_EQ(residual.columns, 2);  // the same blocks, in smaller pixels
  EXPECT_EQ(residual.visits, 2);
  addResiduals(plain(10, 8, 0.5f), plain(10, 8, 0), {}, 4, residual);
  EXPECT_EQ(residual.columns, 3);
  EXPECT_EQ(residual.visits, 1);
}

TEST(DepthLoss, PullsTheSurfaceToTheMeasurementUnlessItMeansAnother) {
  PlanarImage extras = plain(4, 1, 0);
  const float depths[] = {11, 9, 20, 10};  // against 10 m; the third is another surface
  for (int x = 0; x < 4; ++x) extras.row(1, 0)[x] = depths[x];
  extras.row(0, 0)[3] = 0.9f;  // hardly anything is there
  PlanarImage by_extras = plain(4, 1, 0);
  const std::vector<DepthSample> samples{{0, 0, 10}, {1, 0, 10}, {2, 0, 10}, {3, 0, 10}};
  const double loss = depthLoss(extras, samples, 4, by_extras);
  EXPECT_NEAR(loss, 0.1 + 0.1, 1e-6);
  EXPECT_NEAR(by_extras.row(1, 0)[0], 0.1, 1e-6);
  EXPECT_NEAR(by_extras.row(1, 0)[1], -0.1, 1e-6);
  EXPECT_EQ(by_extras.row(1, 0)[2], 0);
  EXPECT_EQ(by_extras.row(1, 0)[3], 0);
  EXPECT_EQ(depthLoss(extras, {}, 4, by_extras), 0);
}

TEST(DepthLoss, LooksBetweenPixelsAndNotAcrossEdges) {
  // A road, with its horizon ten rows above the image, and a post before it in column 6.
  PlanarImage extras = plain(8, 8, 0);
  for (int y = 0; y < 8; ++y)
    for (int x = 0; x < 8; ++x)
      extras.row(1, y)[x] = x == 6 ? 5.0f : 300.0f / static_cast<float>(10 + y);
  PlanarImage by_extras = plain(8, 8, 0);
  const std::vector<DepthSample> on_road{{2.3f, 3.5f, 300.0f / 13.5f}};
  EXPECT_NEAR(depthLoss(extras, on_road, 1, by_extras), 0, 1e-6);
  const std::vector<DepthSample> on_post{{5.8f, 3.4f, 5.0f}};
  EXPECT_NEAR(depthLoss(extras, on_post, 1, by_extras), 0, 1e-6);

  // The derivative is that of the loss.
  const std::vector<DepthSample> nearer{{2.3f, 3.4f, 20.0f}};
  by_extras = plain(8, 8, 0);
  for (int y = 0; y < 8; ++y)  // as if a tenth were transparent
    for (int x = 0; x < 8; ++x) extras.row(0, y)[x] = 0.1f, extras.row(1, y)[x] *= 0.9f;
  const double loss = depthLoss(extras, nearer, 1, by_extras);
  EXPECT_GT(loss, 0.05);
  for (const size_t plane : {0, 1})
    for (const auto& [x, y] : {std::pair(2, 3), std::pair(3, 4)}) {
      const float step = plane == 0 ? 0.002f : 0.02f;
      PlanarImage changed = extras, ignored = plain(8, 8, 0);
      changed.row(plane, y)[x] += step;
      EXPECT_NEAR((depthLoss(changed, nearer, 1, ignored) - loss) / step,
                  by_extras.row(plane, y)[x], 1e-3)
          << plane << ' ' << x << ' ' << y;
    }
}

}  // namespace
}  // namespace gs

// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "gs/core/parallel.hpp"
#include "gs/core/rng.hpp"
#include "gs/render/depth_sort.hpp"
#include "gs/render/half_float.hpp"
#include "gs/render/image_metrics.hpp"
#include "gs/render/kernels/project_splats.hpp"
#include "gs/render/reference_renderer.hpp"
#include "gs/render/sky.hpp"
#include "gs/render/testing/small_clouds.hpp"
#include "gs/render/tile_binning.hpp"
#include "gs/render/view_frustum.hpp"

// The steps of the fast path, each against its definition.
namespace gs {
namespace {

TEST(HalfFloat, ComesBackWithinOnePartInTwoThousand) {
  Rng rng(1);
  for (int n = 0; n < 10000; ++n) {
    const auto value =
        static_cast<float>(std::ldexp(rng.uniform(-1, 1), static_cast<int>(rng.below(30)) - 15));
    EXPECT_NEAR(floatFromHalf(halfFromFloat(value)), value, std::abs(value) / 2048 + 3e-8);
  }
  for (const float exact : {0.0f, 1.0f, -2.5f, 65504.0f, 0x1p-24f, 0x1p-14f})
    EXPECT_EQ(floatFromHalf(halfFromFloat(exact)), exact);
}

TEST(DepthSort, OrdersByDepthAndKeepsEqualOnesAsTheyCame) {
  Rng rng(2);
  const DepthKeys depth_keys(0.1f, 1000);
  EXPECT_EQ(depth_keys.bits(), 27);
  AlignedVector<DepthKey> keys, scratch;
  std::vector<float> depths;
  for (uint32_t i = 0; i < 200000; ++i) {
    depths.push_back(static_cast<float>(std::exp(rng.uniform(std::log(0.1), std::log(1000)))));
    keys.push_back({depth_keys.keyOf(depths.back()), i});
  }
  sortByDepth(keys, depth_keys.bits(), scratch);
  for (size_t i = 1; i < keys.size(); ++i) {
    ASSERT_LE(keys[i - 1].key, keys[i].key);
    ASSERT_TRUE(keys[i - 1].key < keys[i].key || keys[i - 1].index < keys[i].index);
    ASSERT_LE(depths[keys[i - 1].index], depths[keys[i].index]);
  }
}

// Truth for binning: does any pixel centre of the tile lie in the ellipse?
bool touches(const ProjectedSplat& s, int column, int row) {
  for (int y = row * kTileSize; y < (row + 1) * kTileSize; ++y)
    for (int x = column * kTileSize; x < (column + 1) * kTileSize; ++x) {
      const double dx = x - static_cast<double>(s.x), dy = y - static_cast<double>(s.y);
      const double u = dx + static_cast<double>(s.shear) * dy;
      if (s.log2_opacity + s.a * u * u + s.e * dy * dy >= -kLog2Of255) return true;
    }
  return false;
}

TEST(TileBins, GiveEachTileTheSplatsThatTouchItInOrder) {
  const GaussianCloud cloud = testing::randomCloud(1500, 0, 3);
  const SplatScene scene = makeSplatScene(cloud);
  const Camera camera = testing::pinhole(300, 200, 150);
  const ProjectionView view(Lens(camera), camera, {}, {});
  std::vector<ProjectedSplat> splats(scene.clusters.size() * kClusterSize);
  std::vector<TileRange> ranges(splats.size());
  std::vector<float> depths(splats.size());
  size_t count = 0;
  for (size_t cluster = 0; cluster < scene.clusters.size(); ++cluster)
    count += projectCluster(scene, cluster, view, {&splats[count], &ranges[count], &depths[count]});
  splats.resize(count);
  ranges.resize(count);
  ASSERT_GT(count, 300u);
  const TileGrid grid(camera.width, camera.height);
  TileBins bins;
  EXPECT_EQ(bins.fill(grid, splats, ranges, 0, {}, 1 << 20), count);
  size_t spare = 0, needed = 0;
  for (int row = 0; row < grid.rows; ++row)
    for (int column = 0; column < grid.columns; ++column) {
      const auto ids = bins.splatsOf(static_cast<size_t>(row * grid.columns + column));
      EXPECT_TRUE(std::is_sorted(ids.begin(), ids.end()));
      for (uint32_t i = 0; i < count; ++i) {
        const bool is_there = std::binary_search(ids.begin(), ids.end(), i);
        const bool is_needed = touches(splats[i], column, row);
        EXPECT_TRUE(is_there || !is_needed) << "splat " << i << " tile " << column << ", " << row;
        spare += is_there && !is_needed;
        needed += is_needed;
      }
    }
  EXPECT_LT(spare, needed / 5);
}

TEST(TileBins, StopWhereTheMemoryEndsAndGoOnFromThere) {
  std::vector<ProjectedSplat> splats(50000, {100, 100, -1e-6f, 0, -1e-6f, 0, {}});
  std::vector<TileRange> ranges(splats.size(), {0, 9, 0, 9});
  const TileGrid grid(320, 320);
  TileBins bins;
  std::vector<size_t> seen(grid.size());
  size_t next = 0;
  int passes = 0;
  while (next < splats.size()) {
    const size_t before = next;
    next = bins.fill(grid, splats, ranges, next, {}, 800000);
    ASSERT_GT(next, before);
    EXPECT_LT(bins.entryCount(), 3 * 800000u);
    ++passes;
    for (size_t tile = 0; tile < grid.size(); ++tile) {
      const auto ids = bins.splatsOf(tile);
      ASSERT_EQ(ids.size(), next - before);
      EXPECT_EQ(ids.front(), before);
      seen[tile] += ids.size();
    }
  }
  EXPECT_GT(passes, 3);
  for (const size_t n : seen) EXPECT_EQ(n, splats.size());
}

TEST(ViewFrustum, NeverHidesASplatThatWouldBeDrawn) {
  Rng rng(4);
  const std::vector<Camera> cameras = {testing::pinhole(160, 90, 60), testing::radtan(160, 90, 60),
                                       testing::rational(160, 90, 60),
                                       testing::fisheye(128, 128, 128 / M_PI)};
  const GaussianCloud cloud = testing::randomCloud(4000, 0, 5, 20);
  size_t drawn = 0, hidden = 0;
  for (int n = 0; n < 40; ++n) {
    const Camera& camera = cameras[static_cast<size_t>(n) % cameras.size()];
    const Lens lens(camera);
    const Rigid3 pose{Quat(rng.normal(), rng.normal(), rng.normal(), rng.normal()).normalized(),
                      Vec3(rng.uniform(-15, 15), rng.uniform(-15, 15), rng.uniform(0, 40))};
    const RenderSettings settings;
    const ViewFrustum frustum(lens, pose, settings.near_plane, settings.far_plane);
    for (size_t i = 0; i < cloud.size(); ++i) {
      const auto splat = projectReference(cloud, i, lens, pose, settings);
      bool shows = false;
      if (splat) {
        const double reach2 = 2 * std::log(255 * splat->opacity);
        const Vec2 half = (reach2 * splat->covariance.diagonal()).cwiseSqrt();
        shows = splat->px.x() + half.x() >= 0 && splat->px.x() - half.x() <= camera.width - 1 &&
                splat->px.y() + half.y() >= 0 && splat->px.y() - half.y() <= camera.height - 1;
      }
      SplatBox box;
      for (size_t axis = 0; axis < 3; ++axis)
        box.low[axis] = box.high[axis] = cloud.position[axis][i];
      const float longest =
          std::exp(std::max({cloud.log_scale[0][i], cloud.log_scale[1][i], cloud.log_scale[2][i]}));
      const double opacity = 1 / (1 + std::exp(-cloud.logit_opacity[i]));
      box.reach =
          longest * static_cast<float>(std::sqrt(2 * std::log(std::max(1.0, 255 * opacity))));
      const bool may_see = frustum.maySee(box);
      EXPECT_TRUE(may_see || !shows) << "view " << n << " splat " << i;
      drawn += shows;
      hidden += !may_see;
    }
  }
  EXPECT_GT(drawn, 10000u);
  EXPECT_GT(hidden, 60000u);  // and hides most of what is not in view
}

TEST(SplatScene, KeepsFarAwaySplatsFromSpoilingTheClusters) {
  GaussianCloud cloud = testing::randomCloud(20000, 0, 6, 30);
  testing::append(cloud, {.position = {5e6, 0, 0}});
  testing::append(cloud, {.position = {0, 0, 0}, .scale = {500, 500, 500}});
  const SplatScene scene = makeSplatScene(cloud);
  EXPECT_EQ(scene.count + scene.dropped, cloud.size());
  size_t small = 0;
  for (const SplatBox& box : scene.clusters)
    small += std::hypot(box.high[0] - box.low[0], box.high[1] - box.low[1]) < 40 && box.reach < 2;
  EXPECT_GT(small, scene.clusters.size() * 2 / 3);
}

TEST(Sky, IsWhereTheDocumentSaysItIs) {
  Image8 image(8, 4, 3);
  const auto paint = [&](int x, int y, uint8_t value) { image.at(x, y)[0] = value; };
  for (int x = 0; x < 8; ++x) paint(x, 0, 250);  // up
  paint(3, 1, 100), paint(4, 1, 100);            // ahead, above the horizon
  paint(5, 1, 200), paint(6, 1, 200);            // right of it: towards -y
  const Sky sky(image);
  EXPECT_NEAR(sky.colorAt(Vec3f(0, 0, 1)).x(), 250 / 255.0, 1e-3);
  EXPECT_NEAR(sky.colorAt(Vec3f(1, 0, 0.41421f)).x(), 100 / 255.0, 1e-3);
  EXPECT_NEAR(sky.colorAt(Vec3f(0, -2, 0.82843f)).x(), 200 / 255.0, 1e-3);
  EXPECT_NEAR(sky.colorAt(Vec3f(-1, 1e-6f, -0.5f)).x(), 0, 1e-3);
}

TEST(ImageMetrics, KnowEqualAndDifferentImages) {
  Image8 a(40, 30, 3);
  Rng rng(7);
  for (uint8_t& p : a.pixels) p = static_cast<uint8_t>(rng.below(200));
  Image8 b = a;
  EXPECT_TRUE(std::isinf(differenceBetween(a, b).psnr_db));
  EXPECT_NEAR(ssim(a, b), 1, 1e-6);
  for (uint8_t& p : b.pixels) p = static_cast<uint8_t>(p + 10);
  EXPECT_NEAR(differenceBetween(a, b).psnr_db, 20 * std::log10(25.5), 1e-9);
  EXPECT_EQ(differenceBetween(a, b).largest, 10);
  EXPECT_EQ(differenceBetween(a, b).within_two, 0);
  EXPECT_LT(ssim(a, b), 0.999);
  for (uint8_t& p : b.pixels) p = static_cast<uint8_t>(rng.below(200));
  EXPECT_LT(ssim(a, b), 0.2);
}

TEST(ImageMetrics, JudgeAPartOfAnImageByItsMask) {
  Image8 a(64, 32, 3), b(64, 32, 3), left(64, 32, 1), right(64, 32, 1);
  Rng rng(7);
  for (uint8_t& p : a.pixels) p = static_cast<uint8_t>(rng.below(200));
  b = a;
  for (int y = 0; y < 32; ++y)
    for (int x = 0; x < 64; ++x) {
      (x < 32 ? left : right).at(x, y)[0] = 255;
      for (int c = 0; c < 3; ++c)
        b.at(x, y)[c] = static_cast<uint8_t>(b.at(x, y)[c] + (x < 32 ? 0 : 10));
    }
  const ImageF map = ssimMap(a, b);
  EXPECT_NEAR(map.at(10, 16)[0], 1, 1e-5);  // farther from the change than the window reaches
  const MaskedSimilarity same = similarityWhere(left, a, b, map);
  const MaskedSimilarity other = similarityWhere(right, a, b, map);
  EXPECT_EQ(same.psnr_db, kMaxPsnrDb);
  EXPECT_EQ(same.pixels, 32u * 32u);
  EXPECT_NEAR(other.psnr_db, 20 * std::log10(25.5), 1e-9);
  EXPECT_NEAR((same.ssim + other.ssim) / 2, ssim(a, b), 1e-6);
  EXPECT_EQ(similarityWhere(Image8(64, 32, 1), a, b, map).pixels, 0u);
}

}  // namespace
}  // namespace gs

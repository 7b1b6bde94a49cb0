// SPDX-License-Identifier: Apache-2.0
#include "gs/train/kernels/image_loss.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "gs/core/image.hpp"
#include "gs/core/parallel.hpp"
#include "gs/core/rng.hpp"
#include "gs/render/kernels/simd_targets.hpp"

namespace gs {
namespace {

PlanarImage randomImage(int width, int height, uint64_t seed) {
  Rng rng(seed);
  PlanarImage image;
  image.resize(width, height);
  for (size_t c = 0; c < 3; ++c)
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) image.row(c, y)[x] = static_cast<float>(rng.uniform());
  return image;
}

// From the formula, in double precision: window of 11, sigma 1.5, zeros beyond the border.
double ssimOf(const PlanarImage& x, const PlanarImage& y) {
  double window[11], total = 0;
  for (int k = 0; k < 11; ++k) total += window[k] = std::exp(-(k - 5) * (k - 5) / 4.5);
  for (double& w : window) w /= total;
  double sum = 0;
  for (size_t c = 0; c < 3; ++c)
    for (int j = 0; j < x.height; ++j)
      for (int i = 0; i < x.width; ++i) {
        double mx = 0, my = 0, xx = 0, yy = 0, xy = 0;
        for (int v = -5; v <= 5; ++v)
          for (int u = -5; u <= 5; ++u) {
            if (i + u < 0 || j + v < 0 || i + u >= x.width || j + v >= x.height) continue;
            const double w = window[u + 5] * window[v + 5];
            const double a = x.row(c, j + v)[i + u], b = y.row(c, j + v)[i + u];
            mx += w * a, my += w * b, xx += w * a * a, yy += w * b * b, xy += w * a * b;
          }
        sum += (2 * mx * my + 1e-4) * (2 * (xy - mx * my) + 9e-4) /
               ((mx * mx + my * my + 1e-4) * (xx - mx * mx + yy - my * my + 9e-4));
      }
  return sum / (3.0 * x.width * x.height);
}

double lossOf(const PlanarImage& x, const PlanarImage& y, double ssim_weight) {
  double l1 = 0;
  for (size_t c = 0; c < 3; ++c)
    for (int j = 0; j < x.height; ++j)
      for (int i = 0; i < x.width; ++i) l1 += std::abs(x.row(c, j)[i] - y.row(c, j)[i]);
  return (1 - ssim_weight) * l1 / (3.0 * x.width * x.height) + ssim_weight * (1 - ssimOf(x, y));
}

TEST(ImageLoss, IsTheFormulaOnEveryInstructionSet) {
  for (const auto& [width, height] : {std::pair(1, 1), {7, 5}, {16, 16}, {37, 23}, {65, 110}}) {
    const PlanarImage x = randomImage(width, height, 1), y = randomImage(width, height, 2);
    for (const std::string& target : simdTargets()) {
      SCOPED_TRACE(target + " " + std::to_string(width) + " x " + std::to_string(height));
      useSimdTarget(target);
      PlanarImage gradient;
      const ImageLoss value = imageLoss(x, y, 0.3, gradient);
      EXPECT_NEAR(value.loss, lossOf(x, y, 0.3), 1e-5);
      EXPECT_NEAR(value.ssim, ssimOf(x, y), 1e-5);
    }
    useSimdTarget("");
  }
}

TEST(ImageLoss, HasTheSlopeThatItSays) {
  PlanarImage x = randomImage(19, 14, 3), gradient;
  const PlanarImage y = randomImage(19, 14, 4);
  imageLoss(x, y, 0.4, gradient);
  double error2 = 0, length2 = 0;
  for (size_t c = 0; c < 3; ++c)
    for (int j = 0; j < x.height; ++j)
      for (int i = 0; i < x.width; ++i) {
        float& value = x.row(c, j)[i];
        const float kept = value;
        value = kept + 1.0f / 512;
        const double high = lossOf(x, y, 0.4), above = value;
        value = kept - 1.0f / 512;
        const double low = lossOf(x, y, 0.4), below = value;
        value = kept;
        if (std::abs(kept - y.row(c, j)[i]) < 1.0f / 256) continue;  // the corner of |x - y|
        const double slope = (high - low) / (above - below);
        error2 += std::pow(gradient.row(c, j)[i] - slope, 2);
        length2 += slope * slope;
      }
  EXPECT_LT(std::sqrt(error2 / length2), 1e-3);  // the differences are good to that
}

TEST(ImageLoss, IsZeroAndFlatBetweenEqualImages) {
  const PlanarImage x = randomImage(40, 30, 5);
  PlanarImage gradient;
  const ImageLoss value = imageLoss(x, x, 0.2, gradient);
  EXPECT_NEAR(value.loss, 0, 1e-6);
  for (const auto& plane : gradient.planes)
    for (const float g : plane) EXPECT_NEAR(g, 0, 1e-8);
}

TEST(ImageLoss, IsTheSameForAnyNumberOfThreads) {
  const PlanarImage x = randomImage(100, 220, 6), y = randomImage(100, 220, 7);
  PlanarImage one, eight;
  setThreadCount(1);
  const double loss = imageLoss(x, y, 0.2, one).loss;
  setThreadCount(8);
  EXPECT_EQ(imageLoss(x, y, 0.2, eight).loss, loss);
  EXPECT_EQ(one.planes, eight.planes);
  setThreadCount(0);
}

}  // namespace
}  // namespace gs

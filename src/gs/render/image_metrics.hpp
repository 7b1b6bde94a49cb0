// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gs/core/image.hpp"

namespace gs {

// Images of the same size and channels.
struct ImageDifference {
  double psnr_db = 0;     // infinite when equal
  double within_two = 0;  // fraction of channels that differ by at most 2 of 255
  int largest = 0;        // of 255
};
ImageDifference differenceBetween(const Image8& a, const Image8& b);

// Mean structural similarity (Wang et al. 2004), Gaussian window of 11 pixels, sigma 1.5, over all
// channels; 1 when equal.
double ssim(const Image8& a, const Image8& b);
// The same for every pixel, mean of its channels; edges of the image are repeated outwards.
ImageF ssimMap(const Image8& a, const Image8& b);

// PSNR and SSIM over some of the pixels: those where `mask` (one channel) is not 0.
struct MaskedSimilarity {
  double psnr_db = 0;  // at most kMaxPsnrDb, so that means over images stay finite
  double ssim = 1;
  size_t pixels = 0;  // 0: nothing was compared
};
constexpr double kMaxPsnrDb = 100;
MaskedSimilarity similarityWhere(const Image8& mask, const Image8& a, const Image8& b,
                                 const ImageF& ssim_map);

}  // namespace gs

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

}  // namespace gs

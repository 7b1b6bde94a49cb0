// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "gs/core/aligned.hpp"
#include "gs/core/image.hpp"
#include "gs/core/linear.hpp"

namespace gs {

// Pixels of a sky as kernels gather them: 0xBBGGRR, one column and one row more than the image, so
// that the right and lower neighbour of every pixel exists.
struct SkyTexels {
  int width = 0, height = 0, stride = 0;
  AlignedVector<uint32_t> rgb;
};

// What lies at infinity (gaussians/sky.png): equirectangular in the map frame, the top row up, the
// centre column along +x, columns to the right towards -y. Copies share the pixels.
class Sky {
 public:
  Sky() = default;
  explicit Sky(const Image8& equirectangular);  // three or four channels

  explicit operator bool() const { return texels_ != nullptr; }
  // RGB 0..1 in a direction of the map frame, which need not be of unit length; bilinear.
  Vec3f colorAt(const Vec3f& direction) const { return colorAtPlace(placeOf(direction)); }
  // The same in two steps: x in [-0.5, width - 0.5], y likewise, pixel centres at integers.
  Vec2f placeOf(const Vec3f& direction) const;
  Vec3f colorAtPlace(const Vec2f& place) const;
  const SkyTexels& texels() const { return *texels_; }

 private:
  std::shared_ptr<const SkyTexels> texels_;
};

}  // namespace gs

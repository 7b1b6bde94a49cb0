// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "gs/core/image.hpp"
#include "gs/core/linear.hpp"

namespace gs {

// What lies at infinity (gaussians/sky.png): equirectangular in the map frame, the top row up, the
// centre column along +x, columns to the right towards -y. Copies share the pixels.
class Sky {
 public:
  Sky() = default;
  explicit Sky(Image8 equirectangular);  // three or four channels

  explicit operator bool() const { return image_ != nullptr; }
  // RGB 0..1 in a direction of the map frame, which need not be of unit length; bilinear.
  Vec3f colorAt(const Vec3f& direction) const;

 private:
  std::shared_ptr<const Image8> image_;
};

}  // namespace gs

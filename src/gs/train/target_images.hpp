// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <list>
#include <map>
#include <memory>
#include <span>

#include "gs/render/prepared_camera.hpp"
#include "gs/train/kernels/image_loss.hpp"
#include "gs/train/training_set.hpp"

namespace gs {

// A camera whose image is smaller by a whole number; pixels of what does not divide are left out.
Camera smallerCamera(const Camera& camera, int divisor);

// An image to train on, at some resolution.
struct TargetImage {
  Image8 rgb;
  Image8 mask;                      // empty: everything counts
  std::vector<DepthSample> depths;  // x_px and y_px in this image
  size_t bytes() const;
};
void toPlanar(const Image8& rgb, PlanarImage& planar);

// Images as they are needed. Those used last stay, within a budget of bytes.
class TargetImages {
 public:
  TargetImages(const TrainingSet& set, size_t budget)
      : set_(set), budget_(budget), evidence_(set.images.size()) {}

  std::shared_ptr<const TargetImage> at(size_t image, int divisor);
  // Loads those that are missing, side by side; no more than fit. Once the divisor is another,
  // those of the last one are forgotten.
  void prefetch(std::span<const size_t> images, int divisor);
  std::shared_ptr<const PreparedCamera> cameraOf(size_t image, int divisor);
  // Bytes of an image, at most: as it is kept within the budget, and what stays beside it, which is
  // its mask and depths.
  static size_t bytesWithin(const Camera& camera);
  static size_t bytesBeside(const Camera& camera);

 private:
  using Key = std::pair<size_t, int>;
  // Masks and depths cost more to make than pixels, and less to keep.
  struct Evidence {
    Image8 mask;  // of a quarter of the size
    std::vector<DepthSample> depths;
  };
  std::shared_ptr<const Evidence> evidenceOf(size_t image) const;
  std::shared_ptr<const TargetImage> load(size_t image, int divisor) const;
  void keep(const Key& key, std::shared_ptr<const TargetImage> image);

  struct Kept {
    std::shared_ptr<const TargetImage> image;
    std::list<Key>::iterator age;
  };
  const TrainingSet& set_;
  size_t budget_, used_ = 0;
  int divisor_ = 0;  // of the last prefetch
  mutable std::vector<std::shared_ptr<const Evidence>> evidence_;
  std::map<Key, Kept> kept_;
  std::list<Key> ages_;  // used last at the end
  // By camera, because thousands of images come from a handful of them.
  std::vector<std::pair<Camera, std::shared_ptr<const PreparedCamera>>> cameras_;
};

}  // namespace gs

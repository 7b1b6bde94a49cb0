// SPDX-License-Identifier: Apache-2.0
#include "gs/train/target_images.hpp"

#include <algorithm>

#include "gs/core/error.hpp"
#include "gs/core/parallel.hpp"

namespace gs {
namespace {

// Means of divisor x divisor pixels, rounded.
Image8 shrink(const Image8& image, int divisor) {
  if (divisor == 1) return image;
  Image8 small(image.width / divisor, image.height / divisor, image.channels);
  const auto count = static_cast<uint32_t>(divisor * divisor);
  parallelFor(static_cast<size_t>(small.height), 16, [&](size_t begin, size_t end) {
    std::vector<uint32_t> sums(small.rowSize());
    for (size_t y = begin; y < end; ++y) {
      std::fill(sums.begin(), sums.end(), 0);
      for (int j = 0; j < divisor; ++j) {
        const uint8_t* from = image.row(static_cast<int>(y) * divisor + j).data();
        for (int x = 0; x < small.width; ++x)
          for (int i = 0; i < divisor; ++i)
            for (int c = 0; c < image.channels; ++c)
              sums[static_cast<size_t>(x * image.channels + c)] += *from++;
      }
      const std::span<uint8_t> to = small.row(static_cast<int>(y));
      for (size_t k = 0; k < sums.size(); ++k)
        to[k] = static_cast<uint8_t>((sums[k] + count / 2) / count);
    }
  });
  return small;
}

// What is masked at all is masked.
Image8 shrinkMask(const Image8& mask, int divisor) {
  if (mask.pixels.empty() || divisor == 1) return mask;
  Image8 small(mask.width / divisor, mask.height / divisor, 1);
  for (int y = 0; y < small.height * divisor; ++y)
    for (int x = 0; x < small.width * divisor; ++x) {
      uint8_t& out = *small.at(x / divisor, y / divisor);
      if (x % divisor == 0 && y % divisor == 0) out = 255;
      if (*mask.at(x, y) == 0) out = 0;
    }
  return small;
}

Error badImage(const TrainingImage& image, const std::string& what) {
  return Error({.code = ErrorCode::TrainingFailed,
                .component = "gs_trainer",
                .message = what + " of camera '" + image.camera_id +
                           "' has another size than its "
                           "calibration says",
                .details = {{"camera", image.camera_id}, {"stamp_ns", image.stamp.ns}},
                .suggestion = "Check the images in 02_drivesim_dataset and calibration.yaml."});
}

}  // namespace

size_t TargetImage::bytes() const {
  return rgb.pixels.size() + mask.pixels.size() + depths.size() * sizeof(DepthSample) +
         sizeof(*this);
}

Camera smallerCamera(const Camera& camera, int divisor) {
  Camera small = camera;
  const double scale = 1.0 / divisor;
  small.width /= divisor, small.height /= divisor;
  CameraIntrinsics& k = small.intrinsics;
  k.fx *= scale, k.fy *= scale;
  k.cx = (k.cx + 0.5) * scale - 0.5, k.cy = (k.cy + 0.5) * scale - 0.5;
  return small;
}

void toPlanar(const Image8& rgb, PlanarImage& planar) {
  planar.resize(rgb.width, rgb.height);
  parallelFor(static_cast<size_t>(rgb.height), 32, [&](size_t begin, size_t end) {
    for (size_t y = begin; y < end; ++y) {
      const uint8_t* from = rgb.row(static_cast<int>(y)).data();
      float* to[3];
      for (size_t c = 0; c < 3; ++c) to[c] = planar.row(c, static_cast<int>(y));
      for (int x = 0; x < rgb.width; ++x)
        for (int c = 0; c < 3; ++c) to[c][x] = static_cast<float>(from[3 * x + c]) * (1.0f / 255);
    }
  });
}

std::shared_ptr<const TargetImage> TargetImages::at(size_t image, int divisor) {
  const Key key{image, divisor};
  if (const auto found = kept_.find(key); found != kept_.end()) {
    ages_.splice(ages_.end(), ages_, found->second.age);
    return found->second.image;
  }
  const TrainingImage& info = set_.images[image];
  auto target = std::make_shared<TargetImage>();
  const Image8 full = set_.load_image(image);
  if (full.width != info.camera.width || full.height != info.camera.height || full.channels != 3)
    throw badImage(info, "an image");
  target->rgb = shrink(full, divisor);
  if (set_.load_mask) {
    const Image8 mask = set_.load_mask(image);
    if (!mask.pixels.empty() &&
        (mask.width != full.width || mask.height != full.height || mask.channels != 1))
      throw badImage(info, "a mask");
    target->mask = shrinkMask(mask, divisor);
  }
  if (set_.load_depth)
    for (DepthSample sample : set_.load_depth(image)) {
      sample.x_px = (sample.x_px + 0.5f) / static_cast<float>(divisor) - 0.5f;
      sample.y_px = (sample.y_px + 0.5f) / static_cast<float>(divisor) - 0.5f;
      const bool is_inside = sample.x_px >= 0 && sample.y_px >= 0 &&
                             sample.x_px <= static_cast<float>(target->rgb.width - 1) &&
                             sample.y_px <= static_cast<float>(target->rgb.height - 1);
      if (is_inside && sample.depth > 0 && sample.depth < 1e6f) target->depths.push_back(sample);
    }
  used_ += target->bytes();
  kept_[key] = {target, ages_.insert(ages_.end(), key)};
  while (used_ > budget_ && ages_.size() > 1) {
    const auto oldest = kept_.find(ages_.front());
    used_ -= oldest->second.image->bytes();
    kept_.erase(oldest);
    ages_.pop_front();
  }
  return target;
}

std::shared_ptr<const PreparedCamera> TargetImages::cameraOf(size_t image, int divisor) {
  const Camera camera = smallerCamera(set_.images[image].camera, divisor);
  for (const auto& [known, prepared] : cameras_)
    if (known == camera) return prepared;
  cameras_.emplace_back(camera, std::make_shared<PreparedCamera>(camera));
  return cameras_.back().second;
}

}  // namespace gs

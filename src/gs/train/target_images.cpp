// SPDX-License-Identifier: Apache-2.0
#include "gs/train/target_images.hpp"

#include <algorithm>
#include <utility>

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

constexpr int kMaskDivisor = 4;
constexpr size_t kMostDepths = 6000;  // of an image

// What is masked at all is masked.
Image8 shrinkMask(const Image8& mask) {
  if (mask.pixels.empty()) return mask;
  Image8 small((mask.width + kMaskDivisor - 1) / kMaskDivisor,
               (mask.height + kMaskDivisor - 1) / kMaskDivisor, 1);
  std::fill(small.pixels.begin(), small.pixels.end(), uint8_t{255});
  for (int y = 0; y < mask.height; ++y)
    for (int x = 0; x < mask.width; ++x)
      if (*mask.at(x, y) == 0) *small.at(x / kMaskDivisor, y / kMaskDivisor) = 0;
  return small;
}

// Of an image that is smaller by `divisor`.
Image8 maskFor(const Image8& small, int width, int height, int divisor) {
  if (small.pixels.empty()) return {};
  Image8 mask(width, height, 1);
  const int step = std::max(1, divisor / kMaskDivisor);  // pixels of `small` in one
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const int x0 = x * divisor / kMaskDivisor, y0 = y * divisor / kMaskDivisor;
      uint8_t value = 255;
      for (int j = y0; j < std::min(small.height, y0 + step); ++j)
        for (int i = x0; i < std::min(small.width, x0 + step); ++i)
          value = std::min(value, *small.at(i, j));
      *mask.at(x, y) = value;
    }
  return mask;
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

std::shared_ptr<const TargetImages::Evidence> TargetImages::evidenceOf(size_t image) const {
  if (evidence_[image] != nullptr) return evidence_[image];
  const TrainingImage& info = set_.images[image];
  auto evidence = std::make_shared<Evidence>();
  if (set_.load_mask) {
    const Image8 mask = set_.load_mask(image);
    if (!mask.pixels.empty() && (mask.width != info.camera.width ||
                                 mask.height != info.camera.height || mask.channels != 1))
      throw badImage(info, "a mask");
    evidence->mask = shrinkMask(mask);
  }
  if (set_.load_depth) {
    const std::vector<DepthSample> all = set_.load_depth(image);
    const size_t step = all.size() / kMostDepths + 1;
    for (size_t i = image % step; i < all.size(); i += step)
      if (all[i].depth > 0 && all[i].depth < 1e6f) evidence->depths.push_back(all[i]);
  }
  return evidence_[image] = evidence;
}

std::shared_ptr<const TargetImage> TargetImages::load(size_t image, int divisor) const {
  const TrainingImage& info = set_.images[image];
  auto target = std::make_shared<TargetImage>();
  const Image8 full = set_.load_image(image);
  if (full.width != info.camera.width || full.height != info.camera.height || full.channels != 3)
    throw badImage(info, "an image");
  target->rgb = shrink(full, divisor);
  const std::shared_ptr<const Evidence> evidence = evidenceOf(image);
  target->mask = maskFor(evidence->mask, target->rgb.width, target->rgb.height, divisor);
  for (DepthSample sample : evidence->depths) {
    sample.x_px = (sample.x_px + 0.5f) / static_cast<float>(divisor) - 0.5f;
    sample.y_px = (sample.y_px + 0.5f) / static_cast<float>(divisor) - 0.5f;
    if (sample.x_px >= 0 && sample.y_px >= 0 &&
        sample.x_px <= static_cast<float>(target->rgb.width - 1) &&
        sample.y_px <= static_cast<float>(target->rgb.height - 1))
      target->depths.push_back(sample);
  }
  return target;
}

size_t TargetImages::bytesWithin(const Camera& camera) {
  const size_t pixels = static_cast<size_t>(camera.width) * camera.height;
  return pixels * 4 + kMostDepths * sizeof(DepthSample) + sizeof(TargetImage);
}

size_t TargetImages::bytesBeside(const Camera& camera) {
  return static_cast<size_t>(camera.width / kMaskDivisor + 1) * (camera.height / kMaskDivisor + 1) +
         kMostDepths * sizeof(DepthSample);
}

void TargetImages::keep(const Key& key, std::shared_ptr<const TargetImage> image) {
  used_ += image->bytes();
  kept_[key] = {std::move(image), ages_.insert(ages_.end(), key)};
  while (used_ > budget_ && ages_.size() > 1) {
    const auto oldest = kept_.find(ages_.front());
    used_ -= oldest->second.image->bytes();
    kept_.erase(oldest);
    ages_.pop_front();
  }
}

std::shared_ptr<const TargetImage> TargetImages::at(size_t image, int divisor) {
  const Key key{image, divisor};
  if (const auto found = kept_.find(key); found != kept_.end()) {
    ages_.splice(ages_.end(), ages_, found->second.age);
    return found->second.image;
  }
  const std::shared_ptr<const TargetImage> target = load(image, divisor);
  keep(key, target);
  return target;
}

void TargetImages::prefetch(std::span<const size_t> images, int divisor) {
  if (divisor != std::exchange(divisor_, divisor)) {
    kept_.clear();
    ages_.clear();
    used_ = 0;
  }
  std::vector<size_t> missing;
  for (const size_t image : images)
    if (!kept_.contains({image, divisor})) missing.push_back(image);
  std::vector<std::shared_ptr<const TargetImage>> loaded(missing.size());
  parallelFor(missing.size(), 1, [&](size_t i, size_t) { loaded[i] = load(missing[i], divisor); });
  for (size_t i = 0; i < missing.size(); ++i) keep({missing[i], divisor}, loaded[i]);
}

std::shared_ptr<const PreparedCamera> TargetImages::cameraOf(size_t image, int divisor) {
  const Camera camera = smallerCamera(set_.images[image].camera, divisor);
  for (const auto& [known, prepared] : cameras_)
    if (known == camera) return prepared;
  cameras_.emplace_back(camera, std::make_shared<PreparedCamera>(camera));
  return cameras_.back().second;
}

}  // namespace gs

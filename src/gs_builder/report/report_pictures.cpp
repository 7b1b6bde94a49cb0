// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/report/report_pictures.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "gs/core/quantile.hpp"
#include "gs/formats/jpeg.hpp"
#include "gs/formats/png.hpp"

namespace gs_builder {
namespace {

using Color = std::array<uint8_t, 3>;
constexpr Color kPaper{18, 20, 26}, kRings{52, 56, 66}, kSimulated{200, 204, 212};
constexpr int kGap = 8;
constexpr size_t kMostSampled = 96;

Color colorOf(const char* hex) {
  const auto digit = [&](int i) {
    const char c = hex[i];
    return c <= '9' ? c - '0' : c - 'a' + 10;
  };
  return {static_cast<uint8_t>(16 * digit(1) + digit(2)),
          static_cast<uint8_t>(16 * digit(3) + digit(4)),
          static_cast<uint8_t>(16 * digit(5) + digit(6))};
}

// Four times as strong, so that people see it.
gs::Image8 differenceOf(const gs::Image8& a, const gs::Image8& b) {
  gs::Image8 difference(a.width, a.height, 3);
  for (size_t i = 0; i < difference.pixels.size(); ++i)
    difference.pixels[i] =
        static_cast<uint8_t>(std::min(255, 4 * std::abs(int{a.pixels[i]} - int{b.pixels[i]})));
  return difference;
}

bool isBefore(const FrameEvaluation& a, const FrameEvaluation& b) {
  return std::tie(a.telling().psnr_db, a.camera, a.frame_index) <
         std::tie(b.telling().psnr_db, b.camera, b.frame_index);
}

bool isSame(const FramePictures& a, const FramePictures& b) {
  return a.frame.camera == b.frame.camera && a.frame.frame_index == b.frame.frame_index;
}

const FramePictures* nearestTo(double psnr_db, const std::vector<const FramePictures*>& pictures,
                               const std::vector<FramePictures>& taken) {
  const FramePictures* nearest = nullptr;
  const auto distance = [&](const FramePictures& p) {
    return std::abs(p.frame.telling().psnr_db - psnr_db);
  };
  for (const FramePictures* one : pictures) {
    if (std::any_of(taken.begin(), taken.end(), [&](const auto& t) { return isSame(t, *one); }))
      continue;
    if (nearest == nullptr || distance(*one) < distance(*nearest)) nearest = one;
  }
  return nearest;
}

// Dots and circles around the sensor.
class SweepCanvas {
 public:
  SweepCanvas(gs::Image8& image, int left, int size, double reach)
      : image_(image), left_(left), size_(size), reach_(reach) {
    for (double radius = 10; radius < reach; radius += 10) {
      const int steps = static_cast<int>(8 * size * radius / reach);
      for (int i = 0; i < steps; ++i) {
        const double angle = 2 * 3.14159265358979 * i / steps;
        dot(radius * std::cos(angle), radius * std::sin(angle), kRings, 1);
      }
    }
    dot(0, 0, kSimulated, 5);
  }

  // x is ahead, which is up.
  void dot(double x, double y, const Color& color, int width) {
    const double scale = size_ / (2 * reach_);
    const double u = size_ / 2.0 - y * scale, v = size_ / 2.0 - x * scale;
    if (!(u >= 0 && v >= 0 && u < size_ && v < size_)) return;
    for (int dy = 0; dy < width; ++dy)
      for (int dx = 0; dx < width; ++dx) {
        const int px = static_cast<int>(u) + dx - width / 2;
        const int py = static_cast<int>(v) + dy - width / 2;
        if (px < 0 || py < 0 || px >= size_ || py >= size_) continue;
        std::copy(color.begin(), color.end(), image_.at(left_ + px, py));
      }
  }

 private:
  gs::Image8& image_;
  int left_, size_;
  double reach_;
};

}  // namespace

gs::Image8 shrunk(const gs::Image8& rgb, int width) {
  if (rgb.width <= width || rgb.width <= 0 || rgb.height <= 0) return rgb;
  const int height = std::max(1, static_cast<int>(int64_t{rgb.height} * width / rgb.width));
  gs::Image8 small(width, height, 3);
  for (int y = 0; y < height; ++y) {
    const double y0 = static_cast<double>(y) * rgb.height / height;
    const double y1 = static_cast<double>(y + 1) * rgb.height / height;
    for (int x = 0; x < width; ++x) {
      const double x0 = static_cast<double>(x) * rgb.width / width;
      const double x1 = static_cast<double>(x + 1) * rgb.width / width;
      // Each pixel counts with the part of it that is covered.
      std::array<double, 3> sum{};
      double weight = 0;
      for (int v = static_cast<int>(y0); v < std::min<double>(rgb.height, y1); ++v)
        for (int u = static_cast<int>(x0); u < std::min<double>(rgb.width, x1); ++u) {
          const double part = (std::min(x1, u + 1.0) - std::max<double>(x0, u)) *
                              (std::min(y1, v + 1.0) - std::max<double>(y0, v));
          weight += part;
          for (size_t c = 0; c < 3; ++c) sum[c] += part * rgb.at(u, v)[c];
        }
      for (size_t c = 0; c < 3; ++c)
        small.at(x, y)[c] = static_cast<uint8_t>(std::lround(sum[c] / weight));
    }
  }
  return small;
}

EncodedImage asJpeg(const gs::Image8& rgb, int quality) {
  const std::vector<std::byte> bytes = gs::encodeJpeg(rgb, quality);
  return {"image/jpeg", std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()),
          rgb.width, rgb.height};
}

EncodedImage asPng(const gs::Image8& rgb) {
  return {"image/png", gs::encodePng(rgb), rgb.width, rgb.height};
}

FramePictures drawFrame(const FrameEvaluation& frame, const gs::Image8& recorded,
                        const gs::Image8& rendered, int width) {
  constexpr int kQuality = 80, kDifferenceQuality = 60;
  return {frame, asJpeg(shrunk(recorded, width), kQuality),
          asJpeg(shrunk(rendered, width), kQuality),
          asJpeg(shrunk(differenceOf(recorded, rendered), width), kDifferenceQuality)};
}

void FrameAlbum::add(const FrameEvaluation& frame, const gs::Image8& recorded,
                     const gs::Image8& rendered) {
  if (frame.telling().pixels == 0) return;  // all of it is the ego or moves
  Pages& pages = cameras_[frame.camera];
  pages.psnrs.push_back(frame.telling().psnr_db);
  const bool is_sampled = pages.seen++ % pages.stride == 0;
  const bool is_best = pages.extremes.empty() || isBefore(pages.extremes[0].frame, frame);
  const bool is_worst = pages.extremes.empty() || isBefore(frame, pages.extremes[1].frame);
  if (!is_sampled && !is_best && !is_worst) return;
  FramePictures pictures = drawFrame(frame, recorded, rendered, width_);
  if (pages.extremes.empty()) pages.extremes = {pictures, pictures};
  if (is_best) pages.extremes[0] = pictures;
  if (is_worst) pages.extremes[1] = pictures;
  if (!is_sampled) return;
  pages.sampled.push_back(std::move(pictures));
  if (pages.sampled.size() < kMostSampled) return;
  for (size_t i = 0; 2 * i < pages.sampled.size(); ++i)
    if (i > 0) pages.sampled[i] = std::move(pages.sampled[2 * i]);
  pages.sampled.resize((pages.sampled.size() + 1) / 2);
  pages.stride *= 2;
}

std::vector<FramePictures> FrameAlbum::bestMedianWorst() const {
  const FramePictures *best = nullptr, *worst = nullptr;
  std::vector<const FramePictures*> others;
  std::vector<double> psnrs;
  for (const auto& [camera, pages] : cameras_) {
    if (best == nullptr || isBefore(best->frame, pages.extremes[0].frame))
      best = &pages.extremes[0];
    if (worst == nullptr || isBefore(pages.extremes[1].frame, worst->frame))
      worst = &pages.extremes[1];
    for (const FramePictures& one : pages.sampled) others.push_back(&one);
    psnrs.insert(psnrs.end(), pages.psnrs.begin(), pages.psnrs.end());
  }
  if (best == nullptr) return {};
  std::vector<FramePictures> three{*best};
  if (!isSame(*best, *worst)) three.push_back(*worst);
  if (const FramePictures* median = nearestTo(gs::median(psnrs), others, three))
    three.insert(three.begin() + 1, *median);
  return three;
}

std::vector<FramePictures> FrameAlbum::medianAndWorst(const std::string& camera) const {
  const auto found = cameras_.find(camera);
  if (found == cameras_.end()) return {};
  const Pages& pages = found->second;
  std::vector<FramePictures> two{pages.extremes[1]};
  std::vector<const FramePictures*> others;
  for (const FramePictures& one : pages.sampled) others.push_back(&one);
  if (const FramePictures* median = nearestTo(gs::median(pages.psnrs), others, two))
    two.insert(two.begin(), *median);
  return two;
}

gs::Image8 drawSweep(const std::vector<ComparedReturn>& recorded,
                     const std::vector<gs::Vec3>& simulated, double reach, int size) {
  gs::Image8 image(2 * size + kGap, size, 3);
  for (size_t i = 0; i < image.pixels.size(); ++i) image.pixels[i] = kPaper[i % 3];
  for (int y = 0; y < size; ++y)
    for (int x = size; x < size + kGap; ++x) std::fill_n(image.at(x, y), 3, uint8_t{255});
  SweepCanvas left(image, 0, size, reach), right(image, size + kGap, size, reach);
  for (const ComparedReturn& one : recorded) {
    const double error = std::abs(one.error);
    const char* color = std::isnan(error) ? SweepColors::kMissing
                        : error <= 0.1    ? SweepColors::kNear
                        : error <= 0.3    ? SweepColors::kMiddle
                                          : SweepColors::kFar;
    left.dot(one.p_in_lidar.x(), one.p_in_lidar.y(), colorOf(color), 2);
  }
  for (const gs::Vec3& p : simulated) right.dot(p.x(), p.y(), kSimulated, 2);
  return image;
}

}  // namespace gs_builder

// SPDX-License-Identifier: Apache-2.0
#include "gs/train/sky_model.hpp"

#include <algorithm>
#include <cmath>

namespace gs {
namespace {

constexpr float kSeenPast = 0.85f;          // transmittance
constexpr float kLowestElevation = -0.02f;  // sine of; hills and towers stand before what is lower
constexpr float kAlike = 0.09f;             // of a channel
constexpr float kNotTheSky = 0.25f;
constexpr float kKnown = 0.5f;

// Calls visit(x, y, direction) for every `step`-th pixel from (x0, y0) on that looks past the
// splats, so far as `seen_past` wants it, and not down.
template <typename Visit>
void forEachSkyPixel(const SkyView& view, int x0, int y0, int step, float seen_past,
                     const Visit& visit) {
  constexpr int kSpacing = PreparedCamera::kRaySpacing;
  const Eigen::Matrix3f rotation = view.map_from_opencv.rotation.toRotationMatrix().cast<float>();
  for (int y = y0; y < view.color.height; y += step)
    for (int x = x0; x < view.color.width; x += step) {
      if (view.extras.row(0, y)[x] < seen_past) continue;
      if (!view.mask.pixels.empty() && *view.mask.at(x, y) == 0) continue;
      const int column = x / kSpacing, row = y / kSpacing;
      const float fx = static_cast<float>(x % kSpacing) / kSpacing;
      const float fy = static_cast<float>(y % kSpacing) / kSpacing;
      const auto along = [&](int r) -> Vec3f {
        return view.camera.rayAt(column, r) * (1 - fx) + view.camera.rayAt(column + 1, r) * fx;
      };
      const Vec3f direction = rotation * (along(row) * (1 - fy) + along(row + 1) * fy);
      if (direction.z() > kLowestElevation * direction.norm()) visit(x, y, direction);
    }
}

float difference(const std::array<uint8_t, 3>& a, const std::array<uint8_t, 3>& b) {
  int largest = 0;
  for (size_t c = 0; c < 3; ++c) largest = std::max(largest, std::abs(a[c] - b[c]));
  return static_cast<float>(largest) / 255;
}

}  // namespace

SkyModel::SkyModel(int height)
    : width_(2 * height),
      height_(height),
      texels_(static_cast<size_t>(width_) * height_ * 3),
      knowledge_(static_cast<size_t>(width_) * height_, 0.0f) {
  // Until something is seen: a light grey-blue.
  for (size_t i = 0; i < texels_.size(); i += 3)
    texels_[i] = 0.66f, texels_[i + 1] = 0.74f, texels_[i + 2] = 0.84f;
  publish();
}

Image8 SkyModel::image() const {
  Image8 image(width_, height_, 3);
  for (size_t i = 0; i < texels_.size(); ++i)
    image.pixels[i] = static_cast<uint8_t>(std::clamp(texels_[i], 0.0f, 1.0f) * 255 + 0.5f);
  return image;
}

void SkyModel::publish() { sky_ = Sky(image()); }

size_t SkyModel::texelAt(const Vec3f& direction) const {
  const Vec2f place = sky_.placeOf(direction);
  const int x = (static_cast<int>(std::lround(place.x())) + width_) % width_;
  const int y = std::clamp(static_cast<int>(std::lround(place.y())), 0, height_ - 1);
  return static_cast<size_t>(y) * width_ + x;
}

bool SkyModel::isSky(const Vec3f& direction, const Vec3f& rgb) const {
  const size_t texel = texelAt(direction);
  if (knowledge_[texel] < kKnown) return false;
  for (size_t c = 0; c < 3; ++c)
    if (std::abs(texels_[texel * 3 + c] - rgb[static_cast<int>(c)]) > kAlike) return false;
  return true;
}

void SkyModel::collect(const SkyView& view) {
  samples_.resize(knowledge_.size());
  forEachSkyPixel(view, 0, 0, 2, kSeenPast, [&](int x, int y, const Vec3f& direction) {
    Samples& samples = samples_[texelAt(direction)];
    std::array<uint8_t, 3> rgb;
    for (size_t c = 0; c < 3; ++c)
      rgb[c] = static_cast<uint8_t>(view.target.row(c, y)[x] * 255 + 0.5f);
    // Later ones take the place of earlier ones, a few at a time: the whole drive has a say.
    const uint32_t n = samples.seen++;
    samples.rgb[n < kSamples ? n : (n * 2654435761u >> 16) % kSamples] = rgb;
  });
}

void SkyModel::settle() {
  samples_.resize(knowledge_.size());
  for (size_t texel = 0; texel < samples_.size(); ++texel) {
    const Samples& samples = samples_[texel];
    const size_t count = std::min<size_t>(samples.seen, kSamples);
    size_t best = 0, best_alike = 0;
    for (size_t i = 0; i < count; ++i) {
      size_t alike = 0;
      for (size_t j = 0; j < count; ++j)
        alike += difference(samples.rgb[i], samples.rgb[j]) < kAlike;
      if (alike > best_alike) best = i, best_alike = alike;
    }
    const bool is_known = count >= 3 && 2 * best_alike > count;
    knowledge_[texel] = is_known ? 1.0f : 0.0f;
    if (!is_known) continue;
    for (size_t c = 0; c < 3; ++c) {
      float sum = 0;
      for (size_t j = 0; j < count; ++j)
        if (difference(samples.rgb[best], samples.rgb[j]) < kAlike)
          sum += static_cast<float>(samples.rgb[j][c]) / 255;
      texels_[texel * 3 + c] = sum / static_cast<float>(best_alike);
    }
  }
  samples_.clear();
  fillUnknown();
  publish();
}

void SkyModel::learn(const SkyView& view, uint64_t turn, double rate) {
  constexpr int kStep = 4;
  const auto shift = static_cast<int>(turn % (kStep * kStep));
  forEachSkyPixel(view, shift % kStep, shift * 3 / kStep % kStep, kStep, kSeenPast,
                  [&](int x, int y, const Vec3f& direction) {
                    const size_t texel = texelAt(direction);
                    std::array<float, 3> change;
                    float largest = 0;
                    for (size_t c = 0; c < 3; ++c) {
                      change[c] = view.target.row(c, y)[x] - view.color.row(c, y)[x];
                      largest = std::max(largest, std::abs(change[c]));
                    }
                    // What is at infinity looks the same from everywhere. What does not is a thing:
                    // splats are for that.
                    float& knowledge = knowledge_[texel];
                    knowledge =
                        std::clamp(knowledge + (largest < kAlike ? 0.05f : -0.1f), 0.0f, 1.0f);
                    if (largest > kNotTheSky || knowledge < kKnown) return;
                    for (size_t c = 0; c < 3; ++c) {
                      float& value = texels_[texel * 3 + c];
                      value = std::clamp(value + static_cast<float>(rate) * change[c], 0.0f, 1.0f);
                    }
                  });
}

void SkyModel::keepClear(const SkyView& view, float weight, PlanarImage& by_extras) const {
  forEachSkyPixel(view, 0, 0, 2, 0, [&](int x, int y, const Vec3f& direction) {
    const Vec3f rgb(view.target.row(0, y)[x], view.target.row(1, y)[x], view.target.row(2, y)[x]);
    if (isSky(direction, rgb)) by_extras.row(0, y)[x] -= weight;
  });
}

// Smooth over what is unknown: means of what is known, coarser and coarser, then back.
void SkyModel::fillUnknown() {
  struct Level {
    int width, height;
    std::vector<float> rgb, weight;
  };
  std::vector<Level> levels;
  levels.push_back({width_, height_, texels_, knowledge_});
  while (levels.back().height > 1) {
    const Level& fine = levels.back();
    Level coarse{std::max(1, fine.width / 2), std::max(1, fine.height / 2), {}, {}};
    coarse.rgb.assign(static_cast<size_t>(coarse.width) * coarse.height * 3, 0.0f);
    coarse.weight.assign(static_cast<size_t>(coarse.width) * coarse.height, 0.0f);
    for (int y = 0; y < fine.height; ++y)
      for (int x = 0; x < fine.width; ++x) {
        const size_t from = static_cast<size_t>(y) * fine.width + x;
        const size_t to = static_cast<size_t>(std::min(y / 2, coarse.height - 1)) * coarse.width +
                          std::min(x / 2, coarse.width - 1);
        const float weight = std::min(fine.weight[from], 1.0f);
        for (size_t c = 0; c < 3; ++c) coarse.rgb[to * 3 + c] += weight * fine.rgb[from * 3 + c];
        coarse.weight[to] += weight;
      }
    for (size_t i = 0; i < coarse.weight.size(); ++i)
      if (coarse.weight[i] > 0)
        for (size_t c = 0; c < 3; ++c) coarse.rgb[i * 3 + c] /= coarse.weight[i];
    levels.push_back(std::move(coarse));
  }
  if (levels.back().weight[0] <= 0) return;  // no sky at all
  for (size_t n = levels.size() - 1; n-- > 0;) {
    Level& fine = levels[n];
    const Level& coarse = levels[n + 1];
    for (int y = 0; y < fine.height; ++y)
      for (int x = 0; x < fine.width; ++x) {
        const size_t to = static_cast<size_t>(y) * fine.width + x;
        const float weight = std::min(fine.weight[to], 1.0f);
        if (weight >= 1) continue;
        // Bilinear between the four coarse neighbours.
        const float px = (static_cast<float>(x) + 0.5f) / 2 - 0.5f;
        const float py = (static_cast<float>(y) + 0.5f) / 2 - 0.5f;
        const int x0 = static_cast<int>(std::floor(px)), y0 = static_cast<int>(std::floor(py));
        const float ax = px - static_cast<float>(x0), ay = py - static_cast<float>(y0);
        for (size_t c = 0; c < 3; ++c) {
          float sum = 0;
          for (int corner = 0; corner < 4; ++corner) {
            const int cx = (x0 + (corner & 1) + coarse.width) % coarse.width;
            const int cy = std::clamp(y0 + (corner >> 1), 0, coarse.height - 1);
            sum += ((corner & 1) ? ax : 1 - ax) * ((corner >> 1) ? ay : 1 - ay) *
                   coarse.rgb[(static_cast<size_t>(cy) * coarse.width + cx) * 3 + c];
          }
          float& value = fine.rgb[to * 3 + c];
          value = weight * value + (1 - weight) * sum;
        }
      }
  }
  texels_ = std::move(levels.front().rgb);
}

}  // namespace gs

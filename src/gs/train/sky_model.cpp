// SPDX-License-Identifier: Apache-2.0
#include "gs/train/sky_model.hpp"

#include <algorithm>
#include <cmath>

namespace gs {

SkyModel::SkyModel(int height)
    : width_(2 * height),
      height_(height),
      texels_(static_cast<size_t>(width_) * height_ * 3),
      knowledge_(static_cast<size_t>(width_) * height_, 0.0f),
      sums_(static_cast<size_t>(width_) * height_ * 4, 0.0f) {
  // Until something is seen: a light grey-blue.
  for (size_t i = 0; i < texels_.size(); i += 3)
    texels_[i] = 0.66f, texels_[i + 1] = 0.74f, texels_[i + 2] = 0.84f;
  publish();
}

SkyModel::SkyModel(const Image8& image) : SkyModel(image.height) {
  for (size_t i = 0; i < texels_.size() && i < image.pixels.size(); ++i)
    texels_[i] = static_cast<float>(image.pixels[i]) / 255;
  publish();
}

Image8 SkyModel::image() const {
  Image8 image(width_, height_, 3);
  for (size_t i = 0; i < texels_.size(); ++i)
    image.pixels[i] = static_cast<uint8_t>(std::clamp(texels_[i], 0.0f, 1.0f) * 255 + 0.5f);
  return image;
}

void SkyModel::publish() { sky_ = Sky(image()); }

float SkyModel::knowledgeOf(const Vec3f& direction) const {
  const Vec2f place = sky_.placeOf(direction);
  const int x = (static_cast<int>(std::lround(place.x())) + width_) % width_;
  const int y = std::clamp(static_cast<int>(std::lround(place.y())), 0, height_ - 1);
  return knowledge_[static_cast<size_t>(y) * width_ + x];
}

void SkyModel::learn(const PreparedCamera& camera, const Rigid3& map_from_opencv,
                     const PlanarImage& color, const PlanarImage& extras, const PlanarImage& target,
                     const Image8& mask, uint64_t turn, double rate) {
  constexpr int kStep = PreparedCamera::kRaySpacing;
  constexpr float kSeenThrough = 0.3f, kKnown = 2, kFar = 0.1f;
  const Eigen::Matrix3f rotation = map_from_opencv.rotation.toRotationMatrix().cast<float>();
  touched_.clear();
  const auto look = [&](int column, int row, int dx, int dy) {
    const int x = column * kStep + dx, y = row * kStep + dy;
    if (x >= color.width || y >= color.height) return;
    const float left = extras.row(0, y)[x];
    if (left < kSeenThrough || (!mask.pixels.empty() && *mask.at(x, y) == 0)) return;
    const float fx = static_cast<float>(dx) / kStep, fy = static_cast<float>(dy) / kStep;
    const auto along = [&](int r) -> Vec3f {
      return camera.rayAt(column, r) * (1 - fx) + camera.rayAt(column + 1, r) * fx;
    };
    const Vec3f ray = along(row) * (1 - fy) + along(row + 1) * fy;
    const Vec2f place = sky_.placeOf(rotation * ray);
    const float px = std::floor(place.x()), py = std::floor(place.y());
    const float ax = place.x() - px, ay = place.y() - py;
    std::array<float, 3> change;
    float far = 0;
    for (size_t c = 0; c < 3; ++c) {
      change[c] = (target.row(c, y)[x] - color.row(c, y)[x]) / left;
      far = std::max(far, std::abs(change[c]));
    }
    for (int corner = 0; corner < 4; ++corner) {
      const int tx = (static_cast<int>(px) + (corner & 1) + width_) % width_;
      const int ty = std::clamp(static_cast<int>(py) + (corner >> 1), 0, height_ - 1);
      const auto texel = static_cast<uint32_t>(ty * width_ + tx);
      float weight = left * ((corner & 1) ? ax : 1 - ax) * ((corner >> 1) ? ay : 1 - ay);
      if (knowledge_[texel] > kKnown) weight /= 1 + far * far * (1 / (kFar * kFar));
      if (weight <= 0) continue;
      float* sum = &sums_[texel * 4];
      if (sum[3] == 0) touched_.push_back(texel);
      for (size_t c = 0; c < 3; ++c) sum[c] += weight * change[c];
      sum[3] += weight;
    }
  };
  for (int quarter = 0; quarter < 4; ++quarter) {
    const auto shift = static_cast<int>(turn % 1024 * 4) + quarter;
    const int dx = shift * 5 % kStep, dy = shift * 5 / kStep * 3 % kStep;
    for (int row = 0; row * kStep < color.height; ++row)
      for (int column = 0; column * kStep < color.width; ++column) look(column, row, dx, dy);
  }
  for (const uint32_t texel : touched_) {
    float* sum = &sums_[texel * 4];
    // A direction that was hardly seen takes what it sees, one that is known moves slowly.
    float& known = knowledge_[texel];
    const float step = std::max(static_cast<float>(rate), sum[3] / (known + sum[3]));
    for (size_t c = 0; c < 3; ++c) {
      float& value = texels_[texel * 3 + c];
      value = std::clamp(value + step * sum[c] / sum[3], 0.0f, 1.0f);
    }
    known += sum[3];
    std::fill_n(sum, 4, 0.0f);
  }
}

void SkyModel::fillUnknown() {
  std::vector<uint8_t> is_known(knowledge_.size());
  for (size_t i = 0; i < is_known.size(); ++i) is_known[i] = knowledge_[i] > 0.5f;
  // Outwards from what is known, a ring a round.
  for (int round = 0; round < width_; ++round) {
    std::vector<uint32_t> next;
    std::vector<std::array<float, 3>> colors;
    for (int y = 0; y < height_; ++y)
      for (int x = 0; x < width_; ++x) {
        if (is_known[static_cast<size_t>(y) * width_ + x]) continue;
        std::array<float, 3> sum{};
        float count = 0;
        for (int j = -1; j <= 1; ++j)
          for (int i = -1; i <= 1; ++i) {
            const int ty = y + j, tx = (x + i + width_) % width_;
            if (ty < 0 || ty >= height_) continue;
            const size_t at = static_cast<size_t>(ty) * width_ + tx;
            if (!is_known[at]) continue;
            for (size_t c = 0; c < 3; ++c) sum[c] += texels_[at * 3 + c];
            ++count;
          }
        if (count == 0) continue;
        for (float& channel : sum) channel /= count;
        next.push_back(static_cast<uint32_t>(y * width_ + x));
        colors.push_back(sum);
      }
    if (next.empty()) break;
    for (size_t n = 0; n < next.size(); ++n) {
      is_known[next[n]] = 1;
      std::copy(colors[n].begin(), colors[n].end(), texels_.begin() + next[n] * 3);
    }
  }
  publish();
}

}  // namespace gs

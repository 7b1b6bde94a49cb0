// SPDX-License-Identifier: Apache-2.0
#include "gs/train/unseen_splats.hpp"

#include <algorithm>
#include <cmath>

#include "gs/bundle/gaussian_encoding.hpp"
#include "gs/core/parallel.hpp"
#include "gs/train/start_splats.hpp"

namespace gs {
namespace {

constexpr float kSeenPast = 0.6f;  // transmittance
// Distances that are tried, each so much more than the one before.
constexpr float kNearest = 15, kFarthest = 900, kStepOfDistance = 1.15f;  // m
// Views between these are far enough apart to tell distances, and near enough to look alike.
constexpr double kLeastApart = 5, kMostApart = 60;  // m
constexpr size_t kMostPartners = 4;
constexpr int kPatch = 2;               // px around a pixel
constexpr float kAlike = 0.07f;         // of a channel, mean over a patch
constexpr float kClearlyBetter = 0.6f;  // than the mean of all distances

}  // namespace

UnseenSplats::Seen UnseenSplats::seenIn(const SkyView& view) {
  const int width = view.color.width, height = view.color.height;
  Seen seen{.lens = view.camera.lens(),
            .opencv_from_map = view.map_from_opencv.inverse(),
            .eye = view.map_from_opencv.translation,
            .rgb = Image8(width, height, 3),
            .seen_past = Image8(width, height, 1)};
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      for (size_t c = 0; c < 3; ++c)
        seen.rgb.at(x, y)[c] = static_cast<uint8_t>(view.target.row(c, y)[x] * 255 + 0.5f);
      const bool is_masked = !view.mask.pixels.empty() && *view.mask.at(x, y) == 0;
      *seen.seen_past.at(x, y) = view.extras.row(0, y)[x] > kSeenPast && !is_masked ? 255 : 0;
    }
  return seen;
}

float UnseenSplats::differenceTo(const Seen& other, const Found& found, const Vec3& point) const {
  const auto place = other.lens.pixelOf(other.opencv_from_map * point);
  if (!place) return -1;
  const Image8 &here = views_[found.view].rgb, &there = other.rgb;
  const long x = std::lround(place->x()), y = std::lround(place->y());
  if (x < kPatch || y < kPatch || x >= there.width - kPatch || y >= there.height - kPatch)
    return -1;
  if (*other.seen_past.at(static_cast<int>(x), static_cast<int>(y)) == 0) return -1;
  int sum = 0, count = 0;
  for (int dy = -kPatch; dy <= kPatch; ++dy)
    for (int dx = -kPatch; dx <= kPatch; ++dx) {
      const int hx = found.x + dx, hy = found.y + dy;
      if (hx < 0 || hy < 0 || hx >= here.width || hy >= here.height) continue;
      const uint8_t* a = here.at(hx, hy);
      const uint8_t* b = there.at(static_cast<int>(x) + dx, static_cast<int>(y) + dy);
      for (int c = 0; c < 3; ++c) sum += std::abs(a[c] - b[c]);
      count += 3;
    }
  return static_cast<float>(sum) / (255.0f * static_cast<float>(count));
}

float UnseenSplats::distanceOf(const Found& found) const {
  const Vec3 eye = views_[found.view].eye, direction = found.direction.cast<double>();
  // The views that are farthest from this one tell distances best.
  std::vector<std::pair<double, const Seen*>> partners;
  for (const Seen& other : views_) {
    const double apart = (other.eye - eye).norm();
    if (apart < kLeastApart || apart > kMostApart) continue;
    if (differenceTo(other, found, eye + 2 * kMostApart * direction) >= 0)
      partners.emplace_back(-apart, &other);
  }
  std::stable_sort(partners.begin(), partners.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  if (partners.size() > kMostPartners) partners.resize(kMostPartners);
  if (partners.size() < 2) return found.guess;
  float best = 1, best_distance = 0, sum = 0;
  int tried = 0;
  for (float distance = kNearest; distance < kFarthest; distance *= kStepOfDistance) {
    float difference = 0;
    int seen_by = 0;
    for (const auto& [apart, other] : partners) {
      const float one = differenceTo(*other, found, eye + distance * direction);
      if (one < 0) continue;
      difference += one;
      ++seen_by;
    }
    if (seen_by < 2) continue;
    difference /= static_cast<float>(seen_by);
    sum += difference;
    ++tried;
    if (difference < best) best = difference, best_distance = distance;
  }
  const bool is_clear =
      tried > 3 && best < kAlike && best < kClearlyBetter * sum / static_cast<float>(tried);
  return is_clear ? best_distance : found.guess;
}

void UnseenSplats::collect(const SkyView& view, const SkyModel& sky) {
  constexpr int kStep = PreparedCamera::kRaySpacing;
  constexpr float kFar = 250, kMostRange = 120;  // m
  const Eigen::Matrix3f rotation = view.map_from_opencv.rotation.toRotationMatrix().cast<float>();
  const size_t index = views_.size();
  views_.push_back(seenIn(view));
  const auto focal = static_cast<float>(view.camera.camera().intrinsics.fx);
  const bool is_fisheye = view.camera.lens().isFisheye();
  for (int column = 0; column * kStep < view.color.width; ++column) {
    // From below: how far away, along the ground, is what the splats show?
    float range = 0;
    for (int row = (view.color.height - 1) / kStep; row >= 0; --row) {
      const int x = column * kStep, y = row * kStep;
      const Vec3f in_camera = view.camera.rayAt(column, row).normalized();
      const Vec3f direction = rotation * in_camera;
      const float flat = direction.head<2>().norm();
      if (flat < 0.1f) continue;
      const float left = view.extras.row(0, y)[x];
      if (left < 0.4f) {
        const float depth = view.extras.row(1, y)[x] / (1 - left);
        range = flat * depth / (is_fisheye ? 1 : std::max(in_camera.z(), 0.1f));
        continue;
      }
      const bool is_masked = !view.mask.pixels.empty() && *view.mask.at(x, y) == 0;
      if (left < 0.7f || is_masked || direction.z() < -0.02f) continue;
      const Vec3f rgb(view.target.row(0, y)[x], view.target.row(1, y)[x], view.target.row(2, y)[x]);
      if (sky.isSky(direction, rgb)) continue;
      const float far = range > 1 && range < kMostRange ? range : kFar;
      found_.push_back({index, x, y, direction, rgb, far / flat, kStep / focal});
    }
  }
}

GaussianCloud UnseenSplats::make(int sh_degree, size_t max_count) const {
  std::vector<float> distances(found_.size());
  parallelFor(found_.size(), 64, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) distances[i] = distanceOf(found_[i]);
  });
  GaussianCloud cloud;
  cloud.sh_degree = sh_degree;
  cloud.resize(found_.size());
  std::fill(cloud.sh_rest.begin(), cloud.sh_rest.end(), 0.0f);
  for (size_t i = 0; i < found_.size(); ++i) {
    const Found& found = found_[i];
    const Vec3f position = views_[found.view].eye.cast<float>() + distances[i] * found.direction;
    for (size_t k = 0; k < 3; ++k) {
      constexpr float kC0 = 0.28209479177387814f;
      cloud.position[k][i] = position[static_cast<int>(k)];
      cloud.sh_dc[k][i] = (found.rgb[static_cast<int>(k)] - 0.5f) / kC0;
      cloud.log_scale[k][i] = logFromScale(0.5f * distances[i] * found.per_size);
      cloud.rotation[k][i] = 0;
    }
    cloud.rotation[3][i] = 1;
    cloud.logit_opacity[i] = -1.4f;  // a guess gives way easily
  }
  std::vector<Vec3> eyes;
  for (const Seen& view : views_) eyes.push_back(view.eye);
  return thinOut(cloud, eyes, max_count);
}

}  // namespace gs

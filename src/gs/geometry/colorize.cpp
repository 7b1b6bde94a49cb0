// SPDX-License-Identifier: Apache-2.0
#include "gs/geometry/colorize.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "gs/core/error.hpp"
#include "gs/core/parallel.hpp"
#include "gs/geometry/camera_projection.hpp"
#include "gs/geometry/voxel_bricks.hpp"

namespace gs {
namespace {

constexpr size_t kImagesPerBatch = 8;
constexpr size_t kPointsPerBlock = 256;
constexpr int kDepthScale = 2;         // pixels of the image per pixel of the depth test
constexpr int kMaxSplat = 6;           // depth pixels to each side
constexpr float kOccluderSize = 0.6f;  // m; scans are sparse, and things move on until the image
constexpr int kMaxOccluderSplat = 20;
constexpr Duration kMaxOccluderAge{200'000'000};
constexpr size_t kViewsKept = 5;  // per point
constexpr int kFillRounds = 4;    // voxels that a colour spreads into what no camera saw

struct Sight {
  float score = 0;
  std::array<uint8_t, 3> color{};
};
struct PointSight {
  uint32_t point;
  Sight sight;
};

// Consecutive points of a cloud lie together; a sphere around some of them is skipped at once.
struct Block {
  Vec3f centre;
  float radius;
};

std::vector<Block> blocksOf(const MapCloud& cloud) {
  std::vector<Block> blocks((cloud.size() + kPointsPerBlock - 1) / kPointsPerBlock);
  for (size_t b = 0; b < blocks.size(); ++b) {
    const size_t begin = b * kPointsPerBlock, end = std::min(cloud.size(), begin + kPointsPerBlock);
    Vec3f low = cloud.positions[begin], high = low;
    for (size_t i = begin; i < end; ++i) {
      low = low.cwiseMin(cloud.positions[i]);
      high = high.cwiseMax(cloud.positions[i]);
    }
    blocks[b] = {(low + high) / 2, (high - low).norm() / 2};
  }
  return blocks;
}

std::vector<size_t> chooseImages(const ImageSource& images, const ColorizeOptions& options) {
  std::map<std::string, Rigid3> last;  // per camera
  std::vector<size_t> chosen;
  const double min_turn = options.min_turn_deg * std::numbers::pi / 180;
  for (size_t i = 0; i < images.poses.size(); ++i) {
    const Rigid3& pose = images.poses[i].map_from_camera;
    if (!pose.translation.allFinite() || !pose.rotation.coeffs().allFinite()) continue;
    const auto [found, is_first] = last.try_emplace(images.poses[i].camera.frame_id, pose);
    const bool is_due =
        is_first || (pose.translation - found->second.translation).norm() >= options.min_travel ||
        pose.rotation.angularDistance(found->second.rotation) >= min_turn;
    if (!is_due) continue;
    found->second = pose;
    chosen.push_back(i);
  }
  return chosen;
}

struct Candidate {
  uint32_t point;
  float x, y, depth;
  float cosine;  // how squarely the surface faces the camera
};

// The nearest depth per pixel, each point being a square as large as its surroundings.
class DepthTest {
 public:
  DepthTest(int width, int height, double focal_length)
      : width_(width / kDepthScale + 1),
        height_(height / kDepthScale + 1),
        focal_(static_cast<float>(focal_length / kDepthScale)),
        depth_(static_cast<size_t>(width_) * height_, 1e9f) {}

  void add(const Candidate& c, float spacing, int max_splat = kMaxSplat) {
    const int reach = splat(c.depth, spacing, max_splat);
    const int x = static_cast<int>(c.x / kDepthScale), y = static_cast<int>(c.y / kDepthScale);
    for (int v = std::max(0, y - reach); v <= std::min(height_ - 1, y + reach); ++v)
      for (int u = std::max(0, x - reach); u <= std::min(width_ - 1, x + reach); ++u) {
        float& depth = depth_[static_cast<size_t>(v) * width_ + u];
        depth = std::min(depth, c.depth);
      }
  }
  bool isVisible(const Candidate& c, float spacing) const {
    const int x = static_cast<int>(c.x / kDepthScale), y = static_cast<int>(c.y / kDepthScale);
    // Along a slanted surface the square of a nearer neighbour lies in front by this much.
    const float slant = static_cast<float>(splat(c.depth, spacing, kMaxSplat) + 1) * c.depth /
                        focal_ / std::max(c.cosine, 0.05f);
    return c.depth <= depth_[static_cast<size_t>(y) * width_ + x] + 0.15f + 1.5f * slant;
  }

 private:
  int splat(float depth, float spacing, int max_splat) const {
    return std::min(max_splat, static_cast<int>(0.6f * spacing * focal_ / depth + 0.5f));
  }
  int width_, height_;
  float focal_;
  std::vector<float> depth_;
};

std::array<uint8_t, 3> colorAt(const Image8& image, float x, float y) {
  const int x0 = std::min(static_cast<int>(x), image.width - 2 < 0 ? 0 : image.width - 2);
  const int y0 = std::min(static_cast<int>(y), image.height - 2 < 0 ? 0 : image.height - 2);
  const int x1 = std::min(x0 + 1, image.width - 1), y1 = std::min(y0 + 1, image.height - 1);
  const float fx = x - static_cast<float>(x0), fy = y - static_cast<float>(y0);
  std::array<uint8_t, 3> color{};
  for (int c = 0; c < 3; ++c) {
    const int k = image.channels >= 3 ? c : 0;
    const auto at = [&](int u, int v) { return static_cast<float>(image.at(u, v)[k]); };
    const float top = at(x0, y0) + fx * (at(x1, y0) - at(x0, y0));
    const float low = at(x0, y1) + fx * (at(x1, y1) - at(x0, y1));
    color[c] = static_cast<uint8_t>(std::lround(top + fy * (low - top)));
  }
  return color;
}

// Points on moving things at about the time of an image, in the map frame.
std::vector<Vec3> movingPointsAt(Stamp stamp, const MovingOccluders* occluders) {
  std::vector<Vec3> points;
  if (occluders == nullptr || occluders->stamps.empty()) return points;
  const std::vector<Stamp>& stamps = occluders->stamps;
  auto nearest = std::lower_bound(stamps.begin(), stamps.end(), stamp);
  if (nearest == stamps.end() ||
      (nearest != stamps.begin() && stamp - *(nearest - 1) < *nearest - stamp))
    --nearest;
  if (std::abs((*nearest - stamp).ns) > kMaxOccluderAge.ns) return points;
  const PosedScan scan = occluders->scans.load(static_cast<size_t>(nearest - stamps.begin()));
  for (const uint32_t i : occluders->moving.findIn(scan))
    points.push_back(scan.map_from_base *
                     Vec3(scan.points[i].x, scan.points[i].y, scan.points[i].z));
  return points;
}

std::vector<PointSight> lookThrough(const MapCloud& cloud, const std::vector<Block>& blocks,
                                    const ImagePose& pose, const Image8& image,
                                    const std::vector<Vec3>& moving, double max_depth) {
  const CameraProjection projection(pose.camera);
  const Rigid3 camera_from_origin =
      (Rigid3{Quat::Identity(), -cloud.origin} * pose.map_from_camera).inverse();
  const Mat3 rotation = camera_from_origin.rotation.toRotationMatrix();
  const Vec3f eye = (pose.map_from_camera.translation - cloud.origin).cast<float>();
  const bool is_ros = pose.camera.camera_convention == CameraConvention::Ros;
  const Vec3f forward = (pose.map_from_camera.rotation * Vec3(0, 0, is_ros ? -1 : 1)).cast<float>();

  std::vector<Candidate> candidates;
  for (size_t b = 0; b < blocks.size(); ++b) {
    const Vec3f to_block = blocks[b].centre - eye;
    if (to_block.norm() - blocks[b].radius > static_cast<float>(max_depth) ||
        to_block.dot(forward) < -blocks[b].radius)
      continue;
    const size_t begin = b * kPointsPerBlock, end = std::min(cloud.size(), begin + kPointsPerBlock);
    for (size_t i = begin; i < end; ++i) {
      const auto pixel = projection.project(rotation * cloud.positions[i].cast<double>() +
                                            camera_from_origin.translation);
      if (!pixel || pixel->depth > max_depth || pixel->depth < 0.3) continue;
      const Vec3f ray = (cloud.positions[i] - eye).normalized();
      const Vec3f& normal = cloud.normals[i];
      candidates.push_back({static_cast<uint32_t>(i), static_cast<float>(pixel->x),
                            static_cast<float>(pixel->y), static_cast<float>(pixel->depth),
                            normal.isZero() ? 0.5f : std::abs(normal.dot(ray))});
    }
  }
  DepthTest depth(pose.camera.image_width, pose.camera.image_height, projection.focalLength());
  for (const Candidate& c : candidates) depth.add(c, cloud.spacing[c.point]);
  const Rigid3 camera_from_map = pose.map_from_camera.inverse();
  for (const Vec3& p : moving)
    if (const auto pixel = projection.project(camera_from_map * p))
      depth.add({0, static_cast<float>(pixel->x), static_cast<float>(pixel->y),
                 static_cast<float>(pixel->depth), 1},
                kOccluderSize, kMaxOccluderSplat);

  std::vector<PointSight> sights;
  const float half = 0.5f * static_cast<float>(image.width);
  for (const Candidate& c : candidates) {
    if (!depth.isVisible(c, cloud.spacing[c.point])) continue;
    const float dx = c.x / half - 1;
    const float central = 1 - 0.5f * std::min(1.0f, dx * dx);
    const float score = (0.1f + c.cosine) * central / (2 + c.depth);
    sights.push_back({c.point, {score, colorAt(image, c.x, c.y)}});
  }
  return sights;
}

// Keeps the best views of a point, the best first.
void keep(std::array<Sight, kViewsKept>& best, const Sight& sight) {
  if (sight.score <= best.back().score) return;
  size_t at = kViewsKept - 1;
  for (; at > 0 && best[at - 1].score < sight.score; --at) best[at] = best[at - 1];
  best[at] = sight;
}

// Per channel, each view counting by its score.
std::array<uint8_t, 3> medianOf(const std::array<Sight, kViewsKept>& best) {
  std::array<uint8_t, 3> color{};
  for (int c = 0; c < 3; ++c) {
    std::array<Sight, kViewsKept> sorted = best;
    std::sort(sorted.begin(), sorted.end(),
              [c](const Sight& a, const Sight& b) { return a.color[c] < b.color[c]; });
    float total = 0, sum = 0;
    for (const Sight& sight : sorted) total += sight.score;
    for (const Sight& sight : sorted)
      if ((sum += sight.score) >= total / 2) {
        color[c] = sight.color[c];
        break;
      }
  }
  return color;
}

// What no camera saw takes the mean colour of the voxels around it, from outside inwards.
void spreadColors(MapCloud& cloud) {
  const double inverse = 1 / std::max(cloud.voxel_size, 0.02);
  KeyIndex index;
  const auto keyOf = [](VoxelCoord v) {
    const auto part = [](int32_t c) { return static_cast<uint64_t>(c + (1 << 20)) & 0x1fffff; };
    return part(v.x) | part(v.y) << 21 | part(v.z) << 42;
  };
  std::vector<uint32_t> point_of;
  for (uint32_t i = 0; i < cloud.size(); ++i)
    if (index.findOrAdd(keyOf(voxelAt(cloud.positions[i].cast<double>(), inverse))) ==
        point_of.size())
      point_of.push_back(i);
  std::vector<uint8_t> has_color = cloud.is_colored;
  std::vector<uint32_t> open;
  for (uint32_t i = 0; i < cloud.size(); ++i)
    if (!has_color[i]) open.push_back(i);
  for (int round = 0; round < kFillRounds && !open.empty(); ++round) {
    std::vector<uint8_t> next(open.size(), 0);
    parallelFor(open.size(), 4096, [&](size_t begin, size_t end) {
      for (size_t k = begin; k < end; ++k) {
        const VoxelCoord v = voxelAt(cloud.positions[open[k]].cast<double>(), inverse);
        std::array<uint32_t, 3> sum{};
        uint32_t count = 0;
        for (int n = 0; n < 27; ++n) {
          const uint32_t found =
              index.find(keyOf({v.x + n % 3 - 1, v.y + n / 3 % 3 - 1, v.z + n / 9 - 1}));
          if (found == KeyIndex::kNone || !has_color[point_of[found]]) continue;
          for (int c = 0; c < 3; ++c) sum[c] += cloud.colors[point_of[found]][c];
          ++count;
        }
        if (count == 0) continue;
        for (int c = 0; c < 3; ++c) cloud.colors[open[k]][c] = static_cast<uint8_t>(sum[c] / count);
        next[k] = 1;
      }
    });
    std::vector<uint32_t> rest;
    for (size_t k = 0; k < open.size(); ++k) {
      if (next[k]) has_color[open[k]] = 1;
      else rest.push_back(open[k]);
    }
    open = std::move(rest);
  }
}

}  // namespace

ColorizeCounts colorize(MapCloud& cloud, const ImageSource& images, const ColorizeOptions& options,
                        const MovingOccluders* occluders) {
  if (!(options.min_travel >= 0) || !(options.min_turn_deg > 0) || !(options.max_depth > 0))
    throw Error({.code = ErrorCode::ConfigInvalid,
                 .component = "geometry_builder",
                 .message = "colours need min_travel >= 0, min_turn_deg > 0 and max_depth > 0"});
  ColorizeCounts counts;
  const std::vector<Block> blocks = blocksOf(cloud);
  const std::vector<size_t> chosen = chooseImages(images, options);
  std::vector<std::array<Sight, kViewsKept>> best(cloud.size());
  for (size_t first = 0; first < chosen.size(); first += kImagesPerBatch) {
    const size_t batch = std::min(kImagesPerBatch, chosen.size() - first);
    std::vector<std::vector<PointSight>> sights(batch);
    std::vector<uint8_t> is_skipped(batch, 0);
    parallelFor(batch, 1, [&](size_t i, size_t) {
      const ImagePose& pose = images.poses[chosen[first + i]];
      const Image8 image = images.load(chosen[first + i]);
      is_skipped[i] = image.width != pose.camera.image_width ||
                      image.height != pose.camera.image_height || image.pixels.empty();
      if (!is_skipped[i])
        sights[i] = lookThrough(cloud, blocks, pose, image, movingPointsAt(pose.stamp, occluders),
                                options.max_depth);
    });
    for (size_t i = 0; i < batch; ++i) {
      ++(is_skipped[i] ? counts.images_skipped : counts.images_used);
      for (const PointSight& s : sights[i]) keep(best[s.point], s.sight);
    }
    if (options.progress)
      options.progress(static_cast<double>(first + batch) / static_cast<double>(chosen.size()));
  }
  cloud.colors.assign(cloud.size(), {128, 128, 128});
  cloud.is_colored.assign(cloud.size(), 0);
  parallelFor(cloud.size(), 16384, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      if (!(best[i][0].score > 0)) continue;
      cloud.is_colored[i] = 1;
      cloud.colors[i] = medianOf(best[i]);
    }
  });
  for (const uint8_t is_colored : cloud.is_colored) counts.points_colored += is_colored;
  spreadColors(cloud);
  return counts;
}

}  // namespace gs

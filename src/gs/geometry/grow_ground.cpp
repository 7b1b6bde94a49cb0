// SPDX-License-Identifier: Apache-2.0
#include "gs/geometry/grow_ground.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <queue>

namespace gs {
namespace {

constexpr float kUnknown = std::numeric_limits<float>::quiet_NaN();
constexpr double kSeedRadius = 1.5;               // m around a pose
constexpr float kSeedDepth = 3, kSeedHeight = 1;  // m below and above base_link
constexpr float kEvenStep = 0.05f;                // m; such a step asks no further questions
constexpr float kMinUp = 0.6f;                    // of the normal, for higher steps
constexpr double kMaxGap = 1.0;                   // m to grow over what was not seen
constexpr float kSameSurface = 0.04f;             // m; points this close in height are averaged

// Near points count more: poses err more with distance than in height.
float weightOf(const MapCloud& cloud, uint32_t i) {
  const float near = cloud.nearest_range[i] / 15;
  return static_cast<float>(std::min(cloud.hits[i], 50u)) / (1 + near * near);
}

class GroundGrowth {
 public:
  GroundGrowth(const CellGrid& grid, const CellPoints& cells, const MapCloud& cloud,
               const GroundOptions& options)
      : grid_(grid),
        cells_(cells),
        cloud_(cloud),
        max_step_(static_cast<float>(options.max_step)),
        max_rise_(static_cast<float>(options.max_step + options.max_slope * 1.5)),
        max_gap_(static_cast<int>(std::ceil(kMaxGap / grid.resolution))),
        coarse_cells_(std::max(1, static_cast<int>(std::lround(1 / grid.resolution)))),
        coarse_width_(grid.width / coarse_cells_ + 3),
        heights_(grid.size(), kUnknown),
        gap_(grid.size(), std::numeric_limits<uint8_t>::max()),
        lowest_(static_cast<size_t>(coarse_width_) * (grid.height / coarse_cells_ + 3),
                std::numeric_limits<float>::infinity()) {}

  void seed(const Rigid3& map_from_base) {
    const Vec3 p = map_from_base.translation;
    const std::optional<float> level = levelUnder(p);
    if (!level) return;
    const int col = grid_.colOf(p.x()), row = grid_.rowOf(p.y());
    for (int dr = -2; dr <= 2; ++dr)
      for (int dc = -2; dc <= 2; ++dc) propose(col + dc, row + dr, *level, 0);
  }

  std::vector<float> grow() {
    while (!queue_.empty()) {
      const Step step = queue_.top();
      queue_.pop();
      const int col = static_cast<int>(step.cell % grid_.width);
      const int row = static_cast<int>(step.cell / grid_.width);
      if (!std::isnan(heights_[step.cell])) continue;
      if (!std::isnan(step.height)) {
        accept(step.cell, col, row, step.height);
        proposeAround(col, row, step.height, 0);
      } else if (step.gap < gap_[step.cell]) {
        gap_[step.cell] = static_cast<uint8_t>(step.gap);
        proposeAround(col, row, step.from, step.gap);
      }
    }
    return std::move(heights_);
  }

 private:
  struct Step {
    float cost;
    float height;  // NaN: nothing to stand on here, only on the way
    float from;    // height it came from
    int gap;
    size_t cell;
    bool operator<(const Step& other) const {  // the queue gives the greatest first
      return cost != other.cost ? cost > other.cost : cell > other.cell;
    }
  };

  // Median height of level points around a pose; the car has driven here, so it is the ground.
  std::optional<float> levelUnder(const Vec3& p) const {
    const auto z = static_cast<float>(p.z() - cloud_.origin.z());
    const int reach = static_cast<int>(kSeedRadius / grid_.resolution);
    const int col = grid_.colOf(p.x()), row = grid_.rowOf(p.y());
    std::vector<std::pair<float, float>> heights;  // and weights
    float total = 0;
    for (int r = row - reach; r <= row + reach; ++r)
      for (int c = col - reach; c <= col + reach; ++c) {
        if (!grid_.contains(c, r)) continue;
        const size_t cell = grid_.index(c, r);
        for (uint32_t k = cells_.first[cell]; k < cells_.first[cell + 1]; ++k) {
          const uint32_t i = cells_.points[k];
          const float height = cloud_.positions[i].z();
          if (height < z - kSeedDepth || height > z + kSeedHeight) continue;
          if (cloud_.normals[i].z() < 0.8f) continue;
          heights.emplace_back(height, weightOf(cloud_, i));
          total += heights.back().second;
        }
      }
    std::sort(heights.begin(), heights.end());
    float sum = 0;
    for (const auto& [height, weight] : heights)
      if ((sum += weight) >= total / 2) return height;
    return std::nullopt;
  }

  // The surface in a cell that continues height `from`, if there is one.
  float surfaceIn(size_t cell, float from, int gap) const {
    const float even = kEvenStep + 0.02f * static_cast<float>(gap);
    uint32_t best = 0;
    float best_distance = max_step_;
    bool is_found = false;
    for (uint32_t k = cells_.first[cell]; k < cells_.first[cell + 1]; ++k) {
      const uint32_t i = cells_.points[k];
      const float distance = std::abs(cloud_.positions[i].z() - from);
      if (distance >= best_distance) continue;
      const bool is_level = cloud_.normals[i].z() > kMinUp;
      const bool is_good_step = is_level && cloud_.hits[i] > 1;
      if (!is_level && distance > 0.4f * even) continue;
      if (distance > even && !is_good_step) continue;
      best = i;
      best_distance = distance;
      is_found = true;
    }
    if (!is_found) return kUnknown;
    const float level = cloud_.positions[best].z();
    float sum = 0, weights = 0;
    for (uint32_t k = cells_.first[cell]; k < cells_.first[cell + 1]; ++k) {
      const uint32_t i = cells_.points[k];
      const float z = cloud_.positions[i].z();
      if (std::abs(z - level) > kSameSurface) continue;
      const float weight = weightOf(cloud_, i);
      sum += weight * (z - level);
      weights += weight;
    }
    return level + (weights > 0 ? sum / weights : 0.0f);
  }

  void propose(int col, int row, float from, int gap) {
    if (!grid_.contains(col, row)) return;
    const size_t cell = grid_.index(col, row);
    if (!std::isnan(heights_[cell])) return;
    float height = surfaceIn(cell, from, gap);
    if (!std::isnan(height) && std::abs(height - lowestAround(col, row, height)) > max_rise_)
      height = kUnknown;
    if (!std::isnan(height)) {
      queue_.push(
          {std::abs(height - from) + 0.01f * static_cast<float>(gap), height, from, 0, cell});
    } else if (gap < max_gap_ && gap + 1 < gap_[cell]) {
      // Behind all real ground: crossing what was not seen is the last resort.
      queue_.push({10 + static_cast<float>(gap), kUnknown, from, gap + 1, cell});
    }
  }
  void proposeAround(int col, int row, float from, int gap) {
    propose(col - 1, row, from, gap);
    propose(col + 1, row, from, gap);
    propose(col, row - 1, from, gap);
    propose(col, row + 1, from, gap);
  }

  // Steps are small everywhere on a hedge too; what counts is the rise over a metre.
  float lowestAround(int col, int row, float otherwise) const {
    float lowest = otherwise;
    for (int dr = 0; dr <= 2; ++dr)
      for (int dc = 0; dc <= 2; ++dc)
        lowest = std::min(lowest, lowest_[coarseIndex(col, row) + dr * coarse_width_ + dc]);
    return lowest;
  }
  // Of the coarse cell one up and one left of the one that holds (col, row).
  size_t coarseIndex(int col, int row) const {
    return static_cast<size_t>(row / coarse_cells_) * coarse_width_ + col / coarse_cells_;
  }
  void accept(size_t cell, int col, int row, float height) {
    heights_[cell] = height;
    float& lowest = lowest_[coarseIndex(col, row) + coarse_width_ + 1];
    lowest = std::min(lowest, height);
  }

  const CellGrid& grid_;
  const CellPoints& cells_;
  const MapCloud& cloud_;
  float max_step_, max_rise_;
  int max_gap_, coarse_cells_, coarse_width_;
  std::vector<float> heights_;
  std::vector<uint8_t> gap_;
  std::vector<float> lowest_;  // per coarse cell of about a metre, with a border
  std::priority_queue<Step> queue_;
};

}  // namespace

std::vector<float> growGround(const CellGrid& grid, const CellPoints& cells, const MapCloud& cloud,
                              const std::vector<Rigid3>& map_from_base,
                              const GroundOptions& options) {
  GroundGrowth growth(grid, cells, cloud, options);
  Vec3 last = Vec3::Constant(std::numeric_limits<double>::infinity());
  for (const Rigid3& pose : map_from_base) {
    if ((pose.translation - last).norm() < 0.5) continue;  // a car that waits says it once
    last = pose.translation;
    growth.seed(pose);
  }
  return growth.grow();
}

}  // namespace gs

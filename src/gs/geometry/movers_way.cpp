// SPDX-License-Identifier: Apache-2.0
#include "gs/geometry/movers_way.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gs {
namespace {

constexpr double kCell = 0.2;           // m
constexpr int kGap = 3;                 // cells on each side that are filled
constexpr double kAboveGround = 0.15;   // m; lower is the road
constexpr double kStandingVoxel = 0.1;  // m
constexpr double kMaxCells = 5e7;       // 1.4 km by 1.4 km
constexpr float kNone = -std::numeric_limits<float>::infinity();

uint64_t keyOf(VoxelCoord v) {
  const auto part = [](int32_t c) { return static_cast<uint64_t>(c + (1 << 20)) & 0x1fffff; };
  return part(v.z) << 42 | part(v.y) << 21 | part(v.x);
}

bool isSound(const std::array<float, 3>& p) {
  return std::isfinite(p[0]) && std::isfinite(p[1]) && std::isfinite(p[2]);
}

// The highest (or lowest) value within `reach` cells, along rows and then along columns.
template <typename Better>
std::vector<float> spread(const std::vector<float>& cells, int columns, int rows, int reach,
                          float outside, const Better& better) {
  const auto pass = [&](const std::vector<float>& from, int count, int lines, int step, int jump) {
    std::vector<float> to(from.size());
    for (int line = 0; line < lines; ++line)
      for (int i = 0; i < count; ++i) {
        float best = i < reach || i + reach >= count ? outside : from[line * jump + i * step];
        for (int k = std::max(0, i - reach); k <= std::min(count - 1, i + reach); ++k)
          best = better(best, from[line * jump + k * step]);
        to[line * jump + i * step] = best;
      }
    return to;
  };
  return pass(pass(cells, columns, rows, 1, columns), rows, columns, columns, 1);
}

}  // namespace

MoversWay::MoversWay(const Positions& moving, const Positions& standing, const Heightmap& ground)
    : ground_(ground) {
  double low_x = 1e30, low_y = 1e30, high_x = -1e30, high_y = -1e30;
  for (const auto& p : moving) {
    if (!isSound(p)) continue;
    low_x = std::min<double>(low_x, p[0]), high_x = std::max<double>(high_x, p[0]);
    low_y = std::min<double>(low_y, p[1]), high_y = std::max<double>(high_y, p[1]);
  }
  if (!(low_x <= high_x)) return;
  constexpr double kBorder = (2 * kGap + 1) * kCell;
  origin_x_ = low_x - kBorder, origin_y_ = low_y - kBorder;
  const double wide = (high_x - low_x + 2 * kBorder) / kCell,
               high = (high_y - low_y + 2 * kBorder) / kCell;
  if (wide * high > kMaxCells) return;
  columns_ = static_cast<int>(wide) + 1, rows_ = static_cast<int>(high) + 1;
  tops_.assign(static_cast<size_t>(columns_) * rows_, kNone);
  for (const auto& p : moving) {
    if (!isSound(p)) continue;
    const auto column = static_cast<int>((p[0] - origin_x_) / kCell);
    const auto row = static_cast<int>((p[1] - origin_y_) / kCell);
    float& top = tops_[static_cast<size_t>(row) * columns_ + column];
    top = std::max(top, p[2]);
  }
  closeGaps();
  for (const auto& p : standing)
    if (isSound(p)) standing_.findOrAdd(keyOf(voxelAt(Vec3(p[0], p[1], p[2]), 1 / kStandingVoxel)));
}

void MoversWay::closeGaps() {
  const auto higher = [](float a, float b) { return std::max(a, b); };
  const auto lower = [](float a, float b) { return std::min(a, b); };
  tops_ = spread(spread(tops_, columns_, rows_, kGap, kNone, higher), columns_, rows_, kGap, kNone,
                 lower);
}

bool MoversWay::contains(const Vec3& p) const {
  if (tops_.empty() || !p.allFinite()) return false;
  const double x = (p.x() - origin_x_) / kCell, y = (p.y() - origin_y_) / kCell;
  if (!(x >= 0 && y >= 0 && x < columns_ && y < rows_)) return false;
  const auto top =
      static_cast<double>(tops_[static_cast<size_t>(y) * columns_ + static_cast<size_t>(x)]);
  const double road = heightAt(ground_, p.x(), p.y());
  if (!(p.z() < top + kStandingVoxel) || !(p.z() > road + kAboveGround)) return false;
  const VoxelCoord v = voxelAt(p, 1 / kStandingVoxel);
  for (int i = 0; i < 27; ++i)
    if (standing_.find(keyOf({v.x + i % 3 - 1, v.y + i / 3 % 3 - 1, v.z + i / 9 - 1})) !=
        KeyIndex::kNone)
      return false;
  return true;
}

}  // namespace gs

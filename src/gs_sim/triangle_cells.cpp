// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/triangle_cells.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gs_sim {
namespace {

using Corners = std::array<gs::Vec3, 3>;

// Whether an axis separates the triangle from the box [-half, half]. A zero axis separates nothing.
bool separates(const gs::Vec3& axis, const Corners& t, const gs::Vec3& half) {
  const double a = axis.dot(t[0]), b = axis.dot(t[1]), c = axis.dot(t[2]);
  const double reach = half.dot(axis.cwiseAbs());
  return std::min({a, b, c}) > reach || std::max({a, b, c}) < -reach;
}

// Separating axes of a box and a triangle (Akenine-Moeller 2001): three faces of the box, the
// normal, and the nine products of their edges. The box is centred and aligned.
bool touches(const Corners& t, const gs::Vec3& half) {
  const std::array<gs::Vec3, 3> edges = {t[1] - t[0], t[2] - t[1], t[0] - t[2]};
  for (int i = 0; i < 3; ++i)
    if (separates(gs::Vec3::Unit(i), t, half)) return false;
  if (separates(edges[0].cross(edges[1]), t, half)) return false;
  for (int i = 0; i < 3; ++i)
    for (const gs::Vec3& edge : edges)
      if (separates(gs::Vec3::Unit(i).cross(edge), t, half)) return false;
  return true;
}

bool isTouching(const TriangleCells::Triangle& t, const CollisionBody& body,
                const gs::Rigid3& base_from_frame, const gs::Vec3& low, const gs::Vec3& high) {
  for (int axis = 0; axis < 3; ++axis) {
    const auto [least, most] = std::minmax({t[0][axis], t[1][axis], t[2][axis]});
    if (least > high[axis] || most < low[axis]) return false;
  }
  Corners in_body;
  for (int i = 0; i < 3; ++i)
    in_body[i] = base_from_frame * gs::Vec3(t[i][0], t[i][1], t[i][2]) - body.centre;
  return touches(in_body, body.half);
}

}  // namespace

CollisionBody::CollisionBody(const VehicleParameters& vehicle) {
  const gs::BodyBox box = gs::boxOf(vehicle.body, vehicle.wheelbase);
  centre = (box.low + box.high) / 2;
  half = (box.high - box.low) / 2;
}

TriangleCells::TriangleCells(std::vector<Triangle> triangles) : triangles_(std::move(triangles)) {
  sortIntoCells();
}

bool TriangleCells::isTouchedBy(const CollisionBody& body,
                                const gs::Rigid3& frame_from_base) const {
  if (triangles_.empty()) return false;
  gs::Vec3 low = gs::Vec3::Constant(std::numeric_limits<double>::infinity()), high = -low;
  for (int corner = 0; corner < 8; ++corner) {
    const gs::Vec3 sign(corner & 1 ? 1 : -1, corner & 2 ? 1 : -1, corner & 4 ? 1 : -1);
    const gs::Vec3 corner_in_frame = frame_from_base * (body.centre + body.half.cwiseProduct(sign));
    low = low.cwiseMin(corner_in_frame);
    high = high.cwiseMax(corner_in_frame);
  }
  const gs::Rigid3 base_from_frame = frame_from_base.inverse();
  const auto [first_col, last_col] = cellRange(low.x() - min_x_, high.x() - min_x_, cols_);
  const auto [first_row, last_row] = cellRange(low.y() - min_y_, high.y() - min_y_, rows_);
  for (int64_t row = first_row; row <= last_row; ++row)
    for (int64_t col = first_col; col <= last_col; ++col) {
      const size_t cell = static_cast<size_t>(row * cols_ + col);
      for (uint32_t i = cell_begin_[cell]; i < cell_begin_[cell + 1]; ++i)
        if (isTouching(triangles_[in_cells_[i]], body, base_from_frame, low, high)) return true;
    }
  return false;
}

void TriangleCells::forEachCell(const auto& visit) const {
  for (size_t i = 0; i < triangles_.size(); ++i) {
    const Triangle& t = triangles_[i];
    const auto [low_x, high_x] = std::minmax({t[0][0], t[1][0], t[2][0]});
    const auto [low_y, high_y] = std::minmax({t[0][1], t[1][1], t[2][1]});
    const auto [first_col, last_col] = cellRange(low_x - min_x_, high_x - min_x_, cols_);
    const auto [first_row, last_row] = cellRange(low_y - min_y_, high_y - min_y_, rows_);
    for (int64_t row = first_row; row <= last_row; ++row)
      for (int64_t col = first_col; col <= last_col; ++col)
        visit(static_cast<size_t>(row * cols_ + col), static_cast<uint32_t>(i));
  }
}

void TriangleCells::sortIntoCells() {
  if (triangles_.empty()) return;
  double max_x = -std::numeric_limits<double>::infinity(), max_y = max_x;
  min_x_ = min_y_ = -max_x;
  for (const Triangle& t : triangles_)
    for (const auto& p : t) {
      min_x_ = std::min<double>(min_x_, p[0]);
      max_x = std::max<double>(max_x, p[0]);
      min_y_ = std::min<double>(min_y_, p[1]);
      max_y = std::max<double>(max_y, p[1]);
    }
  cell_ = kCell;
  const auto count = [&](double extent) { return std::floor(extent / cell_) + 1; };
  while (count(max_x - min_x_) * count(max_y - min_y_) > kMaxCells) cell_ *= 2;
  cols_ = static_cast<int64_t>(count(max_x - min_x_));
  rows_ = static_cast<int64_t>(count(max_y - min_y_));

  cell_begin_.assign(static_cast<size_t>(cols_ * rows_) + 1, 0);
  forEachCell([&](size_t cell, uint32_t) { ++cell_begin_[cell + 1]; });
  for (size_t i = 1; i < cell_begin_.size(); ++i) cell_begin_[i] += cell_begin_[i - 1];
  in_cells_.resize(cell_begin_.back());
  std::vector<uint32_t> next(cell_begin_.begin(), cell_begin_.end() - 1);
  forEachCell([&](size_t cell, uint32_t triangle) { in_cells_[next[cell]++] = triangle; });
}

std::pair<int64_t, int64_t> TriangleCells::cellRange(double low, double high, int64_t count) const {
  const double last = static_cast<double>(count - 1);
  if (!(high >= 0 && low <= (last + 1) * cell_)) return {0, -1};
  return {static_cast<int64_t>(std::clamp(std::floor(low / cell_), 0.0, last)),
          static_cast<int64_t>(std::clamp(std::floor(high / cell_), 0.0, last))};
}

}  // namespace gs_sim

// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/collision.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace gs_sim {
namespace {

using Triangle = std::array<gs::Vec3, 3>;

// The body in base_link: x ahead, y left, z up.
struct Body {
  gs::Vec3 centre, half;

  explicit Body(const VehicleParameters& vehicle) {
    const gs::BodyBox box = gs::boxOf(vehicle.body, vehicle.wheelbase);
    centre = (box.low + box.high) / 2;
    half = (box.high - box.low) / 2;
  }
};

// Whether an axis separates the triangle from the box [-half, half]. A zero axis separates nothing.
bool separates(const gs::Vec3& axis, const Triangle& t, const gs::Vec3& half) {
  const double a = axis.dot(t[0]), b = axis.dot(t[1]), c = axis.dot(t[2]);
  const double reach = half.dot(axis.cwiseAbs());
  return std::min({a, b, c}) > reach || std::max({a, b, c}) < -reach;
}

// Separating axes of a box and a triangle (Akenine-Moeller 2001): three faces of the box, the
// normal, and the nine products of their edges. The box is centred and aligned.
bool touches(const Triangle& t, const gs::Vec3& half) {
  const std::array<gs::Vec3, 3> edges = {t[1] - t[0], t[2] - t[1], t[0] - t[2]};
  for (int i = 0; i < 3; ++i)
    if (separates(gs::Vec3::Unit(i), t, half)) return false;
  if (separates(edges[0].cross(edges[1]), t, half)) return false;
  for (int i = 0; i < 3; ++i)
    for (const gs::Vec3& edge : edges)
      if (separates(gs::Vec3::Unit(i).cross(edge), t, half)) return false;
  return true;
}

// Obstacles in square cells of the plane. Triangles that no pose on the ground can touch (the road
// itself, what hangs above the roof) are left out, so that driving along an empty road asks
// nothing.
class MeshCollision final : public CollisionInterface {
 public:
  MeshCollision(const gs::TriangleMesh& mesh, const gs::Heightmap& ground,
                const VehicleParameters& vehicle)
      : body_(vehicle) {
    for (const auto& corners : mesh.triangles) {
      std::array<std::array<float, 3>, 3> triangle;
      for (int i = 0; i < 3; ++i) triangle[i] = mesh.positions[corners[i]];
      if (isObstacle(triangle, ground, vehicle.body)) triangles_.push_back(triangle);
    }
    sortIntoCells();
  }

  bool isCollisionAt(const EgoPose& pose) const override {
    if (triangles_.empty()) return false;
    const gs::Rigid3 map_from_base = mapFromBase(pose);
    gs::Vec3 low = gs::Vec3::Constant(std::numeric_limits<double>::infinity()), high = -low;
    for (int corner = 0; corner < 8; ++corner) {
      const gs::Vec3 sign(corner & 1 ? 1 : -1, corner & 2 ? 1 : -1, corner & 4 ? 1 : -1);
      const gs::Vec3 p_in_map = map_from_base * (body_.centre + body_.half.cwiseProduct(sign));
      low = low.cwiseMin(p_in_map);
      high = high.cwiseMax(p_in_map);
    }
    const gs::Rigid3 base_from_map = map_from_base.inverse();
    const auto [first_col, last_col] = cellRange(low.x() - min_x_, high.x() - min_x_, cols_);
    const auto [first_row, last_row] = cellRange(low.y() - min_y_, high.y() - min_y_, rows_);
    for (int64_t row = first_row; row <= last_row; ++row)
      for (int64_t col = first_col; col <= last_col; ++col) {
        const size_t cell = static_cast<size_t>(row * cols_ + col);
        for (uint32_t i = cell_begin_[cell]; i < cell_begin_[cell + 1]; ++i)
          if (isTouching(triangles_[in_cells_[i]], base_from_map, low, high)) return true;
      }
    return false;
  }

 private:
  using FloatTriangle = std::array<std::array<float, 3>, 3>;
  static constexpr double kCell = 1.0;            // m
  static constexpr int64_t kMaxCells = 16 << 20;  // beyond it cells grow

  static bool isObstacle(const FloatTriangle& triangle, const gs::Heightmap& ground,
                         const VehicleParameters::Body& body) {
    // A margin for what pitch and roll move the body up and down at its ends.
    const double lowest = body.bumper_height / 2, highest = body.height + 1.0;
    bool is_all_below = true, is_all_above = true;
    for (const auto& p : triangle) {
      if (!std::isfinite(p[0] + p[1] + p[2])) return false;
      const double above_ground = p[2] - heightAt(ground, p[0], p[1]);
      is_all_below &= above_ground < lowest;  // false for NaN: no ground known here
      is_all_above &= above_ground > highest;
    }
    return !is_all_below && !is_all_above;
  }

  void sortIntoCells() {
    if (triangles_.empty()) return;
    double max_x = -std::numeric_limits<double>::infinity(), max_y = max_x;
    min_x_ = min_y_ = -max_x;
    for (const FloatTriangle& t : triangles_)
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

  template <typename Visit>
  void forEachCell(const Visit& visit) const {
    for (size_t i = 0; i < triangles_.size(); ++i) {
      const FloatTriangle& t = triangles_[i];
      const auto [low_x, high_x] = std::minmax({t[0][0], t[1][0], t[2][0]});
      const auto [low_y, high_y] = std::minmax({t[0][1], t[1][1], t[2][1]});
      const auto [first_col, last_col] = cellRange(low_x - min_x_, high_x - min_x_, cols_);
      const auto [first_row, last_row] = cellRange(low_y - min_y_, high_y - min_y_, rows_);
      for (int64_t row = first_row; row <= last_row; ++row)
        for (int64_t col = first_col; col <= last_col; ++col)
          visit(static_cast<size_t>(row * cols_ + col), static_cast<uint32_t>(i));
    }
  }

  // First and last cell of an interval along one axis; the last is before the first when the
  // interval lies outside.
  std::pair<int64_t, int64_t> cellRange(double low, double high, int64_t count) const {
    const double last = static_cast<double>(count - 1);
    if (!(high >= 0 && low <= (last + 1) * cell_)) return {0, -1};
    return {static_cast<int64_t>(std::clamp(std::floor(low / cell_), 0.0, last)),
            static_cast<int64_t>(std::clamp(std::floor(high / cell_), 0.0, last))};
  }

  bool isTouching(const FloatTriangle& t, const gs::Rigid3& base_from_map, const gs::Vec3& low,
                  const gs::Vec3& high) const {
    for (int axis = 0; axis < 3; ++axis) {
      const auto [least, most] = std::minmax({t[0][axis], t[1][axis], t[2][axis]});
      if (least > high[axis] || most < low[axis]) return false;
    }
    Triangle in_body;
    for (int i = 0; i < 3; ++i)
      in_body[i] = base_from_map * gs::Vec3(t[i][0], t[i][1], t[i][2]) - body_.centre;
    return touches(in_body, body_.half);
  }

  const Body body_;
  std::vector<FloatTriangle> triangles_;
  double min_x_ = 0, min_y_ = 0, cell_ = kCell;
  int64_t cols_ = 0, rows_ = 0;
  std::vector<uint32_t> cell_begin_, in_cells_;
};

class StepCollision final : public CollisionInterface {
 public:
  StepCollision(std::shared_ptr<const gs::Heightmap> ground, const VehicleParameters& vehicle)
      : ground_(std::move(ground)), body_(vehicle), bumper_height_(vehicle.body.bumper_height) {}

  bool isCollisionAt(const EgoPose& pose) const override {
    const gs::Rigid3 map_from_base = mapFromBase(pose);
    const gs::Mat3 map_from_base_rotation = map_from_base.rotation.toRotationMatrix();
    // A sample (x, y, h) in base_link: rows of the inverse rotation, relative to base_link.
    const gs::Mat3 base_from_map = map_from_base_rotation.transpose();
    const gs::Vec3 centre_in_map = map_from_base * gs::Vec3(body_.centre.x(), 0, 0);
    const double reach = std::hypot(body_.half.x(), body_.half.y());
    const gs::Heightmap& map = *ground_;
    const auto [first_col, last_col] = samples(centre_in_map.x() - reach - map.origin_x,
                                               centre_in_map.x() + reach - map.origin_x, map.width);
    const auto [first_row, last_row] =
        samples(centre_in_map.y() - reach - map.origin_y, centre_in_map.y() + reach - map.origin_y,
                map.height);
    for (int row = first_row; row <= last_row; ++row)
      for (int col = first_col; col <= last_col; ++col) {
        const gs::Vec3 p(map.origin_x + col * map.resolution - pose.x,
                         map.origin_y + row * map.resolution - pose.y, map.at(col, row) - pose.z);
        const gs::Vec3 p_in_base = base_from_map * p;
        // NaN is not higher than anything.
        if (p_in_base.z() > bumper_height_ &&
            std::abs(p_in_base.x() - body_.centre.x()) <= body_.half.x() &&
            std::abs(p_in_base.y()) <= body_.half.y())
          return true;
      }
    return false;
  }

 private:
  std::pair<int, int> samples(double low, double high, int count) const {
    const double last = count - 1;
    if (!(high >= 0 && low <= last * ground_->resolution)) return {0, -1};
    return {static_cast<int>(std::clamp(std::ceil(low / ground_->resolution), 0.0, last)),
            static_cast<int>(std::clamp(std::floor(high / ground_->resolution), 0.0, last))};
  }

  const std::shared_ptr<const gs::Heightmap> ground_;
  const Body body_;
  const double bumper_height_;
};

}  // namespace

std::unique_ptr<CollisionInterface> createMeshCollision(const gs::TriangleMesh& mesh,
                                                        const gs::Heightmap& ground,
                                                        const VehicleParameters& vehicle) {
  return std::make_unique<MeshCollision>(mesh, ground, vehicle);
}

std::unique_ptr<CollisionInterface> createStepCollision(std::shared_ptr<const gs::Heightmap> ground,
                                                        const VehicleParameters& vehicle) {
  return std::make_unique<StepCollision>(std::move(ground), vehicle);
}

}  // namespace gs_sim

// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/mesh_ground.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "gs/core/linear.hpp"

namespace gs_sim {
namespace {

constexpr double kSteepest = 0.5;  // cosine of the steepest slope one can stand on
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

using Corners = std::array<gs::Vec3, 3>;

double cross(const gs::Vec3& a, const gs::Vec3& b, double x, double y) {
  return (b.x() - a.x()) * (y - a.y()) - (b.y() - a.y()) * (x - a.x());
}

// NaN beside the triangle. Its edges belong to it, and a hair more, so that neighbours leave no
// crack.
double heightOn(const Corners& corners, double x, double y) {
  constexpr double kHair = 1e-9;  // m^2
  const auto& [a, b, c] = corners;
  const double u = cross(b, c, x, y), v = cross(c, a, x, y), w = cross(a, b, x, y);
  const bool is_inside =
      (u >= -kHair && v >= -kHair && w >= -kHair) || (u <= kHair && v <= kHair && w <= kHair);
  const double sum = u + v + w;
  if (!is_inside || sum == 0) return kNan;
  return (u * a.z() + v * b.z() + w * c.z()) / sum;
}

std::vector<Corners> flatTriangles(const gs::TriangleMesh& mesh) {
  std::vector<Corners> flat;
  for (const auto& triangle : mesh.triangles) {
    Corners corners;
    bool is_sound = true;
    for (size_t i = 0; i < 3; ++i) {
      is_sound = is_sound && triangle[i] < mesh.positions.size();
      if (!is_sound) break;
      const auto& [x, y, z] = mesh.positions[triangle[i]];
      corners[i] = gs::Vec3(x, y, z);
      is_sound = corners[i].allFinite();
    }
    if (!is_sound) continue;
    const gs::Vec3 normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
    if (std::abs(normal.z()) > kSteepest * normal.norm()) flat.push_back(corners);
  }
  return flat;
}

// Triangles by the cells of a grid that they may lie over.
class TriangleGrid {
 public:
  explicit TriangleGrid(std::vector<Corners> triangles) : triangles_(std::move(triangles)) {
    if (triangles_.empty()) return;
    low_ = high_ = triangles_.front().front().head<2>();
    for (const Corners& corners : triangles_)
      for (const gs::Vec3& p : corners) {
        low_ = low_.cwiseMin(p.head<2>());
        high_ = high_.cwiseMax(p.head<2>());
      }
    const gs::Vec2 size = high_ - low_;
    constexpr double kCell = 1, kMostCells = 2048;  // m; per axis
    columns_ = static_cast<int>(std::clamp(std::ceil(size.x() / kCell), 1.0, kMostCells));
    rows_ = static_cast<int>(std::clamp(std::ceil(size.y() / kCell), 1.0, kMostCells));
    // Triangles as large as the map would stand in every cell: coarser, until they take no more
    // memory than ordinary ones do.
    const size_t most = 16 * triangles_.size() + 1'000'000;
    while (countEntries() > most) {
      columns_ = std::max(1, columns_ / 2);
      rows_ = std::max(1, rows_ / 2);
    }
    sort();
  }

  // Calls `visit(height)` for every triangle over a point.
  void visitHeights(double x, double y, const auto& visit) const {
    // Written so that NaN fails.
    if (begin_.empty() || !(x >= low_.x() && x <= high_.x() && y >= low_.y() && y <= high_.y()))
      return;
    const size_t cell = indexOf(columnOf(x), rowOf(y));
    for (uint32_t i = begin_[cell]; i < begin_[cell + 1]; ++i) {
      const double height = heightOn(triangles_[entries_[i]], x, y);
      if (!std::isnan(height)) visit(height);
    }
  }

 private:
  int columnOf(double x) const { return cellOf(x - low_.x(), high_.x() - low_.x(), columns_); }
  int rowOf(double y) const { return cellOf(y - low_.y(), high_.y() - low_.y(), rows_); }
  static int cellOf(double along, double length, int cells) {
    if (!(length > 0)) return 0;
    return static_cast<int>(std::clamp(along / length * cells, 0.0, cells - 1.0));
  }
  size_t indexOf(int column, int row) const {
    return static_cast<size_t>(row) * static_cast<size_t>(columns_) + static_cast<size_t>(column);
  }

  struct Cells {
    int first_column, last_column, first_row, last_row;
  };
  Cells cellsOf(const Corners& corners) const {
    const auto& [a, b, c] = corners;
    const gs::Vec3 low = a.cwiseMin(b).cwiseMin(c), high = a.cwiseMax(b).cwiseMax(c);
    return {columnOf(low.x()), columnOf(high.x()), rowOf(low.y()), rowOf(high.y())};
  }
  void visitCells(const Corners& corners, const auto& visit) const {
    const Cells cells = cellsOf(corners);
    for (int row = cells.first_row; row <= cells.last_row; ++row)
      for (int column = cells.first_column; column <= cells.last_column; ++column)
        visit(indexOf(column, row));
  }

  size_t countEntries() const {
    size_t count = 0;
    for (const Corners& corners : triangles_) {
      const Cells cells = cellsOf(corners);
      count += static_cast<size_t>(cells.last_column - cells.first_column + 1) *
               static_cast<size_t>(cells.last_row - cells.first_row + 1);
    }
    return count;
  }

  void sort() {
    begin_.assign(static_cast<size_t>(columns_) * static_cast<size_t>(rows_) + 1, 0);
    for (const Corners& corners : triangles_)
      visitCells(corners, [&](size_t cell) { ++begin_[cell + 1]; });
    for (size_t i = 1; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
    entries_.resize(begin_.back());
    std::vector<uint32_t> next = begin_;
    for (uint32_t i = 0; i < triangles_.size(); ++i)
      visitCells(triangles_[i], [&](size_t cell) { entries_[next[cell]++] = i; });
  }

  std::vector<Corners> triangles_;
  gs::Vec2 low_ = gs::Vec2::Zero(), high_ = gs::Vec2::Zero();
  int columns_ = 0, rows_ = 0;
  std::vector<uint32_t> begin_, entries_;  // entries of cell i: from begin_[i] to begin_[i + 1]
};

class MeshGround final : public GroundContactInterface {
 public:
  MeshGround(const gs::TriangleMesh& mesh, std::shared_ptr<const gs::Heightmap> heightmap)
      : grid_(flatTriangles(mesh)), heightmap_(std::move(heightmap)) {}

  double getGroundHeight(double x, double y) const override {
    return highestBetween(x, y, -kInfinity, kInfinity);
  }

  double getGroundHeight(double x, double y, const GroundLevel& level) const override {
    const double here = level.heightAt(x, y);
    return highestBetween(x, y, here - GroundLevel::kDrop, here + level.step);
  }

  double nearestGroundHeight(double x, double y, double z) const override {
    double nearest = kNan;
    visitHeights(x, y, [&](double height) {
      if (!(std::abs(height - z) >= std::abs(nearest - z))) nearest = height;
    });
    return nearest;
  }

 private:
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();

  void visitHeights(double x, double y, const auto& visit) const {
    const double height = heightAt(*heightmap_, x, y);
    if (std::isfinite(height)) visit(height);
    grid_.visitHeights(x, y, visit);
  }

  double highestBetween(double x, double y, double lowest, double highest) const {
    double found = kNan;
    visitHeights(x, y, [&](double height) {
      if (height >= lowest && height <= highest && !(height <= found)) found = height;
    });
    return found;
  }

  const TriangleGrid grid_;
  const std::shared_ptr<const gs::Heightmap> heightmap_;
};

}  // namespace

std::unique_ptr<GroundContactInterface> createMeshGroundContact(
    const gs::TriangleMesh& mesh, std::shared_ptr<const gs::Heightmap> heightmap) {
  return std::make_unique<MeshGround>(mesh, std::move(heightmap));
}

}  // namespace gs_sim

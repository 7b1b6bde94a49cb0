// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "gs/core/rigid3.hpp"
#include "gs_sim/config.hpp"

namespace gs_sim {

// The body of a vehicle in base_link: x ahead, y left, z up.
struct CollisionBody {
  gs::Vec3 centre, half;

  explicit CollisionBody(const VehicleParameters& vehicle);
};

// Triangles in square cells of the plane z = 0 of their frame, so that a body asks only those near
// it.
class TriangleCells {
 public:
  using Triangle = std::array<std::array<float, 3>, 3>;

  TriangleCells() = default;
  explicit TriangleCells(std::vector<Triangle> triangles);  // finite

  // Whether one of them touches a body.
  bool isTouchedBy(const CollisionBody& body, const gs::Rigid3& frame_from_base) const;

 private:
  static constexpr double kCell = 1.0;            // m
  static constexpr int64_t kMaxCells = 16 << 20;  // beyond it cells grow

  void sortIntoCells();
  void forEachCell(const auto& visit) const;
  // First and last cell of an interval along one axis; the last is before the first when the
  // interval lies outside.
  std::pair<int64_t, int64_t> cellRange(double low, double high, int64_t count) const;

  std::vector<Triangle> triangles_;
  double min_x_ = 0, min_y_ = 0, cell_ = kCell;
  int64_t cols_ = 0, rows_ = 0;
  std::vector<uint32_t> cell_begin_, in_cells_;
};

}  // namespace gs_sim

// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/collision.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "gs_sim/triangle_cells.hpp"

namespace gs_sim {
namespace {

// Obstacles of the background. Triangles that no pose on the ground can touch (the road itself,
// what hangs above the roof) are left out, so that driving along an empty road asks nothing.
class MeshCollision final : public CollisionInterface {
 public:
  MeshCollision(const gs::TriangleMesh& mesh, const gs::Heightmap& ground,
                const VehicleParameters& vehicle)
      : body_(vehicle), obstacles_(obstaclesOf(mesh, ground, vehicle.body)) {}

  bool isCollisionAt(const EgoPose& pose) const override {
    return obstacles_.isTouchedBy(body_, mapFromBase(pose));
  }

 private:
  using Triangle = TriangleCells::Triangle;

  static TriangleCells obstaclesOf(const gs::TriangleMesh& mesh, const gs::Heightmap& ground,
                                   const VehicleParameters::Body& body) {
    std::vector<Triangle> triangles;
    for (const auto& corners : mesh.triangles) {
      Triangle triangle;
      for (int i = 0; i < 3; ++i) triangle[i] = mesh.positions[corners[i]];
      if (isObstacle(triangle, ground, body)) triangles.push_back(triangle);
    }
    return TriangleCells(std::move(triangles));
  }

  static bool isObstacle(const Triangle& triangle, const gs::Heightmap& ground,
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

  const CollisionBody body_;
  const TriangleCells obstacles_;
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
  const CollisionBody body_;
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

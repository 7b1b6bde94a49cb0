// SPDX-License-Identifier: Apache-2.0
#include "gs/synthetic/town.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gs/synthetic/town/road_loop.hpp"
#include "gs/synthetic/town/town_model.hpp"

namespace gs {
namespace {

Ring ringAt(double offset, bool is_clockwise) {
  constexpr double kStep = 0.5;
  const auto count = static_cast<int>(std::ceil(road::length() / kStep));
  Ring ring;
  for (int i = 0; i < count; ++i) {
    const Vec2 p = road::pointAt(road::length() * i / count, offset);
    ring.push_back({p.x(), p.y()});
  }
  ring.push_back(ring.front());
  if (is_clockwise) std::reverse(ring.begin(), ring.end());
  return ring;
}

uint8_t toByte(float linear) {
  return static_cast<uint8_t>(
      std::lround(255 * std::pow(std::clamp(linear, 0.0f, 1.0f), 1 / 2.2f)));
}

TriangleMesh toMesh(const TownModel& model) {
  TriangleMesh mesh;
  const size_t count = model.fixed.vertices.size();
  mesh.positions.reserve(count);
  mesh.normals.reserve(count);
  for (const Surface::Vertex& vertex : model.fixed.vertices) {
    mesh.positions.push_back({vertex.position.x(), vertex.position.y(), vertex.position.z()});
    mesh.normals.push_back({vertex.normal.x(), vertex.normal.y(), vertex.normal.z()});
  }
  mesh.colors.resize(count);
  mesh.triangles.reserve(model.fixed.triangles.size());
  for (const Surface::Triangle& triangle : model.fixed.triangles) {
    mesh.triangles.push_back(triangle.corners);
    const Vec3f& color = model.materials[triangle.material].color;
    for (const uint32_t corner : triangle.corners)
      mesh.colors[corner] = {toByte(color.x()), toByte(color.y()), toByte(color.z()), 255};
  }
  return mesh;
}

}  // namespace

Town Town::make(const TownOptions& options) {
  const Rng rng(options.seed);
  auto model = std::make_shared<TownModel>();
  addStreet(*model);
  addBuildings(*model, rng.fork(1));
  addFarTown(*model, rng.fork(2));
  addTrees(*model, rng.fork(3));
  addFurniture(*model, rng.fork(4));
  addParkedCars(*model, rng.fork(5));
  if (options.has_moving_objects) addMovers(*model, rng.fork(6));

  Town town;
  town.route_ = road::smoothLane(0.5 * road::kLaneWidth, 0.5);
  town.mesh_ = std::make_shared<TriangleMesh>(toMesh(*model));
  town.model_ = std::move(model);
  return town;
}

double Town::groundHeight(double x, double y) const {
  const bool is_inside = road::offsetOf(x, y) <= road::kMapMargin;
  return is_inside ? road::groundAt(x, y) : std::numeric_limits<double>::quiet_NaN();
}

DrivableArea Town::drivable() const {
  DrivableFeature roadway;
  roadway.polygons = {{ringAt(road::kRoadHalf, false), {ringAt(-road::kRoadHalf, true)}}};
  roadway.speed_limit = 30;
  return {{roadway}};
}

const TriangleMesh& Town::staticMesh() const { return *mesh_; }

std::array<double, 2> Town::mapMin() const {
  return {-road::kHalfX - road::kMapMargin, -road::kHalfY - road::kMapMargin};
}

std::array<double, 2> Town::mapMax() const {
  return {road::kHalfX + road::kMapMargin, road::kHalfY + road::kMapMargin};
}

}  // namespace gs

// SPDX-License-Identifier: Apache-2.0
#include "gs/synthetic/town.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gs/synthetic/drive_motion.hpp"
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

constexpr double kRouteStep = 0.5;

// Length along the road's middle where the route is after so many metres.
double roadAt(const std::vector<std::array<double, 2>>& route, double metres) {
  const auto& [x, y] = route[static_cast<size_t>(metres / kRouteStep) % route.size()];
  double nearest = std::numeric_limits<double>::infinity(), best = 0;
  for (double s = 0; s < road::length(); s += kRouteStep) {
    const double away = (road::pointAt(s, 0) - Vec2(x, y)).norm();
    if (away < nearest) nearest = away, best = s;
  }
  return best;
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
  const TownTraits& traits = options.traits;
  if (traits.has_thin_things) addThinThings(*model, rng.fork(7));
  if (traits.has_dark_paint) darkenPaint(*model);

  Town town;
  town.route_ = road::smoothLane(0.5 * road::kLaneWidth, kRouteStep);
  const auto start = std::lround(options.route_start / kRouteStep);
  std::rotate(town.route_.begin(), town.route_.begin() + start % std::ssize(town.route_),
              town.route_.end());
  if (traits.has_hard_sun) addHardSun(*model, roadAt(town.route_, 44));
  if (traits.has_wet_patch) addWetPatch(*model, roadAt(town.route_, 74));
  if (options.has_moving_objects) {
    if (traits.has_usual_traffic) addMovers(*model, rng.fork(6));
    addTraffic(*model, traits,
               std::make_shared<DriveMotion>(town.route_, road::groundAt,
                                             DriveMotion::Options{.speed = options.ego_speed}),
               rng.fork(8));
  }
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
  roadway.speed_limit = 30 / 3.6;
  return {{roadway}};
}

const TriangleMesh& Town::staticMesh() const { return *mesh_; }

std::vector<Town::MovingBox> Town::movingBoxes(double t) const {
  std::vector<MovingBox> boxes;
  for (const Mover& mover : model_->movers) {
    MovingBox box{mover.mapFromMover(t), Vec3::Constant(1e9), Vec3::Constant(-1e9)};
    for (const Surface::Vertex& vertex : model_->shapes[mover.shape].vertices) {
      box.low = box.low.cwiseMin(vertex.position.cast<double>());
      box.high = box.high.cwiseMax(vertex.position.cast<double>());
    }
    boxes.push_back(box);
  }
  return boxes;
}

std::array<double, 2> Town::mapMin() const {
  return {-road::kHalfX - road::kMapMargin, -road::kHalfY - road::kMapMargin};
}

std::array<double, 2> Town::mapMax() const {
  return {road::kHalfX + road::kMapMargin, road::kHalfY + road::kMapMargin};
}

}  // namespace gs

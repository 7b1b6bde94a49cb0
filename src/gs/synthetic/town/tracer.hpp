// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "gs/synthetic/town/ray_scene.hpp"
#include "gs/synthetic/town/town_model.hpp"

namespace gs {

// A mover at one moment, ready for rays.
struct PlacedMover {
  int index = 0;  // into TownModel::movers
  Vec3f middle;   // of a sphere that holds it, map frame
  float radius = 0;
  Eigen::Matrix3f map_from_mover;
  Vec3f origin;

  bool isNear(const Vec3f& from, const Vec3f& direction, float reach) const;
  Vec3f toMover(const Vec3f& p) const { return map_from_mover.transpose() * (p - origin); }
};

// What a ray met.
struct SceneHit {
  float distance = 0;  // 0: nothing
  float u = 0, v = 0;  // within the triangle
  const Surface::Triangle* triangle = nullptr;
  const Surface* surface = nullptr;
  const PlacedMover* mover = nullptr;  // null: part of the town
};

// The town and its movers for packets of rays.
class Tracer {
 public:
  explicit Tracer(std::shared_ptr<const TownModel> model);

  const TownModel& model() const { return *model_; }
  PlacedMover placeMover(int index, double t) const;
  std::vector<PlacedMover> placeMovers(double t) const;
  void intersect(RayPacket& rays, std::span<const PlacedMover* const> movers, bool is_coherent,
                 SceneHit (&hits)[kPacket]) const;
  void findOccluded(RayPacket& rays, std::span<const PlacedMover* const> movers) const;
  // Share of the near sky seen from each vertex of the fixed surface.
  std::span<const float> openness() const { return openness_; }

 private:
  void bakeOpenness();

  std::shared_ptr<const TownModel> model_;
  RayScene fixed_;
  std::vector<RayScene> shapes_;
  std::vector<float> openness_;
};

}  // namespace gs

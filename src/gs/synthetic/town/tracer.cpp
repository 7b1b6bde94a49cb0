// SPDX-License-Identifier: Apache-2.0
#include "gs/synthetic/town/tracer.hpp"

#include <cmath>
#include <numbers>

#include "gs/core/parallel.hpp"
#include "gs/synthetic/town/noise.hpp"

namespace gs {

bool PlacedMover::isNear(const Vec3f& from, const Vec3f& direction, float reach) const {
  const Vec3f way = middle - from;
  const float along = way.dot(direction), squared = way.squaredNorm();
  if (squared <= radius * radius) return true;
  return along > 0 && along - radius < reach && squared - along * along <= radius * radius;
}

Tracer::Tracer(std::shared_ptr<const TownModel> model)
    : model_(std::move(model)), fixed_(model_->fixed) {
  for (const Surface& shape : model_->shapes) shapes_.emplace_back(shape);
  bakeOpenness();
}

PlacedMover Tracer::placeMover(int index, double t) const {
  const Mover& mover = model_->movers[index];
  const Rigid3 pose = mover.mapFromMover(t);
  PlacedMover placed;
  placed.index = index;
  placed.map_from_mover = pose.rotation.toRotationMatrix().cast<float>();
  placed.origin = pose.translation.cast<float>();
  placed.middle = placed.origin;
  placed.radius = static_cast<float>(mover.radius);
  return placed;
}

std::vector<PlacedMover> Tracer::placeMovers(double t) const {
  std::vector<PlacedMover> placed;
  for (size_t i = 0; i < model_->movers.size(); ++i)
    placed.push_back(placeMover(static_cast<int>(i), t));
  return placed;
}

namespace {

// The lanes that pass the mover's sphere, turned into its frame; false when none does.
bool selectNear(const RayPacket& rays, const PlacedMover& mover, RayPacket& local) {
  bool is_any = false;
  for (int i = 0; i < kPacket; ++i) {
    local.valid[i] = 0;
    if (rays.valid[i] == 0 || rays.far[i] < 0) continue;
    const Vec3f from(rays.ox[i], rays.oy[i], rays.oz[i]), way(rays.dx[i], rays.dy[i], rays.dz[i]);
    if (!mover.isNear(from, way, rays.far[i])) continue;
    local.set(i, mover.toMover(from), mover.map_from_mover.transpose() * way, rays.far[i]);
    is_any = true;
  }
  return is_any;
}

}  // namespace

void Tracer::intersect(RayPacket& rays, std::span<const PlacedMover* const> movers,
                       bool is_coherent, SceneHit (&hits)[kPacket]) const {
  fixed_.intersect(rays, is_coherent);
  for (int i = 0; i < kPacket; ++i) {
    hits[i] = {};
    if (rays.valid[i] == 0 || rays.triangle[i] == kNoTriangle) continue;
    hits[i] = {rays.far[i],    rays.u[i], rays.v[i], &model_->fixed.triangles[rays.triangle[i]],
               &model_->fixed, nullptr};
  }
  RayPacket local{};
  for (const PlacedMover* mover : movers) {
    if (!selectNear(rays, *mover, local)) continue;
    const int shape = model_->movers[mover->index].shape;
    shapes_[shape].intersect(local, is_coherent);
    for (int i = 0; i < kPacket; ++i) {
      if (local.valid[i] == 0 || local.triangle[i] == kNoTriangle) continue;
      const Surface& surface = model_->shapes[shape];
      rays.far[i] = local.far[i];
      hits[i] = {local.far[i], local.u[i], local.v[i], &surface.triangles[local.triangle[i]],
                 &surface,     mover};
    }
  }
}

void Tracer::findOccluded(RayPacket& rays, std::span<const PlacedMover* const> movers) const {
  fixed_.findOccluded(rays, true);
  RayPacket local{};
  for (const PlacedMover* mover : movers) {
    if (!selectNear(rays, *mover, local)) continue;
    shapes_[model_->movers[mover->index].shape].findOccluded(local, true);
    for (int i = 0; i < kPacket; ++i)
      if (local.valid[i] != 0 && local.far[i] < 0) rays.far[i] = -1;
  }
}

void Tracer::bakeOpenness() {
  const Surface& surface = model_->fixed;
  openness_.assign(surface.vertices.size(), 1.0f);
  // The first triangle of each vertex: rays start a little inside it, clear of what touches it.
  std::vector<uint32_t> owner(surface.vertices.size(), kNoTriangle);
  for (size_t i = surface.triangles.size(); i-- > 0;)
    for (const uint32_t corner : surface.triangles[i].corners)
      owner[corner] = static_cast<uint32_t>(i);
  constexpr float kReach = 6;
  parallelFor(surface.vertices.size(), 4096, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      if (owner[i] == kNoTriangle) continue;
      const Surface::Triangle& triangle = surface.triangles[owner[i]];
      const auto& corners = triangle.corners;
      const Vec3f middle =
          (surface.vertices[corners[0]].position + surface.vertices[corners[1]].position +
           surface.vertices[corners[2]].position) /
          3;
      const Surface::Vertex& vertex = surface.vertices[i];
      const bool is_leaf = model_->materials[triangle.material].texture == Texture::Leaf;
      const Vec3f normal = vertex.normal, side = normal.unitOrthogonal(),
                  other = normal.cross(side);
      const Vec3f inside = vertex.position + (middle - vertex.position) * 0.35f;
      const Vec3f from = inside + normal * (is_leaf ? 0.25f : 0.015f);
      RayPacket rays{};
      const float turn = noise::unit(noise::hash(static_cast<uint32_t>(i), 77)) * 0.8f;
      for (int lane = 0; lane < kPacket; ++lane) {  // cosine-weighted
        const float angle = (static_cast<float>(lane) * 2.399963f) + turn;
        const float r = std::sqrt((static_cast<float>(lane) + 0.5f) / kPacket);
        const Vec3f way = side * (r * std::cos(angle)) + other * (r * std::sin(angle)) +
                          normal * std::sqrt(1 - r * r);
        rays.set(lane, from, way, kReach);
      }
      fixed_.findOccluded(rays, false);
      int blocked = 0;
      for (const float far : rays.far) blocked += far < 0;
      openness_[i] = 1 - 0.85f * static_cast<float>(blocked) / kPacket;
    }
  });
}

}  // namespace gs

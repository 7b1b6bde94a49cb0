// SPDX-License-Identifier: Apache-2.0
#include "gs/lidar/lidar_model.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gs/core/parallel.hpp"

namespace gs {
namespace {

constexpr float kUnknownReflectivity = 0.35f;
// The root of the cosine of incidence of most returns: the road, seen at a low angle.
constexpr float kUsualFacing = 0.5f;
constexpr size_t kOctetsPerBlock = 512, kRaysPerBlock = 4096, kMomentsPerBlock = 1024;

void resize(LidarScan& scan, size_t count) {
  scan.x.resize(count);
  scan.y.resize(count);
  scan.z.resize(count);
  scan.intensity.resize(count);
  scan.ring.resize(count);
  scan.time_offset_ns.resize(count);
}

// Where the points of each block of rays begin in a scan; the last entry is how many there are.
std::vector<size_t> placesOf(const std::vector<RayReturn>& returns) {
  std::vector<size_t> places((returns.size() + kRaysPerBlock - 1) / kRaysPerBlock + 1);
  parallelFor(returns.size(), kRaysPerBlock, [&](size_t begin, size_t end) {
    size_t count = 0;
    for (size_t i = begin; i < end; ++i) count += returns[i].range > 0;
    places[begin / kRaysPerBlock + 1] = count;
  });
  std::partial_sum(places.begin(), places.end(), places.begin());
  return places;
}

// The range as measured; 0 when the return got lost. Counter-based: a ray's numbers depend on
// nothing but its names, whoever computes it.
float disturbed(float range, const LidarNoise& noise, Rng rng) {
  if (rng.uniform() < noise.dropout) return 0;
  return static_cast<float>(range + noise.range_deviation * rng.normal());
}

uint64_t seedOf(const std::string& id, uint64_t seed) {
  for (const char c : id) seed = seed * 1099511628211ULL + static_cast<uint8_t>(c);
  return seed;
}

}  // namespace

LidarWorld::LidarWorld(const Heightmap* ground, const std::vector<const TriangleMesh*>& meshes)
    : surfaces(ground, meshes), of_assets(meshes.size()) {
  for (size_t i = 0; i < meshes.size(); ++i) {
    if (!meshes[i]) continue;
    if (i == 0) reflectivity = SurfaceReflectivity(*meshes[i], ground);
    else of_assets[i] = SurfaceReflectivity(*meshes[i], nullptr);
  }
}

LidarScene::LidarScene(const LidarWorld& world_of_it, const SceneState& scene)
    : surfaces(world_of_it.surfaces.posed(scene)), world(world_of_it) {
  for (const SceneInstance& instance : scene.instances) assets.push_back(instance.asset);
}

// The sensor at one moment, in the coordinates of rays.
struct LidarModel::ShotPose {
  Vec3f from;
  Eigen::Matrix3f turn;

  ShotPose() = default;
  ShotPose(const PosedMap& surfaces, const Rigid3& map_from_lidar)
      : from(surfaces.toLocal(map_from_lidar.translation)),
        turn(map_from_lidar.rotation.toRotationMatrix().cast<float>()) {}
};

LidarModel::LidarModel(std::string id, const LidarCalibration& lidar, const Options& options)
    : id_(std::move(id)),
      frame_id_(lidar.frame_id),
      base_from_lidar_(lidar.extrinsics.baseFromSensor()),
      pattern_(makeLidarPattern(id_, lidar, options.rays, options.rate_hz)),
      octets_(octetsOf(pattern_)),
      min_range_(lidar.spec.min_range),
      max_range_(lidar.spec.max_range),
      period_(1 / options.rate_hz.value_or(lidar.rate_hz)),
      intensity_max_(static_cast<float>(lidar.spec.intensity_max.value_or(255))),
      seed_(seedOf(id_, options.seed)) {
  if (!lidar.spec.usual_intensity) return;
  // So that simulated intensities are about as strong as recorded ones.
  const float usual =
      static_cast<float>(*lidar.spec.usual_intensity) / intensity_max_ / kUsualFacing;
  const auto gain = [&](float reflectivity) {
    return reflectivity > 0 ? std::clamp(usual / reflectivity, 0.2f, 5.0f) : 1.0f;
  };
  unknown_gain_ = gain(kUnknownReflectivity);
  known_gain_ = gain(options.world ? options.world->usual() : 0);
}

std::vector<LidarModel::ShotPose> LidarModel::shotPoses(const LidarScene& scene,
                                                        const SweepPoses& poses) const {
  if (!poses.isMoving()) return {ShotPose(scene.surfaces, poses.at(0))};
  std::vector<ShotPose> shots(pattern_.moments.size());
  parallelFor(shots.size(), kMomentsPerBlock, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i)
      shots[i] = ShotPose(scene.surfaces, poses.at(pattern_.moments[i].part));
  });
  return shots;
}

std::vector<RayReturn> LidarModel::returns(const LidarScene& scene, const SweepPoses& poses,
                                           const std::optional<LidarNoise>& noise,
                                           int64_t step) const {
  constexpr size_t kLanes = RayOctet::kLanes;
  const std::vector<ShotPose> shots = shotPoses(scene, poses);
  const Rng rng = Rng(seed_).fork(static_cast<uint64_t>(step));
  const auto reach = static_cast<float>(max_range_);
  std::vector<RayReturn> returns(pattern_.rays.size());
  parallelFor(octets_.size() / kLanes, kOctetsPerBlock, [&](size_t begin, size_t end) {
    RayOctet octet;
    for (const uint32_t* rays = &octets_[begin * kLanes]; begin < end; ++begin, rays += kLanes) {
      for (int lane = 0; lane < RayOctet::kLanes; ++lane) {
        const LidarRay& ray = pattern_.rays[rays[lane]];
        const ShotPose& shot = shots[poses.isMoving() ? ray.moment : 0];
        octet.set(lane, shot.from + ray.height * shot.turn.col(2),
                  shot.turn * ray.direction.cast<float>(), reach);
      }
      scene.surfaces.cast(octet);
      for (int lane = 0; lane < RayOctet::kLanes; ++lane) {
        RayReturn back = returnOf(scene, octet, lane);
        if (back.range > 0 && noise)
          back.range = disturbed(back.range, *noise, rng.fork(rays[lane]));
        if (back.range > 0 && back.range >= min_range_ && back.range <= max_range_)
          returns[rays[lane]] = back;
      }
    }
  });
  return returns;
}

LidarScan LidarModel::sweep(const LidarScene& scene, const SweepPoses& poses,
                            const std::optional<LidarNoise>& noise, Stamp stamp,
                            int64_t step) const {
  const std::vector<RayReturn> returns = this->returns(scene, poses, noise, step);
  const std::vector<size_t> places = placesOf(returns);
  LidarScan scan{.lidar_id = id_, .frame_id = frame_id_, .stamp = stamp};
  resize(scan, places.back());
  parallelFor(returns.size(), kRaysPerBlock, [&](size_t begin, size_t end) {
    size_t at = places[begin / kRaysPerBlock];
    for (size_t i = begin; i < end; ++i) {
      const RayReturn& back = returns[i];
      if (!(back.range > 0)) continue;
      const LidarRay& ray = pattern_.rays[i];
      const Vec3f way = ray.direction.cast<float>();
      scan.x[at] = back.range * way.x();
      scan.y[at] = back.range * way.y();
      scan.z[at] = back.range * way.z() + ray.height;
      scan.intensity[at] = back.intensity;
      scan.ring[at] = ray.ring;
      scan.time_offset_ns[at] = poses.isMoving() ? pattern_.moments[ray.moment].time_ns : 0;
      ++at;
    }
  });
  return scan;
}

RayReturn LidarModel::returnOf(const LidarScene& scene, const RayOctet& rays, int lane) const {
  if (rays.surface[lane] == HitSurface::Nothing) return {};
  return {rays.range[lane], intensityOf(scene, rays, lane)};
}

float LidarModel::intensityOf(const LidarScene& scene, const RayOctet& rays, int lane) const {
  const float most = intensity_max_, range = rays.range[lane];
  const float facing = most * std::sqrt(rays.cos_incidence[lane]);
  const Vec3& origin = scene.surfaces.origin();
  std::optional<float> known;
  if (rays.surface[lane] == HitSurface::Mesh)
    known = scene.reflectivityOf(rays.instance[lane])
                .ofMesh(rays.triangle[lane], rays.u[lane], rays.v[lane]);
  else
    known = scene.world.reflectivity.ofGround(
        origin.x() + static_cast<double>(rays.ox[lane] + range * rays.dx[lane]),
        origin.y() + static_cast<double>(rays.oy[lane] + range * rays.dy[lane]));
  if (known) return std::min(most, facing * *known * known_gain_);
  const float far = range / static_cast<float>(max_range_);
  const float fading = std::max(0.0f, 1 - 0.5f * far * far);
  return std::min(most, facing * kUnknownReflectivity * fading * unknown_gain_);
}

}  // namespace gs

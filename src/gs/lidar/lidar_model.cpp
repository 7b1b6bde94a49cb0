// SPDX-License-Identifier: Apache-2.0
#include "gs/lidar/lidar_model.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "gs/core/parallel.hpp"

namespace gs {
namespace {

constexpr float kUnknownReflectivity = 0.35f;
// The root of the cosine of incidence of most returns: the road, seen at a low angle.
constexpr float kUsualFacing = 0.5f;
constexpr size_t kColumnsPerBlock = 32;

void append(LidarScan& all, const LidarScan& part) {
  const auto join = [](auto& to, const auto& from) {
    to.insert(to.end(), from.begin(), from.end());
  };
  join(all.x, part.x);
  join(all.y, part.y);
  join(all.z, part.z);
  join(all.intensity, part.intensity);
  join(all.ring, part.ring);
  join(all.time_offset_ns, part.time_offset_ns);
}

void reserve(LidarScan& scan, size_t count) {
  scan.x.reserve(count);
  scan.y.reserve(count);
  scan.z.reserve(count);
  scan.intensity.reserve(count);
  scan.ring.reserve(count);
  scan.time_offset_ns.reserve(count);
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

LidarWorld::LidarWorld(const Heightmap* ground, const TriangleMesh* mesh)
    : surfaces(ground, mesh),
      reflectivity(mesh ? SurfaceReflectivity(*mesh, ground) : SurfaceReflectivity()) {}

// What came back to one ray.
struct LidarModel::Return {
  float range = 0;  // 0: nothing
  float intensity = 0;
};

LidarModel::LidarModel(std::string id, const LidarCalibration& lidar, const Options& options)
    : id_(std::move(id)),
      frame_id_(lidar.frame_id),
      base_from_lidar_(lidar.extrinsics.baseFromSensor()),
      pattern_(makeLidarPattern(lidar.spec, options.rate_hz.value_or(lidar.rate_hz), id_)),
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

LidarScan LidarModel::sweep(const LidarWorld& world, const SweepPoses& poses,
                            const std::optional<LidarNoise>& noise, Stamp stamp,
                            int64_t step) const {
  const size_t columns = pattern_.azimuths.size();
  const Rng rng = Rng(seed_).fork(static_cast<uint64_t>(step));
  std::vector<LidarScan> parts((columns + kColumnsPerBlock - 1) / kColumnsPerBlock);
  parallelFor(columns, kColumnsPerBlock, [&](size_t begin, size_t end) {
    sweepColumns(world, poses, noise, rng, begin, end, parts[begin / kColumnsPerBlock]);
  });
  LidarScan scan{.lidar_id = id_, .frame_id = frame_id_, .stamp = stamp};
  size_t count = 0;
  for (const LidarScan& part : parts) count += part.size();
  reserve(scan, count);
  for (const LidarScan& part : parts) append(scan, part);
  return scan;
}

void LidarModel::sweepColumns(const LidarWorld& world, const SweepPoses& poses,
                              const std::optional<LidarNoise>& noise, const Rng& rng, size_t begin,
                              size_t end, LidarScan& out) const {
  const size_t channels = pattern_.elevations.size(), columns = pattern_.azimuths.size();
  std::vector<Vec3f> ways(channels * (end - begin));  // in the frame of the sensor
  std::vector<Return> returns(ways.size());
  std::vector<Vec3f> froms;
  std::vector<Eigen::Matrix3f> turns;
  for (size_t column = begin; column < end; ++column) {
    const Rigid3 map_from_lidar =
        poses.at(static_cast<double>(column) / static_cast<double>(columns));
    froms.push_back(world.surfaces.toLocal(map_from_lidar.translation));
    turns.push_back(map_from_lidar.rotation.toRotationMatrix().cast<float>());
    const double cos_azimuth = std::cos(pattern_.azimuths[column]),
                 sin_azimuth = std::sin(pattern_.azimuths[column]);
    for (size_t ring = 0; ring < channels; ++ring) {
      const double cos_elevation = std::cos(pattern_.elevations[ring]);
      ways[(column - begin) * channels + ring] =
          Vec3(cos_elevation * cos_azimuth, cos_elevation * sin_azimuth,
               std::sin(pattern_.elevations[ring]))
              .cast<float>();
    }
  }
  castBlock(world, ways, froms, turns, returns);
  reserve(out, ways.size());
  for (size_t i = 0; i < ways.size(); ++i) {
    Return& back = returns[i];
    if (back.range > 0 && noise)
      back.range = disturbed(back.range, *noise, rng.fork(begin * channels + i));
    if (!(back.range >= min_range_ && back.range <= max_range_) || back.range <= 0) continue;
    out.x.push_back(back.range * ways[i].x());
    out.y.push_back(back.range * ways[i].y());
    out.z.push_back(back.range * ways[i].z() + static_cast<float>(pattern_.heights[i % channels]));
    out.intensity.push_back(back.intensity);
    out.ring.push_back(static_cast<uint16_t>(i % channels));
    out.time_offset_ns.push_back(poses.isMoving() ? pattern_.column_times_ns[begin + i / channels]
                                                  : 0);
  }
}

// In octets of neighbours: two channels by four columns, or eight columns of a single channel.
void LidarModel::castBlock(const LidarWorld& world, const std::vector<Vec3f>& ways,
                           const std::vector<Vec3f>& froms,
                           const std::vector<Eigen::Matrix3f>& turns,
                           std::vector<Return>& returns) const {
  const size_t channels = pattern_.elevations.size();
  const size_t high = std::min<size_t>(channels, 2), wide = RayOctet::kLanes / high;
  const auto reach = static_cast<float>(max_range_);
  RayOctet rays;
  size_t ray_of[RayOctet::kLanes];
  for (size_t column = 0; column < froms.size(); column += wide)
    for (size_t ring = 0; ring < channels; ring += high) {
      for (int lane = 0; lane < RayOctet::kLanes; ++lane) {
        // Beyond the edge of the block the lane repeats the last one, which costs nothing.
        const size_t c = std::min(column + lane / high, froms.size() - 1);
        ray_of[lane] = c * channels + std::min(ring + lane % high, channels - 1);
        const auto height = static_cast<float>(pattern_.heights[ray_of[lane] % channels]);
        rays.set(lane, froms[c] + height * turns[c].col(2), turns[c] * ways[ray_of[lane]], reach);
      }
      world.surfaces.cast(rays);
      for (int lane = 0; lane < RayOctet::kLanes; ++lane)
        if (rays.surface[lane] != HitSurface::Nothing)
          returns[ray_of[lane]] = {rays.range[lane], intensityOf(world, rays, lane)};
    }
}

float LidarModel::intensityOf(const LidarWorld& world, const RayOctet& rays, int lane) const {
  const float most = intensity_max_, range = rays.range[lane];
  const float facing = most * std::sqrt(rays.cos_incidence[lane]);
  const Vec3& origin = world.surfaces.origin();
  std::optional<float> known;
  if (rays.surface[lane] == HitSurface::Mesh)
    known = world.reflectivity.ofMesh(rays.triangle[lane], rays.u[lane], rays.v[lane]);
  else
    known = world.reflectivity.ofGround(
        origin.x() + static_cast<double>(rays.ox[lane] + range * rays.dx[lane]),
        origin.y() + static_cast<double>(rays.oy[lane] + range * rays.dy[lane]));
  if (known) return std::min(most, facing * *known * known_gain_);
  const float far = range / static_cast<float>(max_range_);
  const float fading = std::max(0.0f, 1 - 0.5f * far * far);
  return std::min(most, facing * kUnknownReflectivity * fading * unknown_gain_);
}

}  // namespace gs

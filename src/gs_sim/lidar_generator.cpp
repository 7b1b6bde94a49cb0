// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/lidar_generator.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "gs/core/parallel.hpp"
#include "gs/core/rng.hpp"
#include "gs/geometry/map_raycaster.hpp"
#include "gs_sim/lidar_pattern.hpp"
#include "gs_sim/lidar_reflectivity.hpp"

namespace gs_sim {
namespace {

using gs::Rigid3;
using gs::Vec3;
using gs::Vec3f;

constexpr float kUnknownReflectivity = 0.35f;
// The root of the cosine of incidence of most returns: the road, seen at a low angle.
constexpr float kUsualFacing = 0.5f;
constexpr size_t kColumnsPerBlock = 32;

// A LiDAR ready to shoot.
struct Sensor {
  std::string frame_id;
  Rigid3 base_from_lidar;
  LidarPattern pattern;
  double min_range = 0, max_range = 0;
  double period = 0;  // s
  float intensity_max = 255;
  float known_gain = 1, unknown_gain = 1;  // of reflectivities
  uint64_t seed = 0;
};

// Where the sensor is at each column of a sweep.
class SweepPoses {
 public:
  SweepPoses(const Sensor& sensor, const EgoState& ego, bool is_moving) : is_moving_(is_moving) {
    const Rigid3 map_from_base = mapFromBase(ego.pose);
    begin_ = map_from_base * sensor.base_from_lidar;
    end_ = begin_;
    if (!is_moving) return;
    const EgoTwist& twist = ego.twist;
    const Vec3 turn = sensor.period * Vec3(twist.wx, twist.wy, twist.wz);
    const double angle = turn.norm();
    const Vec3 axis = angle > 0 ? Vec3(turn / angle) : Vec3::UnitZ();
    // Along the chord of the arc that the twist describes: half of the turn comes before the way.
    const Rigid3 halfway{gs::Quat(Eigen::AngleAxisd(angle / 2, axis)), Vec3::Zero()};
    const Vec3 way = sensor.period * (halfway * Vec3(twist.vx, twist.vy, twist.vz));
    end_ = map_from_base * Rigid3{gs::Quat(Eigen::AngleAxisd(angle, axis)), way} *
           sensor.base_from_lidar;
  }
  bool isFinite() const {
    return begin_.translation.allFinite() && begin_.rotation.coeffs().allFinite() &&
           end_.translation.allFinite() && end_.rotation.coeffs().allFinite();
  }
  Rigid3 at(double turn) const { return is_moving_ ? interpolate(begin_, end_, turn) : begin_; }

 private:
  bool is_moving_;
  Rigid3 begin_, end_;
};

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

class RaycastLidars final : public LidarGeneratorInterface {
 public:
  RaycastLidars(const gs::WorldBundle& bundle, const SensorParameters::Lidar& parameters)
      : raycast_(parameters.raycast),
        world_(parameters.raycast.use_heightmap ? &bundle.heightmap : nullptr,
               meshOf(bundle, parameters)) {
    for (const auto& [id, lidar] : bundle.calibration.lidars) {
      const double rate_hz = parameters.rate_override.value_or(lidar.rate_hz);
      uint64_t seed = raycast_.seed;
      for (const char c : id) seed = seed * 1099511628211ULL + static_cast<uint8_t>(c);
      sensors_[id] = {.frame_id = lidar.frame_id,
                      .base_from_lidar = lidar.extrinsics.baseFromSensor(),
                      .pattern = makeLidarPattern(lidar.spec, rate_hz, id),
                      .min_range = lidar.spec.min_range,
                      .max_range = lidar.spec.max_range,
                      .period = 1 / rate_hz,
                      .intensity_max = static_cast<float>(lidar.spec.intensity_max.value_or(255)),
                      .seed = seed};
    }
    if (const gs::TriangleMesh* mesh = meshOf(bundle, parameters))
      reflectivity_ =
          SurfaceReflectivity(*mesh, raycast_.use_heightmap ? &bundle.heightmap : nullptr);
    for (const auto& [id, lidar] : bundle.calibration.lidars)
      if (lidar.spec.usual_intensity) scaleTo(*lidar.spec.usual_intensity, sensors_.at(id));
  }

  std::vector<SensorOutcome<LidarScan>> generate(std::span<const std::string> lidar_ids,
                                                 const EgoState& ego,
                                                 const StepInfo& info) override {
    std::vector<SensorOutcome<LidarScan>> outcomes;
    for (const std::string& id : lidar_ids) {
      const auto found = sensors_.find(id);
      if (found == sensors_.end()) {
        outcomes.push_back({std::nullopt, "there is no LiDAR '" + id + "'"});
        continue;
      }
      const SweepPoses poses(found->second, ego, raycast_.motion_during_sweep);
      if (!poses.isFinite()) {
        outcomes.push_back({std::nullopt, "LiDAR '" + id + "': the pose of the ego is not finite"});
        continue;
      }
      try {
        outcomes.push_back({sweep(id, found->second, poses, info), ""});
      } catch (const std::exception& failure) {
        outcomes.push_back({std::nullopt, "LiDAR '" + id + "': " + failure.what()});
      }
    }
    return outcomes;
  }

 private:
  // So that simulated intensities are about as strong as recorded ones.
  void scaleTo(double usual_intensity, Sensor& sensor) const {
    const float usual = static_cast<float>(usual_intensity) / sensor.intensity_max / kUsualFacing;
    const auto gain = [&](float reflectivity) {
      return reflectivity > 0 ? std::clamp(usual / reflectivity, 0.2f, 5.0f) : 1.0f;
    };
    sensor.unknown_gain = gain(kUnknownReflectivity);
    sensor.known_gain = gain(reflectivity_.usual());
  }

  static const gs::TriangleMesh* meshOf(const gs::WorldBundle& bundle,
                                        const SensorParameters::Lidar& parameters) {
    const bool is_wanted = parameters.raycast.use_static_mesh != UseMesh::No;
    return is_wanted && bundle.static_mesh ? &*bundle.static_mesh : nullptr;
  }

  LidarScan sweep(const std::string& id, const Sensor& sensor, const SweepPoses& poses,
                  const StepInfo& info) const {
    const size_t columns = sensor.pattern.azimuths.size();
    const gs::Rng rng = gs::Rng(sensor.seed).fork(static_cast<uint64_t>(info.step));
    std::vector<LidarScan> parts((columns + kColumnsPerBlock - 1) / kColumnsPerBlock);
    gs::parallelFor(columns, kColumnsPerBlock, [&](size_t begin, size_t end) {
      sweepColumns(sensor, poses, rng, begin, end, parts[begin / kColumnsPerBlock]);
    });
    LidarScan scan{.lidar_id = id, .frame_id = sensor.frame_id, .stamp = info.stamp};
    size_t count = 0;
    for (const LidarScan& part : parts) count += part.size();
    reserve(scan, count);
    for (const LidarScan& part : parts) append(scan, part);
    return scan;
  }

  // What came back to one ray.
  struct Return {
    float range = 0;  // 0: nothing
    float intensity = 0;
  };

  void sweepColumns(const Sensor& sensor, const SweepPoses& poses, const gs::Rng& rng, size_t begin,
                    size_t end, LidarScan& out) const {
    const LidarPattern& pattern = sensor.pattern;
    const size_t channels = pattern.elevations.size(), columns = pattern.azimuths.size();
    std::vector<Vec3f> ways(channels * (end - begin));  // in the frame of the sensor
    std::vector<Return> returns(ways.size());
    std::vector<Vec3f> froms;
    std::vector<Eigen::Matrix3f> turns;
    for (size_t column = begin; column < end; ++column) {
      const Rigid3 map_from_lidar =
          poses.at(static_cast<double>(column) / static_cast<double>(columns));
      froms.push_back(world_.toLocal(map_from_lidar.translation));
      turns.push_back(map_from_lidar.rotation.toRotationMatrix().cast<float>());
      const double cos_azimuth = std::cos(pattern.azimuths[column]),
                   sin_azimuth = std::sin(pattern.azimuths[column]);
      for (size_t ring = 0; ring < channels; ++ring) {
        const double cos_elevation = std::cos(pattern.elevations[ring]);
        ways[(column - begin) * channels + ring] =
            Vec3(cos_elevation * cos_azimuth, cos_elevation * sin_azimuth,
                 std::sin(pattern.elevations[ring]))
                .cast<float>();
      }
    }
    castBlock(sensor, channels, ways, froms, turns, returns);
    reserve(out, ways.size());
    for (size_t i = 0; i < ways.size(); ++i) {
      Return& back = returns[i];
      if (back.range > 0 && raycast_.add_noise)
        back.range = disturbed(back.range, rng.fork(begin * channels + i));
      if (!(back.range >= sensor.min_range && back.range <= sensor.max_range) || back.range <= 0)
        continue;
      out.x.push_back(back.range * ways[i].x());
      out.y.push_back(back.range * ways[i].y());
      out.z.push_back(back.range * ways[i].z() + static_cast<float>(pattern.heights[i % channels]));
      out.intensity.push_back(back.intensity);
      out.ring.push_back(static_cast<uint16_t>(i % channels));
      out.time_offset_ns.push_back(
          raycast_.motion_during_sweep ? pattern.column_times_ns[begin + i / channels] : 0);
    }
  }

  // In octets of neighbours: two channels by four columns, or eight columns of a single channel.
  void castBlock(const Sensor& sensor, size_t channels, const std::vector<Vec3f>& ways,
                 const std::vector<Vec3f>& froms, const std::vector<Eigen::Matrix3f>& turns,
                 std::vector<Return>& returns) const {
    const size_t high = std::min<size_t>(channels, 2), wide = gs::RayOctet::kLanes / high;
    const auto reach = static_cast<float>(sensor.max_range);
    gs::RayOctet rays;
    size_t ray_of[gs::RayOctet::kLanes];
    for (size_t column = 0; column < froms.size(); column += wide)
      for (size_t ring = 0; ring < channels; ring += high) {
        for (int lane = 0; lane < gs::RayOctet::kLanes; ++lane) {
          // Beyond the edge of the block the lane repeats the last one, which costs nothing.
          const size_t c = std::min(column + lane / high, froms.size() - 1);
          ray_of[lane] = c * channels + std::min(ring + lane % high, channels - 1);
          const auto height = static_cast<float>(sensor.pattern.heights[ray_of[lane] % channels]);
          rays.set(lane, froms[c] + height * turns[c].col(2), turns[c] * ways[ray_of[lane]], reach);
        }
        world_.cast(rays);
        for (int lane = 0; lane < gs::RayOctet::kLanes; ++lane)
          if (rays.surface[lane] != gs::HitSurface::Nothing)
            returns[ray_of[lane]] = {rays.range[lane], intensityOf(rays, lane, sensor)};
      }
  }

  float intensityOf(const gs::RayOctet& rays, int lane, const Sensor& sensor) const {
    const float most = sensor.intensity_max, range = rays.range[lane];
    const float facing = most * std::sqrt(rays.cos_incidence[lane]);
    std::optional<float> known;
    if (rays.surface[lane] == gs::HitSurface::Mesh)
      known = reflectivity_.ofMesh(rays.triangle[lane], rays.u[lane], rays.v[lane]);
    else
      known = reflectivity_.ofGround(
          world_.origin().x() + static_cast<double>(rays.ox[lane] + range * rays.dx[lane]),
          world_.origin().y() + static_cast<double>(rays.oy[lane] + range * rays.dy[lane]));
    if (known) return std::min(most, facing * *known * sensor.known_gain);
    const float far = range / static_cast<float>(sensor.max_range);
    const float fading = std::max(0.0f, 1 - 0.5f * far * far);
    return std::min(most, facing * kUnknownReflectivity * fading * sensor.unknown_gain);
  }

  // The range as measured; 0 when the return got lost. Counter-based: a ray's numbers depend on
  // nothing but its names, whoever computes it.
  float disturbed(float range, gs::Rng rng) const {
    if (rng.uniform() < raycast_.dropout) return 0;
    return static_cast<float>(range + raycast_.noise_std * rng.normal());
  }

  SensorParameters::Raycast raycast_;
  gs::MapRaycaster world_;
  std::map<std::string, Sensor> sensors_;
  SurfaceReflectivity reflectivity_;
};

}  // namespace

std::unique_ptr<LidarGeneratorInterface> createLidarGenerator(
    const gs::WorldBundle& bundle, const SensorParameters::Lidar& parameters) {
  return std::make_unique<RaycastLidars>(bundle, parameters);
}

}  // namespace gs_sim

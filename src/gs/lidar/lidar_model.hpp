// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gs/bundle/calibration.hpp"
#include "gs/bundle/scene_state.hpp"
#include "gs/core/rng.hpp"
#include "gs/geometry/map_raycaster.hpp"
#include "gs/lidar/lidar_pattern.hpp"
#include "gs/lidar/lidar_reflectivity.hpp"
#include "gs/lidar/lidar_scan.hpp"
#include "gs/lidar/sweep_poses.hpp"

namespace gs {

// What rays can meet, and how strongly it answers.
struct LidarWorld {
  MapRaycaster surfaces;
  SurfaceReflectivity reflectivity;            // of the background
  std::vector<SurfaceReflectivity> of_assets;  // of everything else, by number of asset

  // `meshes` by number of asset, 0 is the background's. All may be null. Throws as MapRaycaster.
  LidarWorld(const Heightmap* ground, const std::vector<const TriangleMesh*>& meshes);
  LidarWorld(const Heightmap* ground, const TriangleMesh* mesh)
      : LidarWorld(ground, std::vector{mesh}) {}
};

// A world at one instant, everything where it is when a sweep begins; it must outlive this.
struct LidarScene {
  PosedMap surfaces;
  const LidarWorld& world;
  std::vector<uint32_t> assets;  // of the instances

  // Throws as MapRaycaster::posed does. A world is a scene in which nothing moves.
  LidarScene(const LidarWorld& world, const SceneState& scene = backgroundOnly());

  const SurfaceReflectivity& reflectivityOf(uint32_t instance) const {
    return instance == 0 ? world.reflectivity : world.of_assets[assets[instance]];
  }
};

// What goes wrong with ranges. Depends on seed, LiDAR, step and ray alone.
struct LidarNoise {
  double range_deviation = 0;  // m, standard deviation
  double dropout = 0;          // share of the points that are lost
};

// What came back to one ray.
struct RayReturn {
  float range = 0;  // m along the ray; 0: nothing
  float intensity = 0;
};

// A LiDAR ready to shoot.
//
// With poses that move, each ray is shot from where the sensor is at its time, and points are given
// in the frame of the sensor at that time, as drivers do: whoever wants them in one frame has
// time_offset_ns. At rest all rays are shot at the stamp, and the offsets are zero.
//
// Intensity is 0 .. intensity_max of the sensor (255 where the calibration says nothing):
// reflectivity times the root of the cosine of incidence. The reflectivity is the world's where it
// knows one, else the one of dry asphalt and plaster, and then it fades with the range. Where the
// calibration knows what the sensor usually measured, both are scaled to it.
class LidarModel {
 public:
  struct Options {
    const LidarRayTable* rays = nullptr;  // that the spec names as its pattern
    std::optional<double> rate_hz;        // absent: as calibrated
    uint64_t seed = 1;                    // of the noise, with the id
    // Of the world that it will look at, to scale intensities by; null: nothing is known of it.
    const SurfaceReflectivity* world = nullptr;
  };

  // Throws gs::Error (INVALID_CALIBRATION) as makeLidarPattern does.
  LidarModel(std::string id, const LidarCalibration& lidar, const Options& options);

  const LidarPattern& pattern() const { return pattern_; }
  const Rigid3& baseFromLidar() const { return base_from_lidar_; }
  double period() const { return period_; }  // s

  // Whatever is in reach, perhaps nothing: things stand where the scene has them, only the sensor
  // moves during the sweep. Poses must be finite. Noise only where it is given.
  LidarScan sweep(const LidarScene& scene, const SweepPoses& poses,
                  const std::optional<LidarNoise>& noise, Stamp stamp, int64_t step) const;

  // The same, ray by ray in the order of the pattern.
  std::vector<RayReturn> returns(const LidarScene& scene, const SweepPoses& poses,
                                 const std::optional<LidarNoise>& noise, int64_t step) const;

 private:
  struct ShotPose;
  std::vector<ShotPose> shotPoses(const LidarScene& scene, const SweepPoses& poses) const;
  RayReturn returnOf(const LidarScene& scene, const RayOctet& rays, int lane) const;
  float intensityOf(const LidarScene& scene, const RayOctet& rays, int lane) const;

  std::string id_, frame_id_;
  Rigid3 base_from_lidar_;
  LidarPattern pattern_;
  std::vector<uint32_t> octets_;
  double min_range_, max_range_;
  double period_;
  float intensity_max_;
  float known_gain_ = 1, unknown_gain_ = 1;  // of reflectivities
  uint64_t seed_;
};

}  // namespace gs

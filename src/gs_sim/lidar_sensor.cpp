// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/lidar_sensor.hpp"

#include <exception>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "gs/lidar/lidar_model.hpp"
#include "gs_sim/to_messages.hpp"

namespace gs_sim {
namespace {

namespace msgs = gs::msgs;

constexpr double kMostBytesPerPoint = 32;

SensorTopic pointsTopic(const std::string& id, size_t rays, const CloudLayout& layout) {
  return bulkTopic<msgs::PointCloud2, LidarScan>(
      "/lidar/" + id + "/points", kMostBytesPerPoint * static_cast<double>(rays),
      [layout](const LidarScan& scan, std::vector<std::byte>& out) {
        encodeCloud(scan, layout, out);
      });
}

constexpr size_t kMostReturns = 2;  // of a ray

// What all LiDARs of a world have in common.
struct Surroundings {
  gs::LidarWorld world;
  std::optional<gs::LidarNoise> noise;
  bool moves_during_sweep = false;
};

class LidarSensor final : public Sensor {
 public:
  LidarSensor(SensorDescription description, gs::LidarModel model,
              std::shared_ptr<const Surroundings> around, size_t most_points)
      : Sensor(std::move(description)),
        model_(std::move(model)),
        around_(std::move(around)),
        most_points_(most_points) {}

  SensorResult sample(const SensorStep& step) override {
    const gs::SweepPoses poses = posesOf(step.ego);
    if (!poses.isFinite()) return nothing(step, "the pose of the ego is not finite");
    try {
      const gs::LidarScene scene(around_->world, step.scene);
      LidarScan scan = model_.sweep(scene, poses, around_->noise, step.info.stamp, step.info.step);
      if (std::string problem = problemWithSize(scan, most_points_); !problem.empty())
        return {nothing(step, "").data, std::move(problem)};
      return {toSensorData(std::move(scan)), ""};
    } catch (const std::exception& failure) {
      return nothing(step, failure.what());
    }
  }

 private:
  gs::SweepPoses posesOf(const EgoState& ego) const {
    const gs::Rigid3 map_from_base = mapFromBase(ego.pose);
    if (!around_->moves_during_sweep) return gs::SweepPoses(map_from_base * model_.baseFromLidar());
    const EgoTwist& twist = ego.twist;
    return gs::SweepPoses(map_from_base,
                          {{twist.vx, twist.vy, twist.vz}, {twist.wx, twist.wy, twist.wz}},
                          model_.baseFromLidar(), model_.period());
  }

  SensorResult nothing(const SensorStep& step, const std::string& why) const {
    const SensorDescription& own = description();
    LidarScan empty{.lidar_id = own.id, .frame_id = own.frame_id, .stamp = step.info.stamp};
    return {toSensorData(std::move(empty)), "LiDAR '" + own.id + "': " + why};
  }

  gs::LidarModel model_;
  std::shared_ptr<const Surroundings> around_;
  const size_t most_points_;
};

std::shared_ptr<const Surroundings> surroundingsOf(const WorldData& world,
                                                   const SensorParameters::Raycast& raycast) {
  std::vector<const gs::TriangleMesh*> meshes = meshesByAsset(world);
  if (raycast.use_static_mesh == UseMesh::No) meshes[0] = nullptr;
  auto around = std::make_shared<Surroundings>(Surroundings{
      .world = gs::LidarWorld(raycast.use_heightmap ? &world.bundle.heightmap : nullptr, meshes),
      .moves_during_sweep = raycast.motion_during_sweep});
  if (raycast.add_noise) around->noise = {raycast.noise_std, raycast.dropout};
  return around;
}

CreatedSensors createLidars(const SensorContext& context) {
  const gs::WorldBundle& bundle = context.world.bundle;
  const SensorParameters::Lidar& parameters = context.parameters.sensors.lidar;
  const auto around = surroundingsOf(context.world, parameters.raycast);
  const uint64_t seed = parameters.raycast.seed.value_or(context.parameters.sensors.seed);
  CreatedSensors created;
  for (const std::string& id : context.ids) {
    const gs::LidarCalibration& lidar = bundle.calibration.lidars.at(id);
    const gs::LidarRayTable* table = bundle.raysOf(lidar.spec);
    created.sensors.push_back(std::make_unique<LidarSensor>(
        SensorDescription{
            .kind = "lidar",
            .id = id,
            .frame_id = lidar.frame_id,
            .rate_hz = context.rateOf(lidar.rate_hz),
            .topics = {pointsTopic(id, gs::rayCount(lidar.spec, table), cloudLayoutOf(parameters))},
            .component = "LiDARGenerator",
            .instead = "an empty cloud is published"},
        gs::LidarModel(id, lidar,
                       {.rays = table,
                        .rate_hz = context.choice.rate_override,
                        .seed = seed,
                        .world = &around->world.reflectivity}),
        around, kMostReturns * gs::rayCount(lidar.spec, table)));
  }
  if (parameters.raycast.use_static_mesh == UseMesh::Yes && !bundle.static_mesh)
    created.warnings.push_back(
        "sensors.lidar.raycast.use_static_mesh is true, but the world has no mesh: rays meet the "
        "ground only");
  return created;
}

}  // namespace

std::string problemWithSize(const LidarScan& scan, size_t most_points) {
  const size_t size = scan.size();
  for (const size_t other : {scan.y.size(), scan.z.size(), scan.intensity.size(), scan.ring.size(),
                             scan.time_offset_ns.size()})
    if (other != size)
      return fmt::format(
          "INVALID_POINTCLOUD_SIZE: LiDAR '{}' has {} points and {} of one of their "
          "values",
          scan.lidar_id, size, other);
  if (size <= most_points) return "";
  return fmt::format("INVALID_POINTCLOUD_SIZE: LiDAR '{}' has {} points, its rays give {} at most",
                     scan.lidar_id, size, most_points);
}

SensorKind lidarKind() {
  return {.name = "lidar",
          .ids = [](const gs::Calibration& calibration) { return keysOf(calibration.lidars); },
          .create = createLidars};
}

}  // namespace gs_sim

// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/create_sensors.hpp"

#include "gs_sim/camera_renderer.hpp"
#include "gs_sim/lidar_generator.hpp"

namespace gs_sim {

CreatedSensors createSensors(const WorldData& world, const SensorParameters& parameters) {
  CreatedSensors created;
  const gs::WorldBundle& bundle = world.bundle;
  if (parameters.camera.enable && !bundle.calibration.cameras.empty())
    created.sensors.cameras = createCameraRenderer(bundle, parameters.camera);
  if (parameters.lidar.enable && !bundle.calibration.lidars.empty()) {
    created.sensors.lidars = createLidarGenerator(bundle, parameters.lidar);
    if (parameters.lidar.raycast.use_static_mesh == UseMesh::Yes && !bundle.static_mesh)
      created.warnings.push_back(
          "sensors.lidar.raycast.use_static_mesh is true, but the world has no mesh: rays meet the "
          "ground only");
  }
  return created;
}

}  // namespace gs_sim

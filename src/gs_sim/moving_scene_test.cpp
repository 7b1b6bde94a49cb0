// SPDX-License-Identifier: Apache-2.0
// A thing that moves, as every part of a step meets it: in pictures, in clouds, with the body.
#include <algorithm>
#include <cmath>

#include <gmock/gmock.h>

#include "gs/core/error.hpp"
#include "gs/core/parallel.hpp"
#include "gs/synthetic/minimal_bundle.hpp"
#include "gs_sim/sensor_kinds.hpp"
#include "gs_sim/simulator.hpp"

namespace gs_sim {
namespace {

// A box of 2 m, its bottom on the ground below its origin.
gs::TriangleMesh box() {
  gs::TriangleMesh mesh;
  for (int corner = 0; corner < 8; ++corner)
    mesh.positions.push_back(
        {corner & 1 ? 1.0f : -1.0f, corner & 2 ? 1.0f : -1.0f, corner & 4 ? 2.0f : 0.0f});
  mesh.triangles = {{0, 1, 3}, {0, 3, 2}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                    {2, 3, 7}, {2, 7, 6}, {0, 2, 6}, {0, 6, 4}, {1, 3, 7}, {1, 7, 5}};
  return mesh;
}

// One red splat, a metre above the ground.
gs::GaussianCloud redSplat() {
  gs::GaussianCloud cloud;
  cloud.resize(1);
  const float at[3] = {0, 0, 1}, color[3] = {2, -2, -2};
  for (size_t k = 0; k < 3; ++k) {
    cloud.position[k][0] = at[k];
    cloud.log_scale[k][0] = std::log(0.5f);
    cloud.sh_dc[k][0] = color[k];
    cloud.rotation[k][0] = 0;
  }
  cloud.rotation[3][0] = 1;
  cloud.logit_opacity[0] = 6;
  return cloud;
}

std::shared_ptr<const WorldData> worldWithABox() {
  auto world = std::make_shared<WorldData>(WorldData{"minimal", gs::makeMinimalBundle(), {}});
  world->assets.push_back({redSplat(), box()});
  return world;
}

// The ego of the minimal world stands at x = 10 and looks along x.
gs::SceneState boxAt(double x, double y = 0) {
  gs::SceneState scene;
  scene.instances.push_back({1, gs::Rigid3{gs::Quat::Identity(), gs::Vec3(x, y, 0)}});
  return scene;
}

Simulator simulatorOf(const std::shared_ptr<const WorldData>& world) {
  SimulationParameters parameters;
  parameters.simulation.initial_velocity = 0;
  parameters.simulation.control_timeout_sec = 0;
  return Simulator(world, parameters, createSensors(*world, parameters).sensors);
}

// The nearest return straight ahead, in the frame of the sensor.
double rangeAhead(const StepOutput& step) {
  double nearest = 1e9;
  for (const LidarScan* scan : valuesOf<LidarScan>(step))
    for (size_t i = 0; i < scan->size(); ++i)
      if (std::abs(scan->y[i]) < 0.3 && scan->x[i] > 0 && scan->z[i] > -1)
        nearest = std::min<double>(nearest, scan->x[i]);
  return nearest;
}

size_t redPixels(const StepOutput& step) {
  size_t count = 0;
  for (const CameraFrame* frame : valuesOf<CameraFrame>(step))
    for (size_t i = 0; i < frame->image.pixels.size(); i += 3)
      count += frame->image.pixels[i] > frame->image.pixels[i + 1] + 40;
  return count;
}

TEST(MovingScene, IsSeenWhereItIsByCamerasAndLidars) {
  const auto world = worldWithABox();
  Simulator simulator = simulatorOf(world);
  const StepOutput empty = simulator.step();
  EXPECT_EQ(redPixels(empty), 0u);
  EXPECT_GT(rangeAhead(empty), 100);
  const double lidar_x = world->bundle.calibration.lidars.at("top").extrinsics.translation[0];
  double before = 0;
  for (const double x : {30.0, 25.0, 20.0}) {
    simulator.setScene(boxAt(x));
    StepOutput step;
    size_t red = 0;
    double range = 1e9;
    for (int i = 0; i < 10; ++i) {  // until both have fired
      step = simulator.step();
      red = std::max(red, redPixels(step));
      range = std::min(range, rangeAhead(step));
    }
    EXPECT_NEAR(range, x - 1 - 10 - lidar_x, 0.02) << x;
    EXPECT_GT(static_cast<double>(red), before) << "nearer is larger";
    before = static_cast<double>(red);
  }
  simulator.setScene({});
  for (int i = 0; i < 10; ++i) EXPECT_EQ(redPixels(simulator.step()), 0u);
}

TEST(MovingScene, CollidesWithTheBody) {
  Simulator simulator = simulatorOf(worldWithABox());
  simulator.setScene(boxAt(20));
  EXPECT_FALSE(simulator.step().is_collision);
  simulator.setScene(boxAt(12));
  EXPECT_TRUE(simulator.step().is_collision);
  simulator.setScene(boxAt(12, 8));
  EXPECT_FALSE(simulator.step().is_collision) << "beside the vehicle";
}

TEST(MovingScene, GivesTheSameReadingsForAnyNumberOfThreads) {
  const auto world = worldWithABox();
  const auto run = [&](int threads) {
    gs::setThreadCount(threads);
    Simulator simulator = simulatorOf(world);
    std::vector<float> values;
    for (int i = 0; i < 12; ++i) {
      simulator.setScene(boxAt(25 - 0.5 * i));
      const StepOutput step = simulator.step();
      for (const LidarScan* scan : valuesOf<LidarScan>(step))
        values.insert(values.end(), scan->x.begin(), scan->x.end());
      for (const CameraFrame* frame : valuesOf<CameraFrame>(step))
        values.insert(values.end(), frame->image.pixels.begin(), frame->image.pixels.end());
    }
    gs::setThreadCount(0);
    return values;
  };
  const std::vector<float> one = run(1);
  EXPECT_EQ(one, run(2));
  EXPECT_EQ(one, run(8));
}

TEST(MovingScene, IsRefusedWhenItIsNotSound) {
  Simulator simulator = simulatorOf(worldWithABox());
  gs::SceneState unknown = boxAt(20);
  unknown.instances[1].asset = 2;
  EXPECT_THROW(simulator.setScene(unknown), gs::Error);
  EXPECT_THROW(simulator.setScene(boxAt(std::nan(""))), gs::Error);
}

}  // namespace
}  // namespace gs_sim

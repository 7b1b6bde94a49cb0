// SPDX-License-Identifier: Apache-2.0
// A run of the simulator, recorded, is a drive log like any other: the builder takes it.
#include <cmath>
#include <memory>

#include <gmock/gmock.h>

#include "gs/core/file.hpp"
#include "gs/core/parallel.hpp"
#include "gs/core/testing/temp_dir.hpp"
#include "gs/synthetic/minimal_bundle.hpp"
#include "gs_builder/doctor.hpp"
#include "gs_builder/log_digest.hpp"
#include "gs_sim/compare_runs.hpp"
#include "gs_sim/recorder.hpp"
#include "gs_sim/sensor_kinds.hpp"
#include "gs_sim/simulator.hpp"

namespace gs_sim {
namespace {

namespace fs = std::filesystem;

std::shared_ptr<const WorldData> makeWorld() {
  auto world = std::make_shared<WorldData>();
  world->bundle = gs::makeMinimalBundle();
  world->bundle_path = "minimal_test";
  // Small sensors: this test is about what is recorded, not about how it looks.
  gs::CameraCalibration& camera = world->bundle.calibration.cameras.at("front");
  camera.image_width = 64;
  camera.image_height = 48;
  camera.intrinsics = {.fx = 50, .fy = 50, .cx = 31.5, .cy = 23.5, .k1 = -0.1, .k2 = 0.02};
  world->bundle.calibration.lidars.at("top").spec.horizontal_resolution_deg = 4;
  return world;
}

fs::path drive(const fs::path& path, int steps) {
  const auto world = makeWorld();
  SimulationParameters parameters;
  parameters.simulation.initial_velocity = 5;
  parameters.sensors.lidar.raycast.add_noise = true;
  parameters.sensors.lidar.raycast.motion_during_sweep = true;
  Simulator simulator(world, parameters, createSensors(*world, parameters).sensors);
  const TopicTable table(world, simulator.frames(), simulator.sensors());
  Recorder recorder(path, table.topics(), simulator.frames());
  for (int i = 0; i < steps; ++i) {
    std::optional<ControlInput> control;
    if (i % 10 == 0) control = ControlInput{.steering_angle = 0.02, .speed = 5};
    const auto step = std::make_shared<const StepOutput>(simulator.step(control));
    if (i == 0) recorder.record(table.saidOnce(step->info.stamp));
    recorder.record({step, table.messagesOf(step)});
  }
  recorder.close();
  return recorder.file();
}

TEST(RecordedRun, IsFitForTheWorldBuilder) {
  const gs::testing::TempDir dir;
  const fs::path log = drive(dir / "run", 300);
  gs_builder::PipelineConfig config;
  config.quality.min_duration_sec = 2;
  const gs_builder::LogDigest digest = gs_builder::digestLog(log, config);
  const gs_builder::Diagnosis diagnosis = gs_builder::diagnose(digest, config, 2);
  EXPECT_TRUE(diagnosis.isFit()) << gs_builder::toText(diagnosis, digest);
  EXPECT_NEAR(diagnosis.frames.at("/camera/front/image_raw").rate_hz, 12, 0.2);
  EXPECT_NEAR(diagnosis.frames.at("/lidar/top/points").rate_hz, 20, 0.2);
  EXPECT_EQ(diagnosis.frames.at("/camera/front/image_raw").without_pose, 0u);
  EXPECT_NEAR(diagnosis.cameras.at("front").intrinsics.k1, -0.1, 1e-12);
}

TEST(RecordedRun, HasTheSameBytesForAnyNumberOfThreads) {
  const gs::testing::TempDir dir;
  gs::setThreadCount(1);
  const fs::path one = drive(dir / "one/run.mcap", 60);
  gs::setThreadCount(8);
  const fs::path eight = drive(dir / "eight/run.mcap", 60);
  gs::setThreadCount(0);
  EXPECT_TRUE(compareRuns(one, eight).isSame()) << toText(compareRuns(one, eight));
  EXPECT_EQ(gs::readTextFile(one, 1 << 28), gs::readTextFile(eight, 1 << 28));
}

}  // namespace
}  // namespace gs_sim

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gs_sim/effective_parameters.hpp"
#include "gs_sim/sensor_kinds.hpp"
#include "gs_sim/simulation_host.hpp"
#include "gs_sim/world_loader.hpp"

// A simulation whose every value is known from the number of its step, for tests of the wire.
namespace gs_sim::testing {

constexpr gs::Duration kFakeDt{10'000'000};
constexpr gs::Stamp kFakeStart{100'000'000'000};
constexpr int kImageEvery = 8, kCloudEvery = 10, kStatusEvery = 10;
constexpr int kImageWidth = 64, kImageHeight = 48, kCloudSize = 1000;

inline gs_sim::StepOutput fakeStep(int64_t k) {
  const auto number = static_cast<double>(k);
  gs_sim::StepOutput step;
  step.info = {.step = k, .stamp = kFakeStart + kFakeDt * k, .dt = kFakeDt, .is_paused = false};
  step.ego.pose = {.x = 0.5 * number,
                   .y = -0.25 * number,
                   .z = 0.125,
                   .qx = 0,
                   .qy = 0,
                   .qz = 0.6,
                   .qw = 0.8,
                   .stamp = step.info.stamp};
  step.ego.twist = {.vx = 5 + number, .vy = 0.25, .vz = 0, .wx = 0, .wy = 0, .wz = 0.125};
  step.ego.speed = step.ego.twist.vx;
  step.ego.steering_angle = 0.0625 * static_cast<double>(k % 8);
  step.ego.acceleration = 1.5;
  step.ego.wheel_speeds = {1, 2, 3, number};
  step.is_offroad = k % 2 == 1;
  if (k % kStatusEvery == 0)
    step.status = gs_sim::SimulationStatus{.is_offroad = step.is_offroad,
                                           .elapsed_time = 0.01 * number,
                                           .timing = {.real_time_factor = 0.75},
                                           .warnings = {"step " + std::to_string(k)}};
  if (k % kImageEvery == 0) {
    gs_sim::CameraFrame frame{
        .camera_id = "front", .frame_id = "camera_front", .stamp = step.info.stamp};
    frame.image = gs::Image8(kImageWidth, kImageHeight, 3);
    for (size_t i = 0; i < frame.image.pixels.size(); ++i)
      frame.image.pixels[i] = static_cast<uint8_t>(i + static_cast<size_t>(k));
    step.readings.push_back({0, toSensorData(std::move(frame))});
  }
  if (k % kCloudEvery == 0) {
    gs_sim::LidarScan scan{.lidar_id = "top", .frame_id = "lidar_top", .stamp = step.info.stamp};
    for (int i = 0; i < kCloudSize; ++i) {
      scan.x.push_back(static_cast<float>(i));
      scan.y.push_back(static_cast<float>(k));
      scan.z.push_back(0.5f);
      scan.intensity.push_back(static_cast<float>(i % 256));
      scan.ring.push_back(static_cast<uint16_t>(i % 32));
      scan.time_offset_ns.push_back(0);
    }
    step.readings.push_back({1, toSensorData(std::move(scan))});
  }
  return step;
}

class FakeHost : public SimulationHost {
 public:
  // `world` is worlds/minimal_test: one camera, "front", and one LiDAR, "top".
  FakeHost(const SimulationParameters& parameters, const std::filesystem::path& world,
           Interface interface = Interface::Standard)
      : parameters_(parameters), world_(std::make_shared<WorldData>(::gs_sim::loadWorld(world))) {
    if (interface == Interface::Autoware) autoware_ = std::make_shared<AutowareVehicle>();
    declareParameters(*this, effectiveParameters(parameters_, world_->bundle));
    describeAnew();
  }

  WorldDescription describe() const override { return description_; }

  // What a paused host shows.
  PublishedStep currentStatus() const {
    const auto now = std::make_shared<const StepOutput>(current());
    return {now, describe().topics->messagesOf(now, TopicWhen::WithStatus)};
  }
  // Step k as wires get it.
  PublishedStep published(int64_t step) const {
    const auto shared = std::make_shared<const StepOutput>(fakeStep(step));
    return {shared, description_.topics->messagesOf(shared)};
  }

  gs_sim::StepOutput current() const override {
    gs_sim::StepOutput step = fakeStep(k);
    if (placed) step.ego.pose = placed->first;
    if (placed) step.ego.twist = placed->second;
    step.info.is_paused = is_paused;
    return step;
  }
  bool isPaused() const override { return is_paused; }
  void setPaused(bool paused) override { is_paused = paused; }

  void step(uint64_t count, std::function<void(gs_sim::RequestResult)> done) override {
    k += static_cast<int64_t>(count);
    done({true, "stepped"});
  }
  gs_sim::RequestResult reset(const std::optional<gs_sim::EgoPose>& pose,
                              bool reset_time) override {
    if (pose && !gs_sim::problemWith(*pose).empty()) return {false, gs_sim::problemWith(*pose)};
    if (reset_time) k = 0;
    placed.reset();
    if (pose) placed = {*pose, {}};
    return {true, ""};
  }
  gs_sim::RequestResult setEgoPose(const gs_sim::EgoPose& pose,
                                   const gs_sim::EgoTwist& twist) override {
    if (!gs_sim::problemWith(pose).empty()) return {false, gs_sim::problemWith(pose)};
    placed = {pose, twist};
    return {true, ""};
  }
  gs_sim::RequestResult loadWorld(const std::string& path) override {
    if (path != "/worlds/other") return {false, "no world at " + path};
    auto world = *world_;
    world.bundle_path = path;
    world.bundle.index.scene_id = "other";
    world.bundle.timebase.simulation.dt = 0.05;
    world_ = std::make_shared<gs_sim::WorldData>(std::move(world));
    updateParameters(*this, effectiveParameters(parameters_, world_->bundle));
    describeAnew();
    return {true, ""};
  }
  void setRealTimeFactor(double factor) override { real_time_factor = factor; }
  void quit() override { has_quit = true; }

  int64_t k = 0;
  bool is_paused = false;
  bool has_quit = false;
  double real_time_factor = 1;
  std::optional<std::pair<gs_sim::EgoPose, gs_sim::EgoTwist>> placed;

 private:
  void describeAnew() {
    const Simulator simulator(world_, parameters_, createSensors(*world_, parameters_).sensors);
    description_ = describeWorld(simulator, world_, autoware_);
  }

  const SimulationParameters parameters_;
  std::shared_ptr<const gs_sim::WorldData> world_;
  std::shared_ptr<AutowareVehicle> autoware_;
  WorldDescription description_;
};

}  // namespace gs_sim::testing

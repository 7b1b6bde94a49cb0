// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "gs/synthetic/minimal_bundle.hpp"
#include "gs_sim/sensor_kinds.hpp"
#include "gs_sim/topic_table.hpp"
#include "gs_sim/types.hpp"

// Steps of a run that nobody simulated: a vehicle on a straight line, a small image and a small
// cloud every tenth step.
namespace gs_sim {

inline gs::Stamp sampleStamp(int64_t step) { return {3'500'000'000 + step * 10'000'000}; }

inline CameraFrame makeSampleFrame(int64_t step) {
  CameraFrame frame{"front", "camera_front", sampleStamp(step), gs::Image8(5, 3, 3), false};
  for (size_t i = 0; i < frame.image.pixels.size(); ++i)
    frame.image.pixels[i] = static_cast<uint8_t>(i + static_cast<size_t>(step));
  return frame;
}

inline LidarScan makeSampleScan(int64_t step, size_t count = 4) {
  LidarScan scan{"top", "lidar_top", sampleStamp(step)};
  for (size_t i = 0; i < count; ++i) {
    const auto f = static_cast<float>(i);
    scan.x.push_back(10 + f);
    scan.y.push_back(2 - f);
    scan.z.push_back(-1.5f);
    scan.intensity.push_back(20 * f);
    scan.ring.push_back(static_cast<uint16_t>(i));
    scan.time_offset_ns.push_back(0);
  }
  return scan;
}

inline StepOutput makeSampleStep(int64_t step) {
  StepOutput output;
  output.info = {.step = step, .stamp = sampleStamp(step), .dt = {10'000'000}};
  const double t = 0.01 * static_cast<double>(step), yaw = 0.3;
  output.ego.pose = {.x = 10 + 5 * std::cos(yaw) * t,
                     .y = 5 * std::sin(yaw) * t,
                     .qz = std::sin(yaw / 2),
                     .qw = std::cos(yaw / 2),
                     .stamp = output.info.stamp};
  output.ego.twist.vx = output.ego.speed = 5;
  output.ego.wheel_speeds = {5, 5, 5, 5};
  output.state_hash = static_cast<uint64_t>(step) * 77;
  if (step % 10 == 0) {
    output.status = SimulationStatus{.elapsed_time = t};
    output.readings.push_back({0, toSensorData(makeSampleFrame(step))});
    output.readings.push_back({1, toSensorData(makeSampleScan(step))});
  }
  return output;
}

// Of all readings that are a T.
template <typename T>
void changeValues(StepOutput& step, const std::function<void(T&)>& change) {
  for (SensorReading& reading : step.readings)
    if (const T* value = findValue<T>(reading.data.get())) {
      T changed = *value;
      change(changed);
      reading.data = toSensorData(std::move(changed));
    }
}

// The table of a world with these sensors: camera "front", then LiDAR "top".
inline TopicTable makeSampleTable(std::vector<Topic> more = {}) {
  const auto world =
      std::make_shared<const WorldData>(WorldData{"/w", gs::makeMinimalBundle(), {}});
  std::vector<SensorDescription> sensors;
  for (const auto& sensor : createSensors(*world, {}).sensors)
    sensors.push_back(sensor->description());
  return TopicTable(world, {"map", "odom", "base_link"}, sensors, std::move(more));
}

inline PublishedStep published(const TopicTable& table, StepOutput step) {
  const auto shared = std::make_shared<const StepOutput>(std::move(step));
  return {shared, table.messagesOf(shared)};
}

}  // namespace gs_sim

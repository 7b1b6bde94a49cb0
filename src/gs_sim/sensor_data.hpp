// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <utility>

namespace gs_sim {

// What a sensor made. Each kind has a plain value of its own, which only the sensor and its topics
// look into; everybody else carries it from the one to the other.
struct SensorData {
  virtual ~SensorData() = default;
};

template <typename T>
struct SensorValue final : SensorData {
  explicit SensorValue(T made) : value(std::move(made)) {}
  T value;
};

template <typename T>
std::shared_ptr<const SensorData> toSensorData(T value) {
  return std::make_shared<const SensorValue<T>>(std::move(value));
}

// The value, if it is a T; null otherwise.
template <typename T>
const T* findValue(const SensorData* data) {
  const auto* found = dynamic_cast<const SensorValue<T>*>(data);
  return found == nullptr ? nullptr : &found->value;
}

struct SensorReading {
  size_t sensor = 0;                       // its place in Simulator::sensors()
  std::shared_ptr<const SensorData> data;  // never null
};

}  // namespace gs_sim

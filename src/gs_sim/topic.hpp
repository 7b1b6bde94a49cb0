// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "gs/formats/ros_schema.hpp"
#include "gs_sim/sensor_data.hpp"

namespace gs_sim {

// What the publishers of a topic offer. All are reliable, so that every reader fits; history is
// "keep the last `depth`".
struct TopicQos {
  bool is_latched = false;  // said once, for everybody who comes later
  int depth = 10;
  bool is_bulk = false;  // megabytes: nothing small may wait behind them, and only readers get them
};

enum class Audience {
  Everybody,  // ROS 2, browsers and recordings
  Browsers,   // smaller forms of what the others get whole
};

// Writes the bytes of one message, as they go over a wire and into a log.
using EncodeMessage = std::function<void(std::vector<std::byte>& out)>;

// A topic of a sensor: what becomes of each of its readings.
struct SensorTopic {
  std::string name;  // "/camera/front/image_raw"
  gs::RosTypeTree type;
  TopicQos qos;
  std::function<void(const SensorData& data, std::vector<std::byte>& out)> encode;
  Audience audience = Audience::Everybody;
  double usual_bytes = 0;  // of a message, where it is bulk
};

}  // namespace gs_sim

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "gs/formats/cdr.hpp"
#include "gs/formats/ros_schema.hpp"
#include "gs/msgs/sensor_msgs.hpp"
#include "gs_ros2/bulk_pace.hpp"
#include "gs_ros2/wire.hpp"

// Images and clouds as a rig of sensors sends them, numbered and timed, and what a reader makes of
// them. For measurements over the wire.
namespace peers {

using Clock = std::chrono::steady_clock;

constexpr int kStepsPerSecond = 100;
constexpr size_t kMarkAt = 16;  // inside a text of the header that is long enough for a mark

struct Topic {
  gs_ros2::EndpointSpec spec;
  double rate_hz;
  std::vector<std::byte> bytes;
};

inline int64_t nowNs() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now().time_since_epoch())
      .count();
}

// Number and time of sending, where the frame id stands: the reader looks at nothing else.
struct Mark {
  int64_t number = 0, sent_ns = 0;
};

inline void setMark(std::vector<std::byte>& message, const Mark& mark) {
  std::memcpy(message.data() + kMarkAt, &mark, sizeof mark);
}

inline Mark markOf(gs::Bytes message) {
  Mark mark;
  if (message.size() >= kMarkAt + sizeof mark)
    std::memcpy(&mark, message.data() + kMarkAt, sizeof mark);
  return mark;
}

inline gs_ros2::EndpointSpec cameraSpec(int index) {
  return {.topic = "rt/camera" + std::to_string(index),
          .type = gs::ddsTypeName<gs::msgs::Image>(),
          .type_hash = "",
          .qos = {.depth = 5, .is_bulk = true}};
}

inline std::vector<Topic> makeCameras(int count, uint32_t width, uint32_t height, double rate_hz) {
  gs::msgs::Image image;
  image.header.frame_id = std::string(40, ' ');
  image.width = width;
  image.height = height;
  image.encoding = "rgb8";
  image.step = 3 * width;
  image.data.resize(size_t{3} * width * height);
  std::vector<Topic> topics;
  for (int i = 0; i < count; ++i) topics.push_back({cameraSpec(i), rate_hz, gs::encodeCdr(image)});
  return topics;
}

inline std::vector<gs_ros2::BulkStream> bulkStreams(const std::vector<Topic>& topics) {
  std::vector<gs_ros2::BulkStream> streams;
  for (const Topic& topic : topics)
    streams.push_back({static_cast<double>(topic.bytes.size()), topic.rate_hz});
  return streams;
}

// Trigger k of a sensor fires in the step nearest to k / rate.
inline bool fires(int64_t step, double rate_hz, int64_t& number) {
  const auto due =
      static_cast<int64_t>(static_cast<double>(number) * kStepsPerSecond / rate_hz + 0.5);
  if (step < due) return false;
  ++number;
  return true;
}

// Calls send(topic, mark) whenever a sensor fires, step by step in real time.
template <typename Send>
void drive(const std::vector<Topic>& topics, int seconds, Send send) {
  std::vector<int64_t> numbers(topics.size());
  auto next = Clock::now();
  for (int64_t step = 0; step < int64_t{seconds} * kStepsPerSecond; ++step) {
    for (size_t i = 0; i < topics.size(); ++i) {
      const int64_t number = numbers[i];
      if (fires(step, topics[i].rate_hz, numbers[i])) send(i, Mark{number, nowNs()});
    }
    next += std::chrono::microseconds(1'000'000 / kStepsPerSecond);
    std::this_thread::sleep_until(next);
  }
}

inline void publish(gs_ros2::Writer& writer, const Topic& topic, const Mark& mark) {
  writer.publish([bytes = &topic.bytes, mark](std::vector<std::byte>& out) {
    out.assign(bytes->begin(), bytes->end());
    setMark(out, mark);
  });
}

struct Tally {
  int64_t messages = 0, missing = 0, next = 0;
  uint64_t bytes = 0;
  std::vector<double> latency_ms;

  void see(const Mark& mark, size_t size) {
    if (messages > 0) missing += mark.number - next;
    next = mark.number + 1;
    ++messages;
    bytes += size;
    latency_ms.push_back(static_cast<double>(nowNs() - mark.sent_ns) / 1e6);
  }
};

inline double quantile(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return values[std::min(values.size() - 1,
                         static_cast<size_t>(share * static_cast<double>(values.size())))];
}

inline void print(const char* what, const std::vector<Tally>& tallies, double seconds) {
  Tally sum;
  for (const Tally& tally : tallies) {
    sum.messages += tally.messages;
    sum.missing += tally.missing;
    sum.bytes += tally.bytes;
    sum.latency_ms.insert(sum.latency_ms.end(), tally.latency_ms.begin(), tally.latency_ms.end());
  }
  std::printf("%s messages %ld missing %ld MB/s %.1f latency_ms p50 %.1f p95 %.1f max %.1f\n", what,
              sum.messages, sum.missing, static_cast<double>(sum.bytes) / seconds / 1e6,
              quantile(sum.latency_ms, 0.5), quantile(sum.latency_ms, 0.95),
              quantile(sum.latency_ms, 1));
  std::fflush(stdout);
}

}  // namespace peers

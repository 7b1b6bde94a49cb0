// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "gs/core/time.hpp"
#include "gs_sim/to_messages.hpp"
#include "gs_sim/types.hpp"

namespace gs_sim {

// A topic that the simulator publishes.
struct PublishedTopic {
  std::string name;         // "/camera/front/image_raw"
  std::string type;         // "sensor_msgs/msg/Image"
  std::string schema_text;  // its definition, as MCAP records it
  bool is_latched = false;  // said once, for everybody who comes later
};

// One message, encoded: the bytes that go over the wire and into a log.
struct EncodedMessage {
  size_t topic = 0;  // index into StepEncoder::topics()
  gs::Stamp stamp;
  std::vector<std::byte> cdr;
};

// What the messages need to know besides the steps. The bundle must live as long as the encoder.
struct PublishedWorld {
  const gs::WorldBundle& bundle;
  std::string bundle_path;
  FrameNames frames;
  std::vector<std::string> cameras, lidars;  // those simulated
  CloudLayout cloud_layout;
};

// Everything that is published about a step, each message encoded once for the wire and for the
// recorder. Memory is kept from step to step: an image costs one copy and no allocation.
class StepEncoder {
 public:
  explicit StepEncoder(const PublishedWorld& world);

  const std::vector<PublishedTopic>& topics() const { return topics_; }

  // Latched topics: /tf_static and /sim/world_info. Valid until the next call of either function.
  std::span<const EncodedMessage> encodeLatched(gs::Stamp stamp);
  // /clock first, then by topic; images with their camera_info behind them. Of the topics that
  // `isWanted`; absent: of all.
  using IsWanted = std::function<bool(size_t topic)>;
  std::span<const EncodedMessage> encode(const StepOutput& step,
                                         const IsWanted& isWanted = nullptr);

 private:
  template <typename Message>
  size_t addTopic(const std::string& name, bool is_latched = false);
  std::vector<std::byte>& next(size_t topic, gs::Stamp stamp);
  template <typename Message>
  void add(size_t topic, gs::Stamp stamp, const Message& message);

  struct CameraTopics {
    size_t image, info;
  };
  const gs::WorldBundle& bundle_;
  std::string bundle_path_;
  FrameNames frames_;
  std::vector<std::string> cameras_, lidars_;
  CloudLayout layout_;
  std::vector<PublishedTopic> topics_;
  size_t clock_ = 0, tf_ = 0, tf_static_ = 0, odom_ = 0, state_ = 0, status_ = 0, world_info_ = 0;
  std::map<std::string, CameraTopics> camera_topics_;
  std::map<std::string, size_t> lidar_topics_;
  std::vector<EncodedMessage> messages_;  // the first `count_` are of this call
  size_t count_ = 0;
};

}  // namespace gs_sim

// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/recorder.hpp"

#include <fmt/format.h>

#include "gs/core/error.hpp"
#include "gs/core/file.hpp"
#include "gs/core/log.hpp"
#include "gs/formats/cdr.hpp"
#include "gs/formats/mcap_reader.hpp"
#include "gs/formats/mcap_writer.hpp"
#include "gs/formats/ros_schema.hpp"
#include "gs/formats/rosbag2_metadata.hpp"
#include "gs_sim/control_messages.hpp"

namespace gs_sim {
namespace fs = std::filesystem;
namespace {

constexpr const char* kControlTopic = "/vehicle/control_cmd";

// What a player of the bag offers: without it, latched topics would come too early for everybody.
std::string qosOf(bool is_latched) {
  return fmt::format(
      "- history: 1\n  depth: {}\n  reliability: 1\n  durability: {}\n"
      "  deadline:\n    sec: 9223372036\n    nsec: 854775807\n"
      "  lifespan:\n    sec: 9223372036\n    nsec: 854775807\n"
      "  liveliness: 1\n"
      "  liveliness_lease_duration:\n    sec: 9223372036\n    nsec: 854775807\n"
      "  avoid_ros_namespace_conventions: false",
      is_latched ? 1 : 10, is_latched ? 1 : 2);
}

struct Paths {
  fs::path log, metadata;
};

Paths pathsFor(const fs::path& path) {
  if (path.extension() == ".mcap") {
    const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
    gs::createDirectories(folder);
    return {path, folder / "metadata.yaml"};
  }
  const fs::path folder = path.has_filename() ? path : path.parent_path();
  gs::createDirectories(folder);
  return {folder / (folder.filename().string() + "_0.mcap"), folder / "metadata.yaml"};
}

// Of another log than ours, which must keep it.
bool belongsToAnother(const fs::path& metadata, const std::string& log_name) {
  std::error_code ignored;
  if (!fs::exists(metadata, ignored)) return false;
  try {
    const auto files = gs::readRosbag2Metadata(metadata).relative_file_paths;
    return files.size() != 1 || files.front() != log_name;
  } catch (const gs::Error&) {
    return true;  // somebody's, whatever it is
  }
}

}  // namespace

struct Recorder::State {
  struct Channel {
    uint16_t id = 0;
    uint32_t count = 0;
    std::string topic;
    bool is_latched = false;
  };

  State(const Paths& paths, const FrameNames& frames, const RecorderOptions& options)
      : paths(paths), frames(frames), options(options), writer(paths.log) {}

  void add(const std::string& name, const std::string& type, const std::string& schema_text,
           bool is_latched) {
    const uint16_t schema = writer.addSchema(type, "ros2msg", schema_text);
    const uint16_t id =
        writer.addChannel(schema, name, "cdr", {{"offered_qos_profiles", qosOf(is_latched)}});
    channels.push_back({id, 0, name, is_latched});
  }

  void write(Channel& channel, gs::Stamp stamp, gs::Bytes bytes) {
    writer.write({.channel_id = channel.id,
                  .sequence = channel.count++,
                  .log_time = stamp,
                  .publish_time = stamp,
                  .data = bytes});
    ++messages;
  }

  void writeMetadata() const {
    if (belongsToAnother(paths.metadata, paths.log.filename().string())) {
      gs::logger("recorder")
          .warn("'" + paths.metadata.string() + "' is of another log and was left alone");
      return;
    }
    gs::Rosbag2Metadata metadata = gs::rosbag2MetadataOf(gs::LogReader(paths.log).summary());
    for (gs::Rosbag2Topic& topic : metadata.topics)
      for (const Channel& channel : channels)
        if (channel.topic == topic.name) topic.offered_qos_profiles = qosOf(channel.is_latched);
    gs::writeFileAtomically(paths.metadata, gs::writeRosbag2Metadata(metadata));
  }

  Paths paths;
  FrameNames frames;
  RecorderOptions options;
  gs::McapWriter writer;
  std::vector<Channel> channels;  // as the encoder's topics, then the control topic
  std::vector<std::byte> buffer;
  uint64_t messages = 0, steps = 0, hash_chain = 0, last_hash = 0;
  bool is_closed = false;
};

Recorder::Recorder(const fs::path& path, const std::vector<PublishedTopic>& topics,
                   const FrameNames& frames, const RecorderOptions& options)
    : state_(std::make_unique<State>(pathsFor(path), frames, options)) {
  for (const PublishedTopic& topic : topics)
    state_->add(topic.name, topic.type, topic.schema_text, topic.is_latched);
  if (options.with_control)
    state_->add(kControlTopic, gs::msgs::VehicleControlCmd::kRosType,
                gs::rosSchemaText<gs::msgs::VehicleControlCmd>(), false);
}
Recorder::~Recorder() = default;
Recorder::Recorder(Recorder&&) noexcept = default;
Recorder& Recorder::operator=(Recorder&&) noexcept = default;

const fs::path& Recorder::file() const { return state_->paths.log; }
uint64_t Recorder::messageCount() const { return state_->messages; }

void Recorder::record(std::span<const EncodedMessage> messages) {
  for (const EncodedMessage& message : messages)
    state_->write(state_->channels.at(message.topic), message.stamp, message.cdr);
}

void Recorder::record(const StepOutput& step, std::span<const EncodedMessage> messages) {
  // The command comes first: it was there before the step.
  if (step.control && state_->options.with_control) {
    gs::encodeCdr(toVehicleControlCmd(*step.control, state_->frames.base_link), state_->buffer);
    state_->write(state_->channels.back(), step.info.stamp, state_->buffer);
  }
  record(messages);
  ++state_->steps;
  state_->last_hash = step.state_hash;
  state_->hash_chain = (state_->hash_chain ^ step.state_hash) * 0x9e3779b97f4a7c15ULL + 1;
}

void Recorder::close() {
  if (state_->is_closed) return;
  state_->is_closed = true;
  auto about = state_->options.about;
  about["steps"] = std::to_string(state_->steps);
  about["last_state_hash"] = fmt::format("{:016x}", state_->last_hash);
  about["state_hash_chain"] = fmt::format("{:016x}", state_->hash_chain);
  state_->writer.addMetadata({"gs_sim", about});
  state_->writer.close();
  state_->writeMetadata();
}

}  // namespace gs_sim

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

namespace gs_sim {
namespace fs = std::filesystem;
namespace {

// What a player of the bag offers: without it, latched topics would come too early for everybody.
std::string qosOf(const TopicQos& qos) {
  return fmt::format(
      "- history: 1\n  depth: {}\n  reliability: 1\n  durability: {}\n"
      "  deadline:\n    sec: 9223372036\n    nsec: 854775807\n"
      "  lifespan:\n    sec: 9223372036\n    nsec: 854775807\n"
      "  liveliness: 1\n"
      "  liveliness_lease_duration:\n    sec: 9223372036\n    nsec: 854775807\n"
      "  avoid_ros_namespace_conventions: false",
      qos.depth, qos.is_latched ? 1 : 2);
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
    TopicQos qos;
  };

  State(const Paths& paths, const FrameNames& frames, const RecorderOptions& options)
      : paths(paths), frames(frames), options(options), writer(paths.log) {}

  Channel add(const std::string& name, const gs::RosTypeTree& type, const TopicQos& qos) {
    const uint16_t schema = writer.addSchema(type.type.name, "ros2msg", gs::toRosSchemaText(type));
    const uint16_t id =
        writer.addChannel(schema, name, "cdr", {{"offered_qos_profiles", qosOf(qos)}});
    return {id, 0, name, qos};
  }

  void write(Channel& channel, gs::Stamp stamp, gs::Bytes bytes) {
    writer.write({.channel_id = channel.id,
                  .sequence = channel.count++,
                  .log_time = stamp,
                  .publish_time = stamp,
                  .data = bytes});
    ++messages;
  }

  // As it came, or in our own words when nobody sent it.
  void writeCommand(const ControlInput& command, gs::Stamp stamp) {
    if (command.message)
      for (const auto& [name, type] : options.commands)
        if (command.message->type == type.type.name)
          return write(commandChannel(options.has_driver ? kTakeOverTopic : name, type), stamp,
                       command.message->cdr);
    gs::encodeCdr(toVehicleControlCmd(command, frames.base_link), buffer);
    write(commandChannel(options.has_driver ? kCommandTopic : kOwnCommandTopic,
                         gs::describeRosType<gs::msgs::VehicleControlCmd>()),
          stamp, buffer);
  }

  Channel& commandChannel(const std::string& name, const gs::RosTypeTree& type) {
    for (Channel& channel : command_channels)
      if (channel.topic == name) return channel;
    return command_channels.emplace_back(add(name, type, {}));
  }

  void writeMetadata() const {
    if (belongsToAnother(paths.metadata, paths.log.filename().string())) {
      gs::logger("recorder")
          .warn("'" + paths.metadata.string() + "' is of another log and was left alone");
      return;
    }
    gs::Rosbag2Metadata metadata = gs::rosbag2MetadataOf(gs::LogReader(paths.log).summary());
    for (gs::Rosbag2Topic& topic : metadata.topics)
      topic.offered_qos_profiles = qosOf(qosNamed(topic.name));
    gs::writeFileAtomically(paths.metadata, gs::writeRosbag2Metadata(metadata));
  }

  TopicQos qosNamed(const std::string& topic) const {
    for (const auto& channel : channels)
      if (channel && channel->topic == topic) return channel->qos;
    return {};
  }

  Paths paths;
  FrameNames frames;
  RecorderOptions options;
  gs::McapWriter writer;
  std::vector<std::optional<Channel>> channels;  // as the rows; none of what is not recorded
  std::vector<Channel> command_channels;         // as far as they are needed
  std::vector<std::byte> buffer;
  uint64_t messages = 0, steps = 0, hash_chain = 0, last_hash = 0;
  bool is_closed = false;
};

Recorder::Recorder(const fs::path& path, const std::vector<Topic>& topics, const FrameNames& frames,
                   const RecorderOptions& options)
    : state_(std::make_unique<State>(pathsFor(path), frames, options)) {
  for (const Topic& topic : topics) {
    auto& channel = state_->channels.emplace_back();
    if (topic.audience == Audience::Everybody)
      channel = state_->add(topic.name, topic.type, topic.qos);
  }
  if (options.has_driver)
    state_->commandChannel(kCommandTopic, gs::describeRosType<gs::msgs::VehicleControlCmd>());
  else
    for (const auto& [name, type] : options.commands) state_->commandChannel(name, type);
}
Recorder::~Recorder() = default;
Recorder::Recorder(Recorder&&) noexcept = default;
Recorder& Recorder::operator=(Recorder&&) noexcept = default;

const fs::path& Recorder::file() const { return state_->paths.log; }
uint64_t Recorder::messageCount() const { return state_->messages; }

void Recorder::record(std::span<const StepMessage> messages) {
  for (const StepMessage& message : messages) {
    auto& channel = state_->channels.at(message.topic);
    if (!channel) continue;
    (*message.encode)(state_->buffer);
    state_->write(*channel, message.stamp, state_->buffer);
  }
}

void Recorder::record(const PublishedStep& published) {
  const StepOutput& step = *published.step;
  // The command comes first: it was there before the step.
  if (step.control) state_->writeCommand(*step.control, step.info.stamp);
  record(published.messages);
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

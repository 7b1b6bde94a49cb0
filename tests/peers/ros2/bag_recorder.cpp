// SPDX-License-Identifier: Apache-2.0
#include "peers/ros2/bag_recorder.hpp"

#include <algorithm>

#include "gs/core/file.hpp"
#include "gs/formats/mcap_reader.hpp"
#include "gs/formats/rosbag2_metadata.hpp"
#include "gs/msgs/all_messages.hpp"

namespace peers {
namespace {

constexpr int kDepth = 10;  // rosbag2 leaves the default of ROS

struct Definition {
  std::string ros_type, schema_text, hash;
};

const std::map<std::string, Definition>& definitions() {
  static const auto all = [] {
    std::map<std::string, Definition> result;
    gs::msgs::forEachMessage([&]<typename Message>() {
      result[gs::ddsTypeName<Message>()] = {Message::kRosType, gs::rosSchemaText<Message>(),
                                            gs::rosTypeHash<Message>()};
    });
    return result;
  }();
  return all;
}

// What the writers offer, as rosbag2 of the distribution spells it. DDS does not tell the history.
std::string qosText(const std::vector<RmwEndpoint>& writers, const Dialect& dialect) {
  const bool has_words = dialect.gid_bytes == 16;  // numbers in Humble
  const std::string forever = "\n    sec: 9223372036\n    nsec: 854775807\n";
  std::string text;
  for (const RmwEndpoint& writer : writers) {
    const auto choose = [&](bool is_first, const char* first, const char* second) {
      return std::string(is_first ? (has_words ? first : "1") : (has_words ? second : "2"));
    };
    text += "- history: " + std::string(has_words ? "unknown" : "3") + "\n  depth: 0\n" +
            "  reliability: " + choose(writer.qos.is_reliable, "reliable", "best_effort") +
            "\n  durability: " + choose(writer.qos.is_latched, "transient_local", "volatile") +
            "\n  deadline:" + forever + "  lifespan:" + forever +
            "  liveliness: " + choose(true, "automatic", "") +
            "\n  liveliness_lease_duration:" + forever +
            "  avoid_ros_namespace_conventions: false\n";
  }
  return text;
}

int64_t nowNs() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

bool isRosTopic(const RmwEndpoint& endpoint) {
  return endpoint.is_writer && endpoint.topic.starts_with("rt/");
}

}  // namespace

BagRecorder::BagRecorder(const std::filesystem::path& folder)
    : log_((gs::createDirectories(folder), folder / (folder.filename().string() + "_0.mcap"))),
      metadata_(folder / "metadata.yaml"),
      writer_(log_),
      thread_([this] { writeWaiting(); }) {}

BagRecorder::~BagRecorder() { finishWriting(); }

void BagRecorder::discover(RmwPeer& peer) {
  std::map<std::string, std::vector<RmwEndpoint>> offered;
  for (const RmwEndpoint& endpoint : peer.endpoints())
    if (isRosTopic(endpoint)) offered[endpoint.topic.substr(2)].push_back(endpoint);
  for (const auto& [name, writers] : offered)
    if (!qos_.contains(name) && !unknown_.contains(name)) subscribe(peer, name, writers);
}

void BagRecorder::subscribe(RmwPeer& peer, const std::string& name,
                            const std::vector<RmwEndpoint>& writers) {
  const auto known = definitions().find(writers[0].type);
  if (known == definitions().end()) {
    unknown_.insert(name);
    return;
  }
  const auto all = [&](bool PeerQos::*property) {
    return std::all_of(writers.begin(), writers.end(),
                       [&](const RmwEndpoint& writer) { return writer.qos.*property; });
  };
  const PeerQos qos{.is_reliable = all(&PeerQos::is_reliable),
                    .is_latched = all(&PeerQos::is_latched),
                    .depth = kDepth};
  const Definition& definition = known->second;
  qos_[name] = qosText(writers, peer.dialect());
  uint16_t channel = 0;
  {
    const std::lock_guard lock(file_mutex_);
    std::map<std::string, std::string> about = {{"offered_qos_profiles", qos_[name]}};
    if (peer.dialect().has_type_hashes) about["topic_type_hash"] = definition.hash;
    channel = writer_.addChannel(
        writer_.addSchema(definition.ros_type, "ros2msg", definition.schema_text), name, "cdr",
        about);
  }
  peer.subscribe(
      {"rt" + name, writers[0].type, definition.hash, qos},
      [this, name, channel](gs::Bytes bytes, int64_t source_ns) {
        const std::lock_guard lock(mutex_);
        const auto number = static_cast<uint32_t>(counts_[name]++);
        waiting_.push_back({channel, number, nowNs(), source_ns, {bytes.begin(), bytes.end()}});
        changed_.notify_all();
      });
}

// Beside the threads of DDS, whose sockets would overflow while a chunk is compressed.
void BagRecorder::writeWaiting() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return is_closing_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    const Arrived message = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    {
      const std::lock_guard file_lock(file_mutex_);
      writer_.write({.channel_id = message.channel,
                     .sequence = message.number,
                     .log_time = gs::Stamp{message.log_ns},
                     .publish_time = gs::Stamp{message.source_ns},
                     .data = message.bytes});
    }
    lock.lock();
  }
}

std::map<std::string, uint64_t> BagRecorder::counts() const {
  const std::lock_guard lock(mutex_);
  return counts_;
}

void BagRecorder::finishWriting() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    is_closing_ = true;
    changed_.notify_all();
  }
  thread_.join();
}

void BagRecorder::close() {
  finishWriting();
  writer_.close();
  gs::Rosbag2Metadata metadata = gs::rosbag2MetadataOf(gs::LogReader(log_).summary());
  for (gs::Rosbag2Topic& topic : metadata.topics) topic.offered_qos_profiles = qos_[topic.name];
  gs::writeFileAtomically(metadata_, gs::writeRosbag2Metadata(metadata));
}

}  // namespace peers

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "gs/formats/mcap_writer.hpp"
#include "peers/ros2/rmw_peer.hpp"

namespace peers {

// `ros2 bag record -a -s mcap`: reads every topic that anybody offers, as reliable and as latched
// as all its writers are, and keeps what comes, in a folder that rosbag2 would write.
class BagRecorder {
 public:
  // Makes folder/<its name>_0.mcap.
  explicit BagRecorder(const std::filesystem::path& folder);
  ~BagRecorder();  // without close(): as after a kill

  // Reads what the peer has discovered since; to be called again and again, as rosbag2 does. The
  // peer must be gone before this is.
  void discover(RmwPeer& peer);
  // Messages so far, by ROS topic.
  std::map<std::string, uint64_t> counts() const;
  // Topics of types whose definition is not known.
  const std::set<std::string>& unknownTopics() const { return unknown_; }
  // Writes what still waits, the index and metadata.yaml. The peer must be gone.
  void close();

 private:
  struct Arrived {
    uint16_t channel = 0;
    uint32_t number = 0;
    int64_t log_ns = 0, source_ns = 0;
    std::vector<std::byte> bytes;
  };

  void subscribe(RmwPeer& peer, const std::string& name, const std::vector<RmwEndpoint>& writers);
  void writeWaiting();
  void finishWriting();

  std::filesystem::path log_, metadata_;
  std::mutex file_mutex_;
  gs::McapWriter writer_;                   // with its mutex
  std::map<std::string, std::string> qos_;  // by ROS topic
  std::set<std::string> unknown_;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Arrived> waiting_;
  std::map<std::string, uint64_t> counts_;
  bool is_closing_ = false;
  std::thread thread_;
};

}  // namespace peers

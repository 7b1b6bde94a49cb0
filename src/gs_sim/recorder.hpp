// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>

#include "gs_sim/control_messages.hpp"
#include "gs_sim/topic_table.hpp"

namespace gs_sim {

struct RecorderOptions {
  // Where commands come in over wires. They are kept as they came: on these topics, or on
  // kTakeOverTopic when the simulator's own driver has kCommandTopic.
  std::vector<CommandTopic> commands;
  // The simulator itself drives, by a script or a log: with a wire or without, the log is the same.
  bool has_driver = true;
  std::map<std::string, std::string>
      about;  // facts of the run, kept in the log as metadata "gs_sim"
};

// A run as a log: everything published, in the order of publication, as rosbag2 would write it. The
// same run gives the same bytes. `path` is a file (RUN.mcap), and metadata.yaml comes to stand
// beside it unless one of another log does; or a folder, which becomes a bag (RUN/RUN_0.mcap,
// RUN/metadata.yaml). A log of an earlier run is replaced. Without close() the log ends as after a
// kill: readable, without an index. Throws gs::Error (OUTPUT_FAILED).
class Recorder {
 public:
  // `topics` are the rows whose messages will be recorded.
  Recorder(const std::filesystem::path& path, const std::vector<Topic>& topics,
           const FrameNames& frames, const RecorderOptions& options = {});
  ~Recorder();
  Recorder(Recorder&&) noexcept;
  Recorder& operator=(Recorder&&) noexcept;

  // What is said once, before the first step.
  void record(std::span<const StepMessage> messages);
  // Once per step: its command, its messages, and the chain of state hashes.
  void record(const PublishedStep& step);
  void close();

  const std::filesystem::path& file() const;  // the .mcap
  uint64_t messageCount() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace gs_sim

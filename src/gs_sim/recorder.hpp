// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

#include "gs_sim/step_encoder.hpp"

namespace gs_sim {

struct RecorderOptions {
  bool with_control =
      true;  // /vehicle/control_cmd as accepted, so that the run can be driven again
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
  // `topics` are those of the encoder whose messages will be recorded.
  Recorder(const std::filesystem::path& path, const std::vector<PublishedTopic>& topics,
           const FrameNames& frames, const RecorderOptions& options = {});
  ~Recorder();
  Recorder(Recorder&&) noexcept;
  Recorder& operator=(Recorder&&) noexcept;

  // Messages of one step, or the latched ones before the first.
  void record(std::span<const EncodedMessage> messages);
  // Once per step, with the messages of that step: its command, and the chain of state hashes.
  void record(const StepOutput& step, std::span<const EncodedMessage> messages);
  void close();

  const std::filesystem::path& file() const;  // the .mcap
  uint64_t messageCount() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace gs_sim

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "gs/core/time.hpp"

namespace gs_sim {

// Where two runs part.
struct RunDifference {
  enum class Kind {
    Content,       // the same message has other content
    OnlyInFirst,   // the second run lacks a message, or ends
    OnlyInSecond,  // the first run does
    TopicType,     // a topic has another type
  };
  Kind kind = Kind::Content;
  std::string topic;
  gs::Stamp stamp;
  uint64_t message = 0;       // its number in the log, from 0
  std::string field;          // "pose.pose.position.x", "data[17]"; empty where there is none
  std::string first, second;  // the values there
};

struct RunComparison {
  uint64_t messages = 0;  // compared and equal
  std::optional<RunDifference> difference;

  bool isSame() const { return !difference; }
};

struct CompareOptions {
  // Topics to leave out, such as /sim/status of runs in real time: it tells how fast they were.
  std::vector<std::string> ignored_topics;
};

// Two recorded runs (.mcap files or bags), message by message in the order of the logs. Memory
// grows with the number of messages, not with their size. Throws gs::Error (MCAP_READ_ERROR) for
// what is no log, or is damaged.
RunComparison compareRuns(const std::filesystem::path& first, const std::filesystem::path& second,
                          const CompareOptions& options = {});

// One line for people: "the same: 1234 messages", or where and how they differ.
std::string toText(const RunComparison& comparison);

}  // namespace gs_sim

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "gs/formats/mcap_reader.hpp"
#include "gs_builder/period_statistics.hpp"

namespace gs_builder {

// What one topic of a log is like. Rates and gaps are of log times; stamps are those of the
// messages' headers, for types that have one.
struct TopicSurvey {
  std::string name;
  std::string type;
  std::string encoding = "cdr";
  uint64_t count = 0;
  uint64_t lost = 0;  // messages that the index counts and damage hides
  uint64_t bytes = 0;
  gs::Stamp first, last;
  PeriodStatistics periods;
  std::string frame_id;  // of the first header
  bool has_header = false;
  uint64_t unreadable = 0;       // messages that are no whole message of their type
  uint64_t backward_stamps = 0;  // header stamps before the one ahead of them
  double max_stamp_offset = 0;   // s, largest |header stamp - log time|
  gs::Stamp last_stamp;
};

struct CameraSurvey {
  std::string image_topic;
  std::string info_topic;  // empty: none found
  std::string frame_id;
  std::string encoding;  // "rgb8", "jpeg"
  int width = 0, height = 0;
  // From the first CameraInfo.
  std::string distortion_model;
  int info_width = 0, info_height = 0;
  double fx = 0, fy = 0, cx = 0, cy = 0;
  std::vector<double> distortion;
};

struct LidarSurvey {
  std::string topic;
  std::string frame_id;
  uint32_t points = 0;  // of the first cloud
  std::vector<std::string> fields;
};

struct FrameEdge {
  std::string parent, child;
  bool is_static = false;
  uint64_t count = 0;
  auto operator<=>(const FrameEdge&) const = default;
};

struct LogSurvey {
  std::string log;
  uint64_t size_bytes = 0;
  size_t files = 0;
  bool is_indexed = false;
  uint64_t message_count = 0;
  gs::Stamp start, end;
  std::vector<TopicSurvey> topics;    // by name; also those without a message
  std::vector<CameraSurvey> cameras;  // by image topic
  std::vector<LidarSurvey> lidars;    // by topic
  std::vector<std::string> poses;     // topics that can give the ego's pose
  std::vector<FrameEdge> frames;      // the TF tree, by parent and child
  std::vector<std::string> attachments;
  std::vector<gs::McapProblem> damage;

  bool knowsFrame(const std::string& frame_id) const;  // some transform leads to or from it
};

// Whether messages in this encoding are understood ("cdr"); of others only the bytes are counted.
bool isReadable(const std::string& message_encoding);

// Reads the log once, whatever its size, in constant memory. `progress` gets 0..1; `also` gets
// every message too, so that who wants more need not read the log again.
LogSurvey surveyLog(const std::filesystem::path& log,
                    const std::function<void(double)>& progress = {},
                    const std::function<void(const gs::LogMessage&)>& also = {});

// The topic without what image transports append: an image and its camera_info share it.
std::string cameraNamespace(const std::string& topic);

std::string toText(const LogSurvey& survey);
nlohmann::ordered_json toJson(const LogSurvey& survey);

}  // namespace gs_builder

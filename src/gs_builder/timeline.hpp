// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "gs/core/time.hpp"
#include "gs_builder/pipeline_config.hpp"

// timeline.json and frameset.json of mcap_ingest. Their stamps are seconds with nine decimals: as
// text they keep every nanosecond, and what reads them here keeps them too.
namespace gs_builder {

// What timeline, frameset and workspace call a sensor. Its frame_id may be any: it is the log's.
inline std::string cameraName(const std::string& id) { return "camera_" + id; }
inline std::string lidarName(const std::string& id) { return "lidar_" + id; }

struct SensorTimeline {
  bool is_camera = false;
  std::string topic;
  std::vector<gs::Stamp> stamps;   // ascending
  std::vector<std::string> files;  // relative to 00_mcap_ingest, one per stamp
};

struct Timeline {
  std::string source_mcap;
  std::map<std::string, SensorTimeline> sensors;  // "camera_front", "lidar_top"
};
std::string toTimelineText(const Timeline& timeline);
// Without `files`, which the file does not name. Throws gs::Error (INPUT_INVALID).
Timeline parseTimeline(std::string_view text, const std::string& name);
Timeline readTimeline(const std::filesystem::path& file);

// A sensor's part in a frame.
struct FrameTrigger {
  gs::Stamp stamp;
  int64_t frame_index = 0;
  std::string file_path;
};

struct Frame {
  gs::Duration sim_time;
  std::map<std::string, FrameTrigger> sensors;
};

struct Frameset {
  double camera_rate_hz = 12, lidar_rate_hz = 20;
  std::vector<Frame> frames;  // by sim_time
};

// How often a sensor was recorded, to a hundredth of a hertz: without the gaps that lost messages
// leave, and not moved by jitter as one period is. 0 for fewer than two stamps.
double recordedRateHz(const std::vector<gs::Stamp>& stamps);
// Of the fastest camera, or LiDAR; 0 when there is none.
double recordedRateHz(const Timeline& timeline, bool of_cameras);

// Cameras at every k / camera_rate, LiDARs at every k / lidar_rate from the first stamp of all,
// each with the recording nearest in time; no nearer one than half a period (of the target or of
// the sensor, whichever is longer): no trigger. A sensor that was recorded at its target rate is
// met at its own phase, so that every recording is used once. Simulated time is 0 at the first
// frame.
Frameset resample(const Timeline& timeline, double camera_rate_hz, double lidar_rate_hz);
// At the rates that were asked for, or those of the recording.
Frameset resample(const Timeline& timeline, const PipelineConfig::Ingest& ingest);

std::string toFramesetText(const Frameset& frameset);
// Throws gs::Error (INPUT_INVALID).
Frameset parseFrameset(std::string_view text, const std::string& name);
Frameset readFrameset(const std::filesystem::path& file);

}  // namespace gs_builder

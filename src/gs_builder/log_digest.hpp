// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "gs/core/image.hpp"
#include "gs/msgs/sensor_msgs.hpp"
#include "gs_builder/clock_check.hpp"
#include "gs_builder/log_survey.hpp"
#include "gs_builder/motion_topics.hpp"
#include "gs_builder/pipeline_config.hpp"
#include "gs_builder/scan_sampler.hpp"
#include "gs_builder/tf_tree.hpp"

namespace gs_builder {

// What a topic with poses of the vehicle says.
struct PoseTopic {
  std::string type;
  std::string frame_id;
  std::string child_frame_id;  // empty: the type has none
  std::vector<LoggedStamp> stamps;
  std::vector<gs::Rigid3> frame_from_child;
  size_t invalid = 0;  // NaN, or a quaternion that is no rotation
};

struct CameraLook {
  int width = 0, height = 0;
  std::string problem;  // why the first image cannot be decoded; empty: it can
};

struct LidarLook {
  bool has_time = false, has_ring = false, has_intensity = false;
  float max_intensity = 0;
  std::string problem;  // why the first cloud cannot be decoded
};

struct CameraInfoLook {
  gs::msgs::CameraInfo first;
  size_t changes = 0;  // messages with another calibration than the first
};

// Everything of a log but its images and clouds, and a look at the first of those: what is needed
// to plan, to judge, and to know where the vehicle was. Small compared with the log.
struct LogDigest {
  LogSurvey survey;
  std::map<std::string, std::vector<LoggedStamp>> sensor_stamps;  // of image and cloud topics
  std::map<std::string, CameraLook> cameras;                      // by image topic
  std::map<std::string, LidarLook> lidars;                        // by topic
  std::map<std::string, CameraInfoLook> camera_infos;             // by topic
  std::map<std::string, PoseTopic> poses;                         // by topic
  MotionTopics motion;
  std::map<std::string, std::vector<ScanPair>> scan_pairs;  // by LiDAR topic
  TfTree tf;
};

// One pass over the log; TF by the configured topics, and the mounts of the configured file. Throws
// MCAP_READ_ERROR when there is no log.
LogDigest digestLog(const std::filesystem::path& log, const PipelineConfig& config,
                    const std::function<void(double)>& progress = {});

}  // namespace gs_builder

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "gs_builder/ego_poses.hpp"
#include "gs_builder/log_digest.hpp"
#include "gs_builder/log_findings.hpp"
#include "gs_builder/pipeline_config.hpp"
#include "gs_builder/pose_agreement.hpp"
#include "gs_builder/recorded_sensors.hpp"
#include "gs_builder/sensor_plan.hpp"

namespace gs_builder {

// Which messages of a sensor become frames, and at what time.
struct FrameChoice {
  std::vector<std::optional<gs::Stamp>> stamps;  // per message of the topic; empty: left out
  size_t kept = 0;
  size_t clock_jumps = 0, backward = 0, outside_range = 0, without_pose = 0;
  bool uses_log_time = false;
  gs::Stamp first, last;  // of those kept
  double rate_hz = 0;     // of the topic, left out or not
};

// Camera stamps against those of the nearest LiDAR scan.
struct StampOffset {
  double median = 0;  // s, camera after LiDAR
  double p95 = 0;     // s, of the distances
};

struct Prognosis {
  double seconds = 0;       // of building, training excluded
  double memory_bytes = 0;  // at most
  double disk_bytes = 0;    // of the workspace
};

// Whether a log makes a good world, and all that is known before it is unpacked.
struct Diagnosis {
  SensorPlan plan;
  EgoPoses ego;
  std::map<std::string, FrameChoice> frames;               // by topic
  std::map<std::string, RecordedSensors::Camera> cameras;  // by id; lens of the stored images
  std::map<std::string, StampOffset> offsets;              // by camera id
  double duration = 0;                                     // s that can be used
  std::vector<PoseFit> pose_fits;                          // the source that is used first
  Prognosis prognosis;
  Findings findings;

  bool isFit() const { return findings.firstFatal() == nullptr; }
};

// Pure: the log was read by digestLog. Gates and mapping come from the configuration.
Diagnosis diagnose(const LogDigest& digest, const PipelineConfig& config, int workers);

std::string toText(const Diagnosis& diagnosis, const LogDigest& digest);
nlohmann::ordered_json toJson(const Diagnosis& diagnosis, const LogDigest& digest);

}  // namespace gs_builder

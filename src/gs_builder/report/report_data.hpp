// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "gs_builder/evaluation.hpp"
#include "gs_builder/pose_agreement.hpp"
#include "gs_builder/report/lidar_comparison.hpp"

// Everything that the twin report says, as plain values: measured in twin_report.cpp, put into
// words in verdict.cpp, written as a page in report_page.cpp.
namespace gs_builder {

struct EncodedImage {
  std::string mime_type;  // "image/jpeg"
  std::string bytes;
  int width = 0, height = 0;
};

// A held-out image as it was recorded, as the world shows it, and how they differ.
struct FramePictures {
  FrameEvaluation frame;
  EncodedImage recorded, rendered, difference;
};

// A place of the drive.
struct PathPoint {
  double time = 0;      // s after the first pose
  double distance = 0;  // m driven since then
  double x = 0, y = 0;  // m in the map
};

struct DriveFacts {
  double length = 0, duration = 0;           // m, s
  double mean_speed = 0, highest_speed = 0;  // m/s, while driving
  double standing = 0;                       // s
  std::vector<PathPoint> path;
};

struct MapPicture {
  EncodedImage image;
  double left = 0, top = 0, metres_per_pixel = 1;  // of the image's upper left corner, in the map
};

struct LidarReport {
  LidarComparison comparison;
  EncodedImage sweep;      // one sweep from above: recorded and simulated
  double sweep_time = 0;   // s after the first pose
  double sweep_reach = 0;  // m from the middle to the edge of the picture
};

// What changes from run to run.
struct TimingFacts {
  std::string made_at, built_at;  // ISO 8601
  int threads = 0;
  double image_ms = 0, sweep_ms = 0;                   // medians; 0: none was made
  double peak_memory_mb = 0;                           // of this program
  double seconds = 0;                                  // for the whole report
  std::vector<std::pair<std::string, double>> stages;  // of the build, s
  std::optional<double> build_memory_mb;
};

using FactRows = std::vector<std::pair<std::string, std::string>>;  // what, value

struct TwinReport {
  std::string scene_id;
  std::string world, log;  // paths, as they were given
  Evaluation evaluation;
  bool has_truth = false;                                      // the drive is a made one
  std::vector<PathPoint> places;                               // of evaluation.frames, one each
  std::vector<FramePictures> extremes;                         // best, median, worst of all cameras
  std::map<std::string, std::vector<FramePictures>> pictures;  // by camera: median, worst
  DriveFacts drive;
  PoseFit poses;  // of the drive, to its LiDAR
  MapPicture map;
  std::map<std::string, LidarReport> lidars;  // by id
  bool has_mesh = false;                      // rays meet it; without, the ground alone
  FactRows build, provenance;
  std::vector<std::string> warnings;  // of the build, then of this report
  std::vector<std::string> commands;  // how to get all this again
  std::optional<TimingFacts> timing;
};

// The numbers, for programs; `evaluation` is what gs-inspect evaluate --json prints.
nlohmann::ordered_json toJson(const TwinReport& report);

}  // namespace gs_builder

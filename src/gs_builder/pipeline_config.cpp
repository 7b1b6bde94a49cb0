// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/pipeline_config.hpp"

#include <algorithm>
#include <cctype>
#include <numbers>

#include "gs/core/value_checks.hpp"

namespace gs_builder {
namespace {

namespace fs = std::filesystem;
using NamesById = std::map<std::string, std::string>;

bool isLowerAlpha(char c) { return c >= 'a' && c <= 'z'; }
bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isAlpha(char c) { return isLowerAlpha(c) || (c >= 'A' && c <= 'Z'); }

bool isSensorId(const std::string& id) {
  return !id.empty() && isLowerAlpha(id[0]) && std::all_of(id.begin(), id.end(), [](char c) {
    return isLowerAlpha(c) || isDigit(c) || c == '_';
  });
}

// A scene id becomes the name of a folder.
bool isSceneId(const std::string& id) {
  return !id.empty() && id.size() <= 100 && (isAlpha(id[0]) || isDigit(id[0])) &&
         std::all_of(id.begin(), id.end(), [](char c) {
           return isAlpha(c) || isDigit(c) || c == '_' || c == '-' || c == '.';
         });
}

// ROS 2 names: letters, digits and underscores between slashes, no part begins with a digit.
bool isAbsoluteTopic(const std::string& topic) {
  if (topic.size() < 2 || topic[0] != '/') return false;
  char previous = 0;
  for (const char c : topic) {
    const bool begins_part = previous == '/';
    if (c == '/' ? begins_part : !(isAlpha(c) || c == '_' || (isDigit(c) && !begins_part)))
      return false;
    previous = c;
  }
  return previous != '/';
}

bool isFrame(const std::string& frame) {
  return !frame.empty() && frame[0] != '/' && std::none_of(frame.begin(), frame.end(), [](char c) {
    return std::isspace(static_cast<unsigned char>(c)) ||
           std::iscntrl(static_cast<unsigned char>(c));
  });
}

void checkIds(gs::ValueChecks& checks, const std::string& section, const NamesById& by_id) {
  for (const auto& [id, name] : by_id)
    checks.require(isSensorId(id), section + "." + id,
                   "a sensor id is lower-case letters, digits and '_', and begins with a letter, "
                   "such as front_left");
}

// Every topic is read for one purpose. The second to name it is reported, and told of the first.
class TopicChecks {
 public:
  explicit TopicChecks(gs::ValueChecks& checks) : checks_(checks) {}

  void add(const std::string& path, const std::string& topic) {
    checks_.require(isAbsoluteTopic(topic), path,
                    "'" + topic +
                        "' is not a topic: expected letters, digits and '_' after each "
                        "'/', such as /camera/front/image_raw");
    const auto [first, is_new] = path_of_.emplace(topic, path);
    checks_.require(is_new, path, "topic '" + topic + "' is already used by " + first->second);
  }
  void add(const std::string& section, const NamesById& by_id) {
    checkIds(checks_, section, by_id);
    for (const auto& [id, topic] : by_id) add(section + "." + id, topic);
  }

 private:
  gs::ValueChecks& checks_;
  std::map<std::string, std::string> path_of_;
};

void checkTopics(gs::ValueChecks& checks, const PipelineConfig::Topics& topics) {
  TopicChecks topic_checks(checks);
  // The two with defaults first: the line that a person wrote is the one to blame.
  topic_checks.add("topics.tf", topics.tf);
  topic_checks.add("topics.tf_static", topics.tf_static);
  topic_checks.add("topics.cameras", topics.cameras);
  topic_checks.add("topics.camera_infos", topics.camera_infos);
  topic_checks.add("topics.lidars", topics.lidars);
  topic_checks.add("topics.imus", topics.imus);
  topic_checks.add("topics.gnss", topics.gnss);
  topic_checks.add("topics.wheel_odometry", topics.wheel_odometry);
  if (topics.odom) topic_checks.add("topics.odom", *topics.odom);
  for (const auto& [id, topic] : topics.camera_infos)
    checks.require(topics.cameras.contains(id), "topics.camera_infos." + id,
                   "there is no camera '" + id + "' in topics.cameras");
}

// Frames of sensors that nobody records would be ignored in silence. Without named sensors the ids
// come from the log and cannot be judged here.
void checkSensorFrames(gs::ValueChecks& checks, const std::string& kind, const NamesById& frames,
                       const NamesById& topics) {
  const std::string section = "frames." + kind;
  checkIds(checks, section, frames);
  for (const auto& [id, frame] : frames) {
    const std::string path = section + "." + id;
    checks.require(isFrame(frame), path, "a frame has a name without spaces or a leading '/'");
    checks.require(topics.empty() || topics.contains(id), path,
                   "there is no '" + id + "' in topics." + kind);
  }
}

void checkFrames(gs::ValueChecks& checks, const PipelineConfig& config) {
  const PipelineConfig::Frames& frames = config.frames;
  std::map<std::string, std::string> path_of;
  for (const auto& [path, frame] : {std::pair{"frames.map", &frames.map},
                                    {"frames.odom", &frames.odom},
                                    {"frames.base_link", &frames.base_link}}) {
    checks.require(isFrame(*frame), path, "a frame has a name without spaces or a leading '/'");
    const auto [first, is_new] = path_of.emplace(*frame, path);
    checks.require(is_new, path, "frame '" + *frame + "' is already used by " + first->second);
  }
  checkSensorFrames(checks, "cameras", frames.cameras, config.topics.cameras);
  checkSensorFrames(checks, "lidars", frames.lidars, config.topics.lidars);
  checkSensorFrames(checks, "imus", frames.imus, config.topics.imus);
  checkSensorFrames(checks, "gnss", frames.gnss, config.topics.gnss);
}

void checkOrigin(gs::ValueChecks& checks, const PipelineConfig::Origin& origin) {
  const int count =
      origin.latitude.has_value() + origin.longitude.has_value() + origin.altitude.has_value();
  checks.require(count == 0 || count == 3, "origin",
                 "latitude, longitude and altitude are given together or not at all");
  if (origin.latitude) checks.isBetween("origin.latitude", *origin.latitude, -90, 90);
  if (origin.longitude) checks.isBetween("origin.longitude", *origin.longitude, -180, 180);
  if (origin.altitude) checks.isFinite("origin.altitude", *origin.altitude);
  if (!origin.yaw) return;
  checks.isBetween("origin.yaw", *origin.yaw, -2 * std::numbers::pi, 2 * std::numbers::pi);
  checks.require(count > 0, "origin.yaw", "turns the map about an origin that is not given");
}

NamesById idsOf(const std::map<std::string, gs::LidarSpec>& specs) {
  NamesById ids;
  for (const auto& [id, spec] : specs) ids[id];
  return ids;
}

void resolve(std::optional<std::string>& path, const fs::path& folder) {
  if (path && !path->empty()) path = (folder / *path).lexically_normal().string();
}

}  // namespace

std::vector<gs::Problem> problemsIn(const PipelineConfig& config) {
  gs::ValueChecks checks;
  checks.isCompatibleVersion("version", config.version);
  const auto isGiven = [&](const char* path, const std::optional<std::string>& value) {
    checks.require(!value || !value->empty(), path, "is empty; leave the key out instead");
  };
  isGiven("input.mcap_file", config.input.mcap_file);
  isGiven("input.extrinsics_file", config.input.extrinsics_file);
  isGiven("output.world_bundle_dir", config.output.world_bundle_dir);
  checks.require(!config.output.scene_id || isSceneId(*config.output.scene_id), "output.scene_id",
                 "a scene id becomes a folder: letters, digits, '_', '-' and '.', beginning with a "
                 "letter or digit, at most 100");
  checkTopics(checks, config.topics);
  checkFrames(checks, config);
  checks.isNotNegative("time_range.start_sec", config.time_range.start_sec);
  if (config.time_range.duration_sec)
    checks.isPositive("time_range.duration_sec", *config.time_range.duration_sec);
  checkOrigin(checks, config.origin);
  checks.isBetween("ingest.jpeg_quality", config.ingest.jpeg_quality, 1, 100);
  checks.isPositive("ingest.camera_rate_hz", config.ingest.camera_rate_hz.value_or(1));
  checks.isPositive("ingest.lidar_rate_hz", config.ingest.lidar_rate_hz.value_or(1));
  if (const auto& base = config.ingest.base_link_above_ground)
    checks.require(base->isPossible(), "ingest.base_link_above_ground",
                   "no vehicle has it there: -0.5 to 4 m and at most 15 degrees");
  checkIds(checks, "lidar_specs", idsOf(config.lidar_specs));
  checks.isNotNegative("quality.min_rate_hz", config.quality.min_rate_hz);
  checks.isNotNegative("quality.min_duration_sec", config.quality.min_duration_sec);
  checks.isPositive("quality.max_sync_offset_sec", config.quality.max_sync_offset_sec);
  checks.isPositive("quality.max_pose_wander_m", config.quality.max_pose_wander_m);
  return checks.take();
}

void resolvePaths(PipelineConfig& config, const fs::path& folder) {
  resolve(config.input.mcap_file, folder);
  resolve(config.input.extrinsics_file, folder);
  resolve(config.output.world_bundle_dir, folder);
}

std::vector<gs::Problem> missingFilesOf(const PipelineConfig& config) {
  gs::ValueChecks checks;
  std::error_code failure;
  const auto mustExist = [&](const char* key, const std::optional<std::string>& file) {
    if (file && !file->empty())
      checks.require(fs::is_regular_file(*file, failure), key, "there is no file '" + *file + "'");
  };
  mustExist("input.mcap_file", config.input.mcap_file);
  mustExist("input.extrinsics_file", config.input.extrinsics_file);
  return checks.take();
}

}  // namespace gs_builder

// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/sensor_plan.hpp"

#include <algorithm>
#include <cctype>
#include <set>

#include <fmt/format.h>

namespace gs_builder {
namespace {

using gs::ErrorCode;

const std::set<std::string>& wordsThatNameNoSensor() {
  static const std::set<std::string> words = {"image",
                                              "image_raw",
                                              "image_rect",
                                              "image_color",
                                              "image_rect_color",
                                              "compressed",
                                              "raw",
                                              "rect",
                                              "color",
                                              "rgb",
                                              "camera",
                                              "cameras",
                                              "cam",
                                              "lidar",
                                              "lidars",
                                              "laser",
                                              "sensing",
                                              "sensor",
                                              "sensors",
                                              "points",
                                              "points_raw",
                                              "point_cloud",
                                              "pointcloud",
                                              "pointcloud_raw",
                                              "pointcloud_raw_ex",
                                              "rectified",
                                              "driver",
                                              "velodyne_points",
                                              "pointcloud_before",
                                              "decoded_points",
                                              "lidar_points",
                                              "cloud"};
  return words;
}

// Of topics of motion sensors, besides the words above.
const std::set<std::string>& wordsThatNameNoMotionSensor() {
  static const std::set<std::string> words = {"imu",
                                              "imu_raw",
                                              "imu_data",
                                              "data",
                                              "data_raw",
                                              "gnss",
                                              "gps",
                                              "fix",
                                              "nav_sat_fix",
                                              "navsatfix",
                                              "navsat",
                                              "twist",
                                              "twist_with_covariance",
                                              "velocity",
                                              "velocity_status",
                                              "status",
                                              "vehicle",
                                              "odom",
                                              "odometry",
                                              "wheel",
                                              "wheel_odometry",
                                              "wheel_odom"};
  return words;
}

// Lower case, with '_' for what an id may not hold.
std::string plainWord(const std::string& word) {
  std::string plain;
  for (const char c : word) {
    const auto byte = static_cast<unsigned char>(c);
    const bool is_kept = byte < 0x80 && std::isalnum(byte) != 0;
    if (is_kept) plain += static_cast<char>(std::tolower(byte));
    else if (!plain.empty() && plain.back() != '_') plain += '_';
  }
  while (!plain.empty() && plain.back() == '_') plain.pop_back();
  return plain;
}

std::string withoutAffixes(std::string word) {
  for (const char* suffix : {"_optical_frame", "_optical", "_frame", "_link", "_base_link"})
    if (word.ends_with(suffix)) word.resize(word.size() - std::string(suffix).size());
  for (const char* prefix : {"camera_", "cam_", "lidar_"})
    while (word.starts_with(prefix)) word.erase(0, std::string(prefix).size());
  return word;
}

bool isId(const std::string& word) {
  return !word.empty() && std::isalpha(static_cast<unsigned char>(word[0])) != 0;
}

std::string idFromWord(const std::string& word) {
  const std::string plain = plainWord(word);
  if (wordsThatNameNoSensor().contains(plain)) return {};
  const std::string bare = withoutAffixes(plain);
  if (wordsThatNameNoSensor().contains(bare)) return {};
  return isId(bare) ? bare : isId(plain) ? plain : std::string();
}

// The last word of the topic that names something, else the frame.
std::string idFrom(const std::string& topic, const std::string& frame, const std::string& fallback,
                   const std::set<std::string>& more_words) {
  const auto idOf = [&](const std::string& word) {
    const std::string id = idFromWord(word);
    return more_words.contains(id) ? std::string() : id;
  };
  std::string rest = topic;
  while (!rest.empty()) {
    const size_t slash = rest.rfind('/');
    const std::string id = idOf(rest.substr(slash == rest.npos ? 0 : slash + 1));
    if (!id.empty()) return id;
    rest.resize(slash == rest.npos ? 0 : slash);
  }
  const std::string id = idOf(frame);
  return id.empty() ? fallback : id;
}

std::string uniqueId(const std::string& id, const std::set<std::string>& taken) {
  std::string unique = id;
  for (int n = 2; taken.contains(unique); ++n) unique = fmt::format("{}_{}", id, n);
  return unique;
}

std::vector<std::string> topicNames(const LogSurvey& survey) {
  std::vector<std::string> names;
  for (const TopicSurvey& topic : survey.topics) names.push_back(topic.name);
  return names;
}

class Planner {
 public:
  Planner(const LogDigest& digest, const PipelineConfig& config, Findings& findings)
      : digest_(digest), config_(config), findings_(findings) {}

  SensorPlan plan() {
    planCameras();
    planLidars();
    planFrames();
    return std::move(plan_);
  }

 private:
  void topicMissing(const std::string& subject, const std::string& message) {
    findings_.fatal(ErrorCode::TopicNotFound, subject, message,
                    {{"available_topics", topicNames(digest_.survey)}},
                    "Check the topics section of config.yaml; what the log has is listed in "
                    "'details.available_topics'.");
  }

  // The configured frame, or what the messages of the topic say.
  std::string frameFor(const std::map<std::string, std::string>& configured, const std::string& id,
                       const std::string& topic) const {
    const auto named = configured.find(id);
    if (named != configured.end()) return named->second;
    for (const TopicSurvey& survey : digest_.survey.topics)
      if (survey.name == topic)
        return survey.frame_id.starts_with("/") ? survey.frame_id.substr(1) : survey.frame_id;
    return {};
  }

  // id -> topic: as configured, or every topic of `found` under an id made from its name.
  std::map<std::string, std::string> topicsById(
      const std::map<std::string, std::string>& configured, const std::vector<std::string>& found,
      const std::string& kind, const std::string& fallback) {
    if (configured.empty()) {
      std::map<std::string, std::string> by_id;
      std::set<std::string> taken;
      for (const std::string& topic : found) {
        const std::string frame = frameFor({}, "", topic);
        const std::string id = uniqueId(sensorIdFor(topic, frame, fallback), taken);
        taken.insert(id);
        by_id[id] = topic;
      }
      return by_id;
    }
    std::map<std::string, std::string> by_id;
    for (const auto& [id, topic] : configured) {
      if (std::find(found.begin(), found.end(), topic) != found.end()) by_id[id] = topic;
      else
        topicMissing(kind + "_" + id, fmt::format("topic '{}' of {} '{}' is not in the log (or not "
                                                  "of a type that a {} has)",
                                                  topic, kind, id, kind));
    }
    return by_id;
  }

  // Of an image that is there raw and compressed the compressed one is used: its bytes are kept.
  std::vector<std::string> imageTopics() const {
    std::map<std::string, std::string> best;
    for (const auto& [topic, look] : digest_.cameras) {
      if (!config_.topics.cameras.empty()) {
        best[topic] = topic;
        continue;
      }
      std::string& chosen = best[cameraNamespace(topic)];
      if (chosen.empty() || topic.ends_with("/compressed")) chosen = topic;
    }
    std::vector<std::string> topics;
    for (const auto& [key, topic] : best) topics.push_back(topic);
    std::sort(topics.begin(), topics.end());
    return topics;
  }

  std::string infoTopicFor(const std::string& id, const std::string& image_topic) {
    const auto named = config_.topics.camera_infos.find(id);
    if (named != config_.topics.camera_infos.end()) {
      if (digest_.camera_infos.contains(named->second)) return named->second;
      topicMissing("camera_" + id, "camera_info topic '" + named->second + "' is not in the log");
      return {};
    }
    for (const auto& [topic, look] : digest_.camera_infos)
      if (cameraNamespace(topic) == cameraNamespace(image_topic)) return topic;
    return {};
  }

  void planCameras() {
    const auto by_id = topicsById(config_.topics.cameras, imageTopics(), "camera", "front");
    if (by_id.empty() && config_.topics.cameras.empty())
      topicMissing("cameras",
                   "the log has no topic with camera images (sensor_msgs/Image or "
                   "CompressedImage)");
    size_t without_info = 0;
    for (const auto& [id, topic] : by_id) {
      CameraPlan camera{.id = id, .image_topic = topic};
      const CameraLook& look = digest_.cameras.at(topic);
      if (!look.problem.empty()) {
        findings_.warn(camera.subject(), "left out, its images cannot be decoded: " + look.problem,
                       "Record it as JPEG or in one of the usual raw encodings.");
        continue;
      }
      camera.info_topic = infoTopicFor(id, topic);
      camera.frame = frameFor(config_.frames.cameras, id, topic);
      if (camera.info_topic.empty()) {
        ++without_info;
        findings_.warn(camera.subject(), "left out, no CameraInfo belongs to '" + topic + "'",
                       "Name it in topics.camera_infos of config.yaml.");
        continue;
      }
      plan_.cameras.push_back(camera);
    }
    if (!plan_.cameras.empty() || by_id.empty()) return;
    if (without_info > 0)
      findings_.fatal(ErrorCode::CameraInfoMissing, "cameras", "no camera has a CameraInfo topic",
                      {{"available_topics", topicNames(digest_.survey)}},
                      "Record camera_info beside the image, or name it in topics.camera_infos.");
    else
      findings_.fatal(ErrorCode::InsufficientData, "cameras",
                      "no camera has images that can be read", {{"image_topics", imageTopics()}},
                      "Record images as JPEG, PNG, rgb8, bgr8, mono8, bayer or yuv422.");
  }

  void planLidars() {
    std::vector<std::string> found;
    for (const auto& [topic, look] : digest_.lidars) found.push_back(topic);
    const auto by_id = topicsById(config_.topics.lidars, found, "lidar", "top");
    if (by_id.empty() && config_.topics.lidars.empty())
      topicMissing("lidars", "the log has no LiDAR topic (sensor_msgs/PointCloud2)");
    for (const auto& [id, topic] : by_id) {
      const LidarPlan lidar{
          .id = id, .topic = topic, .frame = frameFor(config_.frames.lidars, id, topic)};
      const LidarLook& look = digest_.lidars.at(topic);
      if (look.problem.empty()) plan_.lidars.push_back(lidar);
      else findings_.warn(lidar.subject(), "left out, its clouds cannot be used: " + look.problem);
    }
    if (plan_.lidars.empty() && !by_id.empty())
      findings_.fatal(ErrorCode::InsufficientData, "lidars", "no LiDAR has clouds that can be used",
                      {{"topics", found}}, "Record clouds with float fields x, y and z.");
  }

  // Better is: seen from the vehicle, tied to the map, frequent; then the shorter name.
  std::string choosePoseTopic() {
    if (config_.topics.odom) {
      if (digest_.poses.contains(*config_.topics.odom)) return *config_.topics.odom;
      topicMissing("odometry", "topic '" + *config_.topics.odom +
                                   "' is not in the log (or is no "
                                   "Odometry, PoseStamped or PoseWithCovarianceStamped)");
      return {};
    }
    std::string best;
    auto best_score = std::tuple(false, false, size_t{0}, size_t{0});
    for (const auto& [topic, pose] : digest_.poses) {
      const bool is_of_base = pose.child_frame_id == config_.frames.base_link;
      const bool is_of_map = pose.frame_id == config_.frames.map ||
                             digest_.tf.path(pose.frame_id, config_.frames.map).has_value();
      const auto score =
          std::tuple(is_of_base, is_of_map, pose.stamps.size(), size_t{1000} - topic.size());
      if (pose.stamps.size() < 2 || (!best.empty() && score <= best_score)) continue;
      best = topic;
      best_score = score;
    }
    return best;
  }

  void planFrames() {
    plan_.pose_topic = choosePoseTopic();
    plan_.map_frame = config_.frames.map;
    plan_.odom_frame = config_.frames.odom;
    plan_.base_frame = config_.frames.base_link;
    const TfTree& tf = digest_.tf;
    const PoseTopic* pose =
        plan_.pose_topic.empty() ? nullptr : &digest_.poses.at(plan_.pose_topic);
    if (!tf.has(plan_.base_frame)) {
      const bool has_child = pose != nullptr && !pose->child_frame_id.empty();
      if (has_child && pose->child_frame_id != plan_.base_frame) {
        findings_.warn("frames",
                       fmt::format("there is no frame '{}'; '{}' of {} is taken for it",
                                   plan_.base_frame, pose->child_frame_id, plan_.pose_topic),
                       "Name the vehicle's frame in frames.base_link of config.yaml.");
        plan_.base_frame = pose->child_frame_id;
      }
    }
    const bool is_map_known =
        tf.has(plan_.map_frame) || (pose != nullptr && pose->frame_id == plan_.map_frame);
    if (!is_map_known) {
      const std::string root = pose != nullptr ? pose->frame_id : tf.rootOf(plan_.base_frame);
      if (!root.empty() && root != plan_.base_frame) {
        findings_.warn(
            "frames",
            fmt::format("there is no frame '{}'; '{}' is taken for it", plan_.map_frame, root),
            "Name the world's frame in frames.map of config.yaml.");
        plan_.map_frame = root;
      }
    }
  }

  const LogDigest& digest_;
  const PipelineConfig& config_;
  Findings& findings_;
  SensorPlan plan_;
};

}  // namespace

std::string sensorIdFor(const std::string& topic, const std::string& frame,
                        const std::string& fallback) {
  return idFrom(topic, frame, fallback, {});
}

std::string motionSensorIdFor(const std::string& topic, const std::string& frame) {
  return idFrom(topic, frame, "main", wordsThatNameNoMotionSensor());
}

SensorPlan planSensors(const LogDigest& digest, const PipelineConfig& config, Findings& findings) {
  return Planner(digest, config, findings).plan();
}

}  // namespace gs_builder

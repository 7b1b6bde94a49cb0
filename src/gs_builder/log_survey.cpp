// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/log_survey.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>

#include "gs/formats/cdr.hpp"
#include "gs/formats/image_codec.hpp"
#include "gs/msgs/sensor_msgs.hpp"
#include "gs/msgs/tf2_msgs.hpp"

namespace gs_builder {
namespace {

// Types whose first field is a std_msgs/Header, of those a drive log has.
bool hasHeader(const std::string& type) {
  static const std::set<std::string> known = {"sensor_msgs/msg/Image",
                                              "sensor_msgs/msg/CompressedImage",
                                              "sensor_msgs/msg/CameraInfo",
                                              "sensor_msgs/msg/PointCloud2",
                                              "sensor_msgs/msg/Imu",
                                              "sensor_msgs/msg/NavSatFix",
                                              "nav_msgs/msg/Odometry",
                                              "nav_msgs/msg/Path",
                                              "geometry_msgs/msg/PoseStamped",
                                              "geometry_msgs/msg/PoseWithCovarianceStamped",
                                              "geometry_msgs/msg/TwistStamped",
                                              "geometry_msgs/msg/TwistWithCovarianceStamped",
                                              "autoware_vehicle_msgs/msg/VelocityReport"};
  return known.contains(type);
}

bool givesPose(const std::string& type) {
  return type == "nav_msgs/msg/Odometry" || type == "geometry_msgs/msg/PoseStamped" ||
         type == "geometry_msgs/msg/PoseWithCovarianceStamped";
}

// Collects the survey while messages pass by.
class Surveyor {
 public:
  Surveyor(LogSurvey& survey, const std::vector<gs::LogTopic>& topics) : survey_(survey) {
    for (const gs::LogTopic& topic : topics)
      topics_[topic.name] = {.name = topic.name,
                             .type = topic.type,
                             .encoding = topic.message_encoding,
                             .lost = topic.message_count};
  }

  void visit(const gs::LogMessage& message) {
    TopicSurvey& topic = topics_.at(message.topic.name);
    if (topic.count > 0) topic.periods.add(message.log_time - topic.last, topic.last);
    else topic.first = message.log_time;
    topic.last = message.log_time;
    ++topic.count;
    if (topic.lost > 0) --topic.lost;
    topic.bytes += message.data.size();
    if (!isReadable(topic.encoding)) return;
    if (hasHeader(topic.type) && !visitHeader(topic, message)) return;
    if (topic.type == "tf2_msgs/msg/TFMessage") visitTransforms(topic, message);
    else if (topic.type == "sensor_msgs/msg/Image") visitImage(topic, message);
    else if (topic.type == "sensor_msgs/msg/CompressedImage") visitCompressed(topic, message);
    else if (topic.type == "sensor_msgs/msg/CameraInfo") visitInfo(topic, message);
    else if (topic.type == "sensor_msgs/msg/PointCloud2") visitCloud(topic, message);
  }

  void finish() {
    for (auto& [name, topic] : topics_) {
      if (topic.count > 0 && givesPose(topic.type) && isReadable(topic.encoding))
        survey_.poses.push_back(name);
      if (survey_.damage.empty()) topic.lost = 0;
      survey_.topics.push_back(std::move(topic));
    }
    for (auto& [name, camera] : cameras_) {
      const auto info = infos_.find(cameraNamespace(name));
      if (info != infos_.end()) takeInfo(camera, info->second);
      survey_.cameras.push_back(std::move(camera));
    }
    for (auto& [name, lidar] : lidars_) survey_.lidars.push_back(std::move(lidar));
    for (auto& [key, edge] : frames_) survey_.frames.push_back(edge);
  }

 private:
  struct Info {
    std::string topic;
    gs::msgs::CameraInfo message;
  };

  // False when the message has none after all.
  bool visitHeader(TopicSurvey& topic, const gs::LogMessage& message) {
    gs::msgs::Header header;
    if (!gs::decodeCdrInto(message.data, header)) {
      ++topic.unreadable;
      return false;
    }
    const gs::Stamp stamp = gs::fromSecNanosec({header.stamp.sec, header.stamp.nanosec});
    if (!topic.has_header) topic.frame_id = header.frame_id;
    else if (stamp < topic.last_stamp) ++topic.backward_stamps;
    topic.has_header = true;
    topic.last_stamp = stamp;
    const double offset = gs::toSeconds(stamp) - gs::toSeconds(message.log_time);
    topic.max_stamp_offset = std::max(topic.max_stamp_offset, std::abs(offset));
    return true;
  }

  void visitTransforms(TopicSurvey& topic, const gs::LogMessage& message) {
    gs::msgs::TFMessage transforms;
    if (!gs::decodeCdrInto(message.data, transforms)) {
      ++topic.unreadable;
      return;
    }
    for (const auto& transform : transforms.transforms) {
      const std::string& parent = transform.header.frame_id;
      FrameEdge& edge = frames_[{parent, transform.child_frame_id}];
      edge.parent = parent;
      edge.child = transform.child_frame_id;
      edge.is_static = edge.is_static || topic.name.ends_with("tf_static");
      ++edge.count;
    }
  }

  void visitImage(TopicSurvey& topic, const gs::LogMessage& message) {
    if (cameras_.contains(topic.name)) return;
    const auto image = gs::findCdr<gs::msgs::Image>(message.data);
    if (!image) {
      ++topic.unreadable;
      return;
    }
    cameras_[topic.name] = {.image_topic = topic.name,
                            .frame_id = image->header.frame_id,
                            .encoding = image->encoding,
                            .width = static_cast<int>(image->width),
                            .height = static_cast<int>(image->height)};
  }

  void visitCompressed(TopicSurvey& topic, const gs::LogMessage& message) {
    if (cameras_.contains(topic.name)) return;
    const auto image = gs::findCdr<gs::msgs::CompressedImage>(message.data);
    if (!image) {
      ++topic.unreadable;
      return;
    }
    CameraSurvey camera{
        .image_topic = topic.name, .frame_id = image->header.frame_id, .encoding = image->format};
    if (const auto size = gs::findCompressedSize(std::as_bytes(std::span(image->data)))) {
      camera.width = size->width;
      camera.height = size->height;
    }
    cameras_[topic.name] = camera;
  }

  void visitInfo(TopicSurvey& topic, const gs::LogMessage& message) {
    const std::string key = cameraNamespace(topic.name);
    if (infos_.contains(key)) return;
    auto info = gs::findCdr<gs::msgs::CameraInfo>(message.data);
    if (info) infos_[key] = {topic.name, std::move(*info)};
    else ++topic.unreadable;
  }

  void visitCloud(TopicSurvey& topic, const gs::LogMessage& message) {
    if (lidars_.contains(topic.name)) return;
    const auto cloud = gs::findCdr<gs::msgs::PointCloud2>(message.data);
    if (!cloud) {
      ++topic.unreadable;
      return;
    }
    LidarSurvey lidar{.topic = topic.name,
                      .frame_id = cloud->header.frame_id,
                      .points = cloud->width * cloud->height};
    for (const auto& field : cloud->point_fields) lidar.fields.push_back(field.name);
    lidars_[topic.name] = lidar;
  }

  static void takeInfo(CameraSurvey& camera, const Info& info) {
    camera.info_topic = info.topic;
    camera.distortion_model = info.message.distortion_model;
    camera.info_width = static_cast<int>(info.message.width);
    camera.info_height = static_cast<int>(info.message.height);
    camera.fx = info.message.k[0];
    camera.fy = info.message.k[4];
    camera.cx = info.message.k[2];
    camera.cy = info.message.k[5];
    camera.distortion.assign(info.message.d.begin(), info.message.d.end());
  }

  LogSurvey& survey_;
  std::map<std::string, TopicSurvey> topics_;
  std::map<std::string, CameraSurvey> cameras_;
  std::map<std::string, LidarSurvey> lidars_;
  std::map<std::string, Info> infos_;
  std::map<std::pair<std::string, std::string>, FrameEdge> frames_;
};

}  // namespace

bool LogSurvey::knowsFrame(const std::string& frame_id) const {
  return std::any_of(frames.begin(), frames.end(), [&](const FrameEdge& edge) {
    return edge.parent == frame_id || edge.child == frame_id;
  });
}

bool isReadable(const std::string& message_encoding) {
  return message_encoding.empty() || message_encoding == "cdr";
}

std::string cameraNamespace(const std::string& topic) {
  std::string base = topic;
  for (const char* suffix : {"/compressed", "/image_raw", "/image_rect", "/image_color",
                             "/image_rect_color", "/image", "/camera_info"})
    if (base.ends_with(suffix)) base.resize(base.size() - std::string(suffix).size());
  return base;
}

LogSurvey surveyLog(const std::filesystem::path& log, const std::function<void(double)>& progress,
                    const std::function<void(const gs::LogMessage&)>& also) {
  LogSurvey survey;
  survey.log = log.string();
  gs::LogReader::Options options;
  options.on_problem = [&survey](const gs::McapProblem& problem) {
    survey.damage.push_back(problem);
  };
  const gs::LogReader reader(log, options);
  const gs::LogSummary& summary = reader.summary();
  survey.size_bytes = summary.size_bytes;
  survey.files = summary.files.size();
  survey.is_indexed = summary.is_indexed;
  survey.start = summary.start;
  survey.end = summary.end;
  for (const auto& attachment : summary.attachments) survey.attachments.push_back(attachment.name);

  Surveyor surveyor(survey, summary.topics);
  const double span = std::max(1e-9, gs::toSeconds(summary.end - summary.start));
  reader.read({}, [&](const gs::LogMessage& message) {
    surveyor.visit(message);
    if (also) also(message);
    ++survey.message_count;
    if (progress && survey.message_count % 256 == 0)
      progress(gs::toSeconds(message.log_time - summary.start) / span);
  });
  surveyor.finish();
  return survey;
}

}  // namespace gs_builder

// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/log_digest.hpp"

#include <algorithm>
#include <cmath>

#include "gs/core/error.hpp"
#include "gs/formats/cdr.hpp"
#include "gs/formats/image_codec.hpp"
#include "gs/formats/point_cloud2.hpp"
#include "gs/msgs/nav_msgs.hpp"
#include "gs/msgs/tf2_msgs.hpp"
#include "gs_builder/extrinsics_file.hpp"

namespace gs_builder {
namespace {

gs::Stamp stampOf(const gs::msgs::Header& header) {
  return gs::fromSecNanosec({header.stamp.sec, header.stamp.nanosec});
}

bool isSameCalibration(const gs::msgs::CameraInfo& a, const gs::msgs::CameraInfo& b) {
  return a.width == b.width && a.height == b.height && a.k == b.k && a.d == b.d &&
         a.distortion_model == b.distortion_model && a.roi == b.roi && a.binning_x == b.binning_x &&
         a.binning_y == b.binning_y;
}

// Collects the digest while messages pass by.
class Digester {
 public:
  Digester(LogDigest& digest, const PipelineConfig::Topics& topics)
      : digest_(digest), topics_(topics) {}

  void visit(const gs::LogMessage& message) {
    if (!isReadable(message.topic.message_encoding)) return;
    const std::string& type = message.topic.type;
    if (type == gs::msgs::TFMessage::kRosType) visitTransforms(message);
    else if (type == gs::msgs::Image::kRosType) visitImage<gs::msgs::Image>(message);
    else if (type == gs::msgs::CompressedImage::kRosType)
      visitImage<gs::msgs::CompressedImage>(message);
    else if (type == gs::msgs::PointCloud2::kRosType) visitCloud(message);
    else if (type == gs::msgs::CameraInfo::kRosType) visitInfo(message);
    else if (type == gs::msgs::Odometry::kRosType) visitOdometry(message);
    else if (type == gs::msgs::PoseStamped::kRosType) visitPose(message);
    else if (type == gs::msgs::PoseWithCovarianceStamped::kRosType)
      visitPoseWithCovariance(message);
    addMotionMessage(message, digest_.motion);
  }

  void finish() {
    for (const auto& [topic, sampler] : samplers_) digest_.scan_pairs[topic] = sampler.pairs();
  }

 private:
  void visitTransforms(const gs::LogMessage& message) {
    const bool is_static = message.topic.name == topics_.tf_static;
    if (!is_static && message.topic.name != topics_.tf) return;
    if (!gs::decodeCdrInto(message.data, transforms_)) return;  // counted by the survey
    for (const auto& transform : transforms_.transforms) {
      const auto& t = transform.transform.translation;
      const auto& q = transform.transform.rotation;
      digest_.tf.add(transform.header.frame_id, transform.child_frame_id, is_static,
                     message.log_time, stampOf(transform.header), {t.x, t.y, t.z},
                     {q.x, q.y, q.z, q.w});
    }
  }

  // One entry per message, so that the n-th entry belongs to the n-th message whatever it is worth.
  bool addStamp(const gs::LogMessage& message) {
    const bool is_readable = gs::decodeCdrInto(message.data, header_);
    digest_.sensor_stamps[message.topic.name].push_back(
        {message.log_time, is_readable ? stampOf(header_) : message.log_time});
    return is_readable;
  }

  template <typename Message>
  void visitImage(const gs::LogMessage& message) {
    if (!addStamp(message) || digest_.cameras.contains(message.topic.name)) return;
    CameraLook& look = digest_.cameras[message.topic.name];
    std::string why;
    const auto image = gs::findCdr<Message>(message.data, &why);
    if (!image) {
      look.problem = why;
      return;
    }
    try {
      const gs::Image8 pixels = decoded(*image, message.topic.name);
      look.width = pixels.width;
      look.height = pixels.height;
    } catch (const gs::Error& error) {
      look.problem = error.report().message;
    }
  }

  static gs::Image8 decoded(const gs::msgs::Image& image, const std::string& name) {
    return gs::decodeRawImage(gs::viewImage(image), name);
  }
  static gs::Image8 decoded(const gs::msgs::CompressedImage& image, const std::string& name) {
    return gs::decodeCompressedImage(std::as_bytes(std::span(image.data)), name,
                                     gs::DamagedJpeg::Accept);
  }

  void visitCloud(const gs::LogMessage& message) {
    const bool is_sample = samplers_[message.topic.name].wants(message.log_time);
    if (!addStamp(message)) return;
    if (is_sample) sampleCloud(message);
    // An empty first cloud says nothing about the columns: look again at the next one.
    const auto known = digest_.lidars.find(message.topic.name);
    if (known != digest_.lidars.end() && known->second.problem.empty()) return;
    if (++looks_[message.topic.name] > 20) return;
    LidarLook& look = digest_.lidars[message.topic.name];
    const auto cloud = gs::findCdr<gs::msgs::PointCloud2>(message.data, &look.problem);
    if (!cloud) return;
    try {
      const gs::LidarPoints points =
          gs::decodePointCloud(gs::viewPointCloud(*cloud), message.topic.name);
      look.problem = points.positions.empty() ? "the cloud has no usable point" : "";
      look.has_time = points.time != gs::PointTime::None;
      look.has_ring = !points.ring.empty();
      look.has_intensity = !points.intensity.empty();
      for (const float value : points.intensity)
        if (std::isfinite(value)) look.max_intensity = std::max(look.max_intensity, value);
    } catch (const gs::Error& error) {
      look.problem = error.report().message;
    }
  }

  void sampleCloud(const gs::LogMessage& message) {
    const auto cloud = gs::findCdr<gs::msgs::PointCloud2>(message.data);
    if (!cloud) return;
    try {
      samplers_[message.topic.name].add(
          gs::decodePointCloud(gs::viewPointCloud(*cloud), message.topic.name).positions);
    } catch (const gs::Error&) {  // the look at the cloud says why
    }
  }

  void visitInfo(const gs::LogMessage& message) {
    if (!gs::decodeCdrInto(message.data, info_)) return;
    const auto [known, is_new] =
        digest_.camera_infos.try_emplace(message.topic.name, CameraInfoLook{info_});
    if (!is_new) known->second.changes += !isSameCalibration(known->second.first, info_);
  }

  void addPose(const gs::LogMessage& message, const gs::msgs::Header& header,
               const std::string& child, const gs::msgs::Pose& pose) {
    PoseTopic& topic = digest_.poses[message.topic.name];
    if (topic.stamps.empty()) {
      topic.type = message.topic.type;
      topic.frame_id = header.frame_id;
      topic.child_frame_id = child;
    }
    const auto& p = pose.position;
    const auto& q = pose.orientation;
    const auto rotation = gs::findRotation({q.x, q.y, q.z, q.w});
    if (!rotation || !std::isfinite(p.x) || !std::isfinite(p.y) || !std::isfinite(p.z)) {
      ++topic.invalid;
      return;
    }
    topic.stamps.push_back({message.log_time, stampOf(header)});
    topic.frame_from_child.push_back({*rotation, gs::Vec3(p.x, p.y, p.z)});
  }

  void visitOdometry(const gs::LogMessage& message) {
    if (gs::decodeCdrInto(message.data, odometry_))
      addPose(message, odometry_.header, odometry_.child_frame_id, odometry_.pose.pose);
  }
  void visitPose(const gs::LogMessage& message) {
    const auto pose = gs::findCdr<gs::msgs::PoseStamped>(message.data);
    if (pose) addPose(message, pose->header, "", pose->pose);
  }
  void visitPoseWithCovariance(const gs::LogMessage& message) {
    const auto pose = gs::findCdr<gs::msgs::PoseWithCovarianceStamped>(message.data);
    if (pose) addPose(message, pose->header, "", pose->pose.pose);
  }

  LogDigest& digest_;
  const PipelineConfig::Topics& topics_;
  std::map<std::string, int> looks_;
  std::map<std::string, ScanSampler> samplers_;  // by LiDAR topic
  // Kept between messages, so that their memory is.
  gs::msgs::TFMessage transforms_;
  gs::msgs::Header header_;
  gs::msgs::CameraInfo info_;
  gs::msgs::Odometry odometry_;
};

}  // namespace

LogDigest digestLog(const std::filesystem::path& log, const PipelineConfig& config,
                    const std::function<void(double)>& progress) {
  LogDigest digest;
  Digester digester(digest, config.topics);
  digest.survey =
      surveyLog(log, progress, [&](const gs::LogMessage& message) { digester.visit(message); });
  digester.finish();
  if (config.input.extrinsics_file) addExtrinsics(*config.input.extrinsics_file, digest.tf);
  digest.tf.settle();
  return digest;
}

}  // namespace gs_builder

// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/step_encoder.hpp"

#include "gs/formats/cdr.hpp"
#include "gs/formats/ros_schema.hpp"

namespace gs_sim {

StepEncoder::StepEncoder(const PublishedWorld& world)
    : bundle_(world.bundle),
      bundle_path_(world.bundle_path),
      frames_(world.frames),
      cameras_(world.cameras),
      lidars_(world.lidars),
      layout_(world.cloud_layout) {
  namespace msgs = gs::msgs;
  clock_ = addTopic<msgs::Clock>("/clock");
  tf_ = addTopic<msgs::TFMessage>("/tf");
  tf_static_ = addTopic<msgs::TFMessage>("/tf_static", true);
  odom_ = addTopic<msgs::Odometry>("/odom");
  state_ = addTopic<msgs::VehicleState>("/vehicle/state");
  status_ = addTopic<msgs::SimulationStatus>("/sim/status");
  world_info_ = addTopic<msgs::WorldInfo>("/sim/world_info", true);
  for (const std::string& id : cameras_)
    camera_topics_[id] = {addTopic<msgs::Image>("/camera/" + id + "/image_raw"),
                          addTopic<msgs::CameraInfo>("/camera/" + id + "/camera_info")};
  for (const std::string& id : lidars_)
    lidar_topics_[id] = addTopic<msgs::PointCloud2>("/lidar/" + id + "/points");
}

template <typename Message>
size_t StepEncoder::addTopic(const std::string& name, bool is_latched) {
  topics_.push_back({name, Message::kRosType, gs::rosSchemaText<Message>(), is_latched});
  return topics_.size() - 1;
}

std::vector<std::byte>& StepEncoder::next(size_t topic, gs::Stamp stamp) {
  if (count_ == messages_.size()) messages_.emplace_back();
  EncodedMessage& message = messages_[count_++];
  message.topic = topic;
  message.stamp = stamp;
  return message.cdr;
}

template <typename Message>
void StepEncoder::add(size_t topic, gs::Stamp stamp, const Message& message) {
  gs::encodeCdr(message, next(topic, stamp));
}

std::span<const EncodedMessage> StepEncoder::encodeLatched(gs::Stamp stamp) {
  count_ = 0;
  add(tf_static_, stamp, staticTfMessage(stamp, bundle_.calibration, frames_));
  add(world_info_, stamp,
      worldInfoMessage(stamp, bundle_, bundle_path_, frames_, cameras_, lidars_));
  return {messages_.data(), count_};
}

std::span<const EncodedMessage> StepEncoder::encode(const StepOutput& step,
                                                    const IsWanted& isWanted) {
  count_ = 0;
  const auto wants = [&isWanted](size_t topic) { return !isWanted || isWanted(topic); };
  const gs::Stamp stamp = step.info.stamp;
  if (wants(clock_)) add(clock_, stamp, clockMessage(step.info));
  if (wants(tf_)) add(tf_, stamp, tfMessage(step, frames_));
  if (wants(odom_)) add(odom_, stamp, odometryMessage(step, frames_));
  if (wants(state_)) add(state_, stamp, vehicleStateMessage(step, frames_));
  if (step.status && wants(status_))
    add(status_, stamp, statusMessage(step.info, *step.status, frames_));
  for (const CameraFrame& frame : step.images) {
    const auto topics = camera_topics_.find(frame.camera_id);
    const auto camera = bundle_.calibration.cameras.find(frame.camera_id);
    if (topics == camera_topics_.end() || camera == bundle_.calibration.cameras.end()) continue;
    const auto& [image, info] = topics->second;
    if (wants(image)) encodeImage(frame, next(image, frame.stamp));
    if (wants(info)) add(info, frame.stamp, cameraInfoMessage(frame.stamp, camera->second));
  }
  for (const LidarScan& scan : step.clouds)
    if (const auto topic = lidar_topics_.find(scan.lidar_id);
        topic != lidar_topics_.end() && wants(topic->second))
      encodeCloud(scan, layout_, next(topic->second, scan.stamp));
  return {messages_.data(), count_};
}

}  // namespace gs_sim

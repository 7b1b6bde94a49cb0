// SPDX-License-Identifier: Apache-2.0
#include "gs_web/world_api.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include <nlohmann/json.hpp>

#include "gs/core/error.hpp"
#include "gs/core/version.hpp"
#include "gs_sim/drive_path.hpp"
#include "gs_sim/planar_pose.hpp"

namespace gs_web {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kMaxPathPoints = 2000;
constexpr float kC0 = 0.28209479f;  // of spherical harmonics of degree 0
constexpr float kVisible = -0.85f;  // logit: opacity 0.3
constexpr float kLargest = 0.7f;    // ln(m): bigger splats are haze and sky, not surfaces

template <typename T>
void append(std::string& out, T value) {
  std::array<char, sizeof(T)> bytes;
  std::memcpy(bytes.data(), &value, sizeof(T));
  out.append(bytes.data(), bytes.size());
}

Json poseJson(const gs::Extrinsics& extrinsics) {
  return {{"translation", extrinsics.translation}, {"rotation", extrinsics.rotation_quat}};
}

Json ringJson(const gs::Ring& ring) {
  Json points = Json::array();
  for (const auto& [x, y] : ring) points.push_back({x, y});
  return points;
}

Json drivableJson(const gs::DrivableArea& area) {
  Json polygons = Json::array();
  for (const gs::DrivableFeature& feature : area.features)
    for (const gs::Polygon& polygon : feature.polygons) {
      Json rings = Json::array({ringJson(polygon.outer)});
      for (const gs::Ring& hole : polygon.holes) rings.push_back(ringJson(hole));
      polygons.push_back(std::move(rings));
    }
  return polygons;
}

// The recorded way, on the ground; empty when the world does not hold it.
Json trajectoryJson(const gs_sim::WorldData& world) {
  Json points = Json::array();
  gs_sim::DrivePath path;
  try {
    path = gs_sim::pathFor({.recorded = true}, world);
  } catch (const gs::Error&) {  // a world without its recording is a world all the same
    return points;
  }
  const size_t every = path.points.size() / kMaxPathPoints + 1;
  double z = world.bundle.timebase.initial_pose.position[2];
  for (size_t i = 0; i < path.points.size(); ++i) {
    if (i % every != 0 && i + 1 != path.points.size()) continue;
    const gs::Vec2& p = path.points[i];
    const double ground = gs::heightAt(world.bundle.heightmap, p.x(), p.y());
    if (std::isfinite(ground)) z = ground;
    points.push_back({p.x(), p.y(), z});
  }
  return points;
}

Json startJson(const gs::Timebase::InitialPose& start) {
  const auto& [x, y, z] = start.position;
  const auto& q = start.orientation;
  const double yaw =
      std::atan2(2 * (q[3] * q[2] + q[0] * q[1]), 1 - 2 * (q[1] * q[1] + q[2] * q[2]));
  return {{"x", x}, {"y", y}, {"z", z}, {"yaw", yaw}};
}

Json vehicleJson(const gs_sim::VehicleParameters& v, const gs::Timebase& timebase) {
  const gs::BaseLinkAboveGround base = v.base_link_above_ground.value_or(
      timebase.base_link_above_ground.value_or(gs::BaseLinkAboveGround{}));
  return {{"length", v.body.front_overhang + v.wheelbase + v.body.rear_overhang},
          {"width", v.body.width},
          {"height", v.body.height},
          {"wheelbase", v.wheelbase},
          {"track_width", v.track_width},
          {"front_overhang", v.body.front_overhang},
          {"rear_overhang", v.body.rear_overhang},
          {"max_steering_angle", v.max_steering_angle},
          {"max_steering_rate", v.max_steering_rate},
          {"max_speed", v.max_speed},
          {"max_reverse_speed", v.max_reverse_speed},
          {"max_acceleration", v.max_acceleration},
          {"max_deceleration", v.max_deceleration},
          {"base_link_height", base.height},
          {"base_link_pitch", base.pitch},
          {"base_link_roll", base.roll}};
}

uint8_t colorOf(float sh_dc) {
  return static_cast<uint8_t>(std::lround(255 * std::clamp(0.5f + kC0 * sh_dc, 0.0f, 1.0f)));
}

bool isSurface(const gs::GaussianCloud& cloud, size_t i) {
  const float largest =
      std::max({cloud.log_scale[0][i], cloud.log_scale[1][i], cloud.log_scale[2][i]});
  const float sum = cloud.position[0][i] + cloud.position[1][i] + cloud.position[2][i];
  return cloud.logit_opacity[i] > kVisible && largest < kLargest && std::isfinite(sum);
}

std::string dumped(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json sensorJson(const gs_sim::SensorDescription& sensor) {
  Json topics = Json::array();
  for (const gs_sim::SensorTopic& topic : sensor.topics)
    topics.push_back({{"name", topic.name}, {"type", topic.type.type.name}});
  return {{"kind", sensor.kind},
          {"id", sensor.id},
          {"frame_id", sensor.frame_id},
          {"rate_hz", sensor.rate_hz},
          {"topics", std::move(topics)}};
}

}  // namespace

std::string worldText(const gs_sim::WorldData& world, const gs_sim::VehicleParameters& vehicle,
                      const std::vector<gs_sim::SensorDescription>& sensors) {
  const gs::WorldBundle& bundle = world.bundle;
  const auto& extent = bundle.metadata.spatial_extent;
  Json json = {{"name", bundle.index.scene_id},
               {"extent",
                {{"min", {extent.min_x, extent.min_y, extent.min_z}},
                 {"max", {extent.max_x, extent.max_y, extent.max_z}}}},
               {"start", startJson(bundle.timebase.initial_pose)},
               {"vehicle", vehicleJson(vehicle, bundle.timebase)},
               {"sensors", Json::array()},
               {"cameras", Json::array()},
               {"drivable", drivableJson(bundle.drivable)},
               {"trajectory", trajectoryJson(world)}};
  for (const gs_sim::SensorDescription& sensor : sensors)
    json["sensors"].push_back(sensorJson(sensor));
  // Their lenses, which no topic of the page tells.
  for (const auto& [id, camera] : bundle.calibration.cameras)
    json["cameras"].push_back({{"id", id},
                               {"frame_id", camera.frame_id},
                               {"width", camera.image_width},
                               {"height", camera.image_height},
                               {"fx", camera.intrinsics.fx},
                               {"fy", camera.intrinsics.fy},
                               {"rate_hz", camera.rate_hz},
                               {"base_from_camera", poseJson(camera.extrinsics)}});
  return dumped(json);
}

std::string groundBytes(const gs::Heightmap& map) {
  const int every = std::max(1, (std::max(map.width, map.height) - 1) / kMaxGroundSide + 1);
  const int width = (map.width + every - 1) / every, height = (map.height + every - 1) / every;
  std::string out;
  append(out, static_cast<float>(map.origin_x));
  append(out, static_cast<float>(map.origin_y));
  append(out, static_cast<float>(map.resolution * every));
  append(out, static_cast<uint32_t>(width));
  append(out, static_cast<uint32_t>(height));
  for (int row = 0; row < height; ++row)
    for (int col = 0; col < width; ++col) append(out, map.at(col * every, row * every));
  return out;
}

std::string pointBytes(const gs::GaussianCloud& cloud) {
  size_t surfaces = 0;
  for (size_t i = 0; i < cloud.size(); ++i) surfaces += isSurface(cloud, i);
  const size_t every = std::max<size_t>(1, (surfaces + kMaxPoints - 1) / kMaxPoints);
  std::string out;
  append(out, static_cast<uint32_t>((surfaces + every - 1) / every));
  size_t seen = 0;
  for (size_t i = 0; i < cloud.size(); ++i) {
    if (!isSurface(cloud, i) || seen++ % every != 0) continue;
    for (const auto& axis : cloud.position) append(out, axis[i]);
    for (const auto& channel : cloud.sh_dc) append(out, colorOf(channel[i]));
    append(out, uint8_t{255});
  }
  return out;
}

std::string toText(const SessionFacts& facts) {
  return dumped({{"mode", facts.mode},
                 {"world", facts.world},
                 {"version", std::string(gs::buildVersion())},
                 {"driver", facts.driver},
                 {"clients", facts.clients},
                 {"dropped", facts.dropped}});
}

WorldPages::WorldPages(std::shared_ptr<const gs_sim::WorldData> world,
                       gs_sim::VehicleParameters vehicle,
                       std::vector<gs_sim::SensorDescription> sensors)
    : world_(std::move(world)), vehicle_(std::move(vehicle)), sensors_(std::move(sensors)) {}

std::optional<HttpResponse> WorldPages::find(std::string_view path) {
  if (const auto found = made_.find(path); found != made_.end()) return found->second;
  HttpResponse response{.content_type = "application/octet-stream"};
  if (path == "/api/world") {
    response.content_type = "application/json";
    response.body = worldText(*world_, vehicle_, sensors_);
  } else if (path == "/api/ground") {
    response.body = groundBytes(world_->bundle.heightmap);
  } else if (path == "/api/points") {
    response.body = pointBytes(world_->bundle.gaussians);
  } else {
    return std::nullopt;
  }
  return made_.emplace(path, std::move(response)).first->second;
}

}  // namespace gs_web

// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/road_in_log.hpp"

#include <algorithm>

#include "gs/core/error.hpp"
#include "gs/formats/cdr.hpp"
#include "gs/formats/mcap_reader.hpp"
#include "gs/msgs/sensor_msgs.hpp"
#include "gs_builder/motion_compensation.hpp"
#include "gs_builder/road_contact.hpp"

namespace gs_builder {
namespace {

constexpr size_t kScans = 24;  // evenly over the drive: a second or two of reading

struct PlacedScan {
  gs::Stamp stamp;
  std::vector<std::array<float, 3>> in_base;
};

std::vector<PlacedScan> someScans(const std::filesystem::path& log, const LogDigest& digest,
                                  const Diagnosis& diagnosis, const LidarPlan& lidar) {
  std::vector<PlacedScan> scans;
  const FrameChoice& choice = diagnosis.frames.at(lidar.topic);
  const auto base_from_lidar = digest.tf.find(diagnosis.plan.base_frame, lidar.frame, choice.first);
  if (!base_from_lidar || choice.kept == 0) return scans;
  const auto& logged = digest.sensor_stamps.at(lidar.topic);
  const gs::LogReader reader(log, {.on_problem = [](const gs::McapProblem&) {}});
  const size_t count = std::min(kScans, choice.stamps.size());
  for (size_t k = 0; k < count; ++k) {
    const size_t i = k * choice.stamps.size() / count;
    if (!choice.stamps[i]) continue;
    reader.read({.topics = {lidar.topic}, .start = logged[i].log_time, .end = logged[i].log_time},
                [&](const gs::LogMessage& message) {
                  const auto cloud = gs::findCdr<gs::msgs::PointCloud2>(message.data);
                  if (!cloud || (!scans.empty() && scans.back().stamp == *choice.stamps[i])) return;
                  try {
                    // Without the motion during the sweep: it bends lines on the road, not the
                    // road.
                    gs::LidarPoints points =
                        gs::decodePointCloud(gs::viewPointCloud(*cloud), lidar.topic);
                    points.time_offset.clear();
                    auto in_base = pointsInBase(points, *choice.stamps[i], *base_from_lidar,
                                                diagnosis.ego.trajectory);
                    if (in_base) scans.push_back({*choice.stamps[i], std::move(*in_base)});
                  } catch (const gs::Error&) {  // counted when it is unpacked
                  }
                });
  }
  return scans;
}

}  // namespace

void addRoadContact(Diagnosis& diagnosis, const std::filesystem::path& log, const LogDigest& digest,
                    const PipelineConfig& config) {
  if (!diagnosis.isFit() || diagnosis.plan.lidars.empty()) return;
  const std::vector<PlacedScan> scans =
      someScans(log, digest, diagnosis, diagnosis.plan.lidars.front());
  BaseScans in_base{.load = [&](size_t i) { return scans[i].in_base; }};
  for (const PlacedScan& scan : scans) in_base.stamps.push_back(scan.stamp);
  const RoadContact road =
      findRoadContact(config.ingest.base_link_above_ground, diagnosis.ego.trajectory, in_base);
  if (road.is_known)
    diagnosis.findings.good("vehicle", toText(road.above_ground) + " (" + road.source + ")");
  else
    diagnosis.findings.warn(
        "vehicle", "the LiDAR does not show how high base_link is above the road",
        "Say it in ingest.base_link_above_ground of config.yaml, if it is not on the road.");
}

}  // namespace gs_builder

// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/sweep_timing.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include <fmt/format.h>

#include "gs/core/error.hpp"
#include "gs/core/parallel.hpp"
#include "gs/formats/cdr.hpp"
#include "gs/formats/mcap_reader.hpp"
#include "gs_builder/motion_compensation.hpp"

namespace gs_builder {
namespace {

// Near enough that rays of one scan hit neighbouring voxels, far enough from the ego's own body.
constexpr double kNear = 4, kFar = 35, kVoxel = 0.2;

size_t voxelsOf(const std::vector<TimedScan>& group, const SweepTiming& timing,
                const gs::Rigid3& base_from_lidar, const EgoTrajectory& trajectory) {
  std::unordered_set<int64_t> voxels;
  for (const TimedScan& scan : group) {
    gs::LidarPoints points = scan.points;
    setSweepTimes(timing, points);
    const auto in_base = pointsInBase(points, scan.stamp, base_from_lidar, trajectory);
    const auto pose = trajectory.at(scan.stamp);
    if (!in_base || !pose) continue;
    for (size_t i = 0; i < in_base->size(); ++i) {
      // By the measured range: the same points count under every reading.
      const auto& measured = points.positions[i];
      const double range = std::hypot(measured[0], measured[1]);
      if (range < kNear || range > kFar) continue;
      const auto& p = (*in_base)[i];
      const gs::Vec3 q = *pose * gs::Vec3(p[0], p[1], p[2]) / kVoxel;
      const auto cell = [](double v) {
        return static_cast<int64_t>(std::floor(v)) & 0x1fffff;  // 21 bits: 400 km of voxels
      };
      voxels.insert(cell(q.x()) << 42 | cell(q.y()) << 21 | cell(q.z()));
    }
  }
  return voxels.size();
}

}  // namespace

std::string toString(const SweepTiming& timing) {
  switch (timing.kind) {
    case SweepTiming::Kind::PointTimes: return "point times";
    case SweepTiming::Kind::Azimuth:
      return fmt::format("azimuth, {:.0f}..{:.0f} ms", 1e3 * timing.begin, 1e3 * timing.end);
    case SweepTiming::Kind::None: break;
  }
  return "none";
}

void setSweepTimes(const SweepTiming& timing, gs::LidarPoints& scan) {
  if (timing.kind == SweepTiming::Kind::PointTimes) return;
  scan.time_offset.clear();
  if (timing.kind == SweepTiming::Kind::None) return;
  scan.time_offset = sweepFractions(scan.positions);
  for (float& offset : scan.time_offset)
    offset = static_cast<float>(timing.begin + offset * (timing.end - timing.begin));
}

SweepTiming chooseSweepTiming(const std::vector<std::vector<TimedScan>>& groups, double period,
                              const gs::Rigid3& base_from_lidar, const EgoTrajectory& trajectory) {
  const std::vector<SweepTiming> readings = {
      {}, {SweepTiming::Kind::Azimuth, 0, period}, {SweepTiming::Kind::Azimuth, -period, 0}};
  std::vector<size_t> voxels(readings.size() * groups.size(), 0);
  gs::parallelFor(voxels.size(), 1, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i)
      voxels[i] = voxelsOf(groups[i / readings.size()], readings[i % readings.size()],
                           base_from_lidar, trajectory);
  });
  std::vector<double> sums(readings.size(), 0.0);
  for (size_t i = 0; i < voxels.size(); ++i)
    sums[i % readings.size()] += static_cast<double>(voxels[i]);
  constexpr double kClearly = 0.995;
  const size_t best = sums[2] < kClearly * sums[1] ? 2 : 1;
  return sums[best] < kClearly * sums[0] ? readings[best] : readings[0];
}

std::map<std::string, SweepTiming> findSweepTimings(const std::filesystem::path& log,
                                                    const LogDigest& digest,
                                                    const Diagnosis& diagnosis,
                                                    const PipelineConfig& config) {
  constexpr size_t kGroups = 6, kScansPerGroup = 4;
  std::map<std::string, SweepTiming> timings;
  for (const LidarPlan& lidar : diagnosis.plan.lidars) {
    SweepTiming& timing = timings[lidar.id];
    const bool has_times = digest.lidars.at(lidar.topic).has_time;
    if (config.ingest.motion_compensation == MotionCompensation::Off) continue;
    if (has_times) timing.kind = SweepTiming::Kind::PointTimes;
    if (has_times || config.ingest.motion_compensation != MotionCompensation::Auto) continue;

    const FrameChoice& choice = diagnosis.frames.at(lidar.topic);
    const auto base_from_lidar =
        digest.tf.find(diagnosis.plan.base_frame, lidar.frame, choice.first);
    if (!base_from_lidar || choice.kept < kGroups * kScansPerGroup) continue;
    const gs::LogReader reader(log);
    std::vector<std::vector<TimedScan>> groups;
    for (size_t g = 0; g < kGroups; ++g) {
      // Evenly over the drive; each group is a short stretch of it.
      const size_t begin = g * (choice.stamps.size() - kScansPerGroup) / kGroups;
      const auto& stamps = digest.sensor_stamps.at(lidar.topic);
      std::vector<TimedScan>& group = groups.emplace_back();
      size_t index = begin;
      reader.read(
          {.topics = {lidar.topic},
           .start = stamps[begin].log_time,
           .end = stamps[begin + kScansPerGroup - 1].log_time},
          [&](const gs::LogMessage& message) {
            const size_t i = index++;
            if (i >= choice.stamps.size() || !choice.stamps[i]) return;
            const auto cloud = gs::findCdr<gs::msgs::PointCloud2>(message.data);
            if (!cloud) return;
            try {
              group.push_back({*choice.stamps[i],
                               gs::decodePointCloud(gs::viewPointCloud(*cloud), lidar.topic)});
            } catch (const gs::Error&) {  // counted when it is unpacked
            }
          });
    }
    timing = chooseSweepTiming(groups, 1 / std::max(0.1, choice.rate_hz), *base_from_lidar,
                               diagnosis.ego.trajectory);
  }
  return timings;
}

}  // namespace gs_builder

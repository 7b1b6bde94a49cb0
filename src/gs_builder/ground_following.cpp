// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/ground_following.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_map>

namespace gs_builder {
namespace {

constexpr double kCell = 0.5;                  // m
constexpr double kNearest = 2.5, kMatch = 25;  // m from the vehicle: points that are compared
constexpr double kRemember = 18;               // m: points that become the map
constexpr double kOutlier = 0.25;              // m: a car or a wall, not the road
constexpr size_t kMinMatches = 60;

// Height, roll and pitch of the vehicle on top of its planar pose.
using Tilt = gs::Vec3;  // dz, roll, pitch

gs::Rigid3 transformOf(const Tilt& tilt) {
  return {gs::fromRollPitchYaw(tilt[1], tilt[2], 0), gs::Vec3(0, 0, tilt[0])};
}

int64_t cellKey(double x, double y) {
  const auto index = [](double v) { return static_cast<int64_t>(std::floor(v / kCell)); };
  return index(x) * 0x100000000LL + (index(y) & 0xffffffffLL);
}

// The lowest point of each cell around the vehicle that can be road: not far above or below the
// plane it stands on, by a slope of 8 %.
std::vector<gs::Vec3> roadPoints(const GroundScan& scan) {
  std::unordered_map<int64_t, size_t> lowest;
  std::vector<gs::Vec3> points;
  for (const auto& p : scan.points) {
    const double range = std::hypot(p[0], p[1]);
    if (range < kNearest || range > kMatch || std::abs(p[2]) > 0.25 + 0.08 * range) continue;
    const auto [known, is_new] = lowest.try_emplace(cellKey(p[0], p[1]), points.size());
    if (is_new) points.emplace_back(p[0], p[1], p[2]);
    else if (p[2] < points[known->second].z()) points[known->second] = gs::Vec3(p[0], p[1], p[2]);
  }
  return points;
}

struct Cell {
  double height = 0;
  double weight = 0;
};

class GroundFollower {
 public:
  // The tilt of a scan whose planar pose is known, starting from that of the scan before.
  std::optional<Tilt> align(const gs::Rigid3& map_from_planar, const std::vector<gs::Vec3>& road) {
    Tilt tilt = last_;
    bool is_aligned = cells_.empty();
    for (int iteration = 0; iteration < 4 && !cells_.empty(); ++iteration) {
      const gs::Rigid3 map_from_base = map_from_planar * transformOf(tilt);
      gs::Mat3 normal = gs::Mat3::Zero();
      gs::Vec3 right = gs::Vec3::Zero();
      size_t matches = 0;
      for (const gs::Vec3& p : road) {
        const gs::Vec3 q = map_from_base * p;
        const auto cell = cells_.find(cellKey(q.x(), q.y()));
        if (cell == cells_.end()) continue;
        const double error = q.z() - cell->second.height;
        // The first guess may be off by more than the last one.
        if (std::abs(error) > (iteration == 0 ? 2 * kOutlier : kOutlier)) continue;
        const double weight = std::min(4.0, cell->second.weight) / (1 + 100 * error * error);
        const gs::Vec3 row(1, p.y(), -p.x());  // d z / d (dz, roll, pitch)
        normal += weight * row * row.transpose();
        right -= weight * error * row;
        ++matches;
      }
      if (matches < kMinMatches) break;
      is_aligned = true;
      // A little inertia: a vehicle does not tilt by itself, and few points must not tilt it.
      normal.diagonal() += gs::Vec3(1, 20, 20);
      tilt += normal.ldlt().solve(right);
    }
    if (!is_aligned || std::abs(tilt[1]) > 0.3 || std::abs(tilt[2]) > 0.3) return std::nullopt;
    last_ = tilt;
    remember(map_from_planar * transformOf(tilt), road);
    return tilt;
  }

 private:
  void remember(const gs::Rigid3& map_from_base, const std::vector<gs::Vec3>& road) {
    for (const gs::Vec3& p : road) {
      if (p.head<2>().norm() > kRemember) continue;
      const gs::Vec3 q = map_from_base * p;
      Cell& cell = cells_[cellKey(q.x(), q.y())];
      if (cell.weight > 0 && std::abs(q.z() - cell.height) > kOutlier) {
        if (q.z() > cell.height) continue;
        cell = {};  // lower: what stood there before was no road
      }
      cell.weight = std::min(cell.weight + 1, 20.0);
      cell.height += (q.z() - cell.height) / cell.weight;
    }
  }

  std::unordered_map<int64_t, Cell> cells_;
  Tilt last_ = Tilt::Zero();
};

struct StampedTilt {
  gs::Stamp stamp;
  Tilt tilt;
};

// The mean of five neighbours: what a scan sees of the road is noisy, the road is not.
std::vector<StampedTilt> smoothed(const std::vector<StampedTilt>& tilts) {
  std::vector<StampedTilt> result = tilts;
  for (size_t i = 0; i < tilts.size(); ++i) {
    const size_t reach = std::min({size_t{2}, i, tilts.size() - 1 - i});
    Tilt sum = Tilt::Zero();
    for (size_t k = i - reach; k <= i + reach; ++k) sum += tilts[k].tilt;
    result[i].tilt = sum / static_cast<double>(2 * reach + 1);
  }
  return result;
}

Tilt tiltAt(const std::vector<StampedTilt>& tilts, gs::Stamp at) {
  const auto after =
      std::lower_bound(tilts.begin(), tilts.end(), at,
                       [](const StampedTilt& tilt, gs::Stamp t) { return tilt.stamp < t; });
  if (after == tilts.begin()) return tilts.front().tilt;
  if (after == tilts.end()) return tilts.back().tilt;
  const auto before = std::prev(after);
  const double f = static_cast<double>((at - before->stamp).ns) /
                   static_cast<double>((after->stamp - before->stamp).ns);
  return (1 - f) * before->tilt + f * after->tilt;
}

}  // namespace

bool isPlanar(const EgoTrajectory& trajectory) {
  if (trajectory.length() < 20) return false;
  const double height = trajectory.poses().front().map_from_base.translation.z();
  return std::all_of(trajectory.poses().begin(), trajectory.poses().end(),
                     [&](const StampedPose& pose) {
                       return std::abs(pose.map_from_base.translation.z() - height) < 0.01;
                     });
}

FollowedGround followGround(const EgoTrajectory& planar, size_t scan_count,
                            const std::function<GroundScan(size_t)>& load) {
  GroundFollower follower;
  std::vector<StampedTilt> tilts;
  for (size_t i = 0; i < scan_count; ++i) {
    const GroundScan scan = load(i);
    const auto pose = planar.at(scan.stamp);
    if (!pose || (!tilts.empty() && scan.stamp <= tilts.back().stamp)) continue;
    if (const auto tilt = follower.align(*pose, roadPoints(scan)))
      tilts.push_back({scan.stamp, *tilt});
  }
  FollowedGround result{.trajectory = planar, .aligned_scans = tilts.size()};
  if (tilts.size() < 10) return result;
  tilts = smoothed(tilts);
  double low = tilts.front().tilt[0], high = low;
  std::vector<StampedPose> poses = planar.poses();
  for (StampedPose& pose : poses) {
    const Tilt tilt = tiltAt(tilts, pose.stamp);
    pose.map_from_base = pose.map_from_base * transformOf(tilt);
    low = std::min(low, tilt[0]);
    high = std::max(high, tilt[0]);
  }
  result.trajectory = EgoTrajectory(std::move(poses));
  result.height_range = high - low;
  return result;
}

}  // namespace gs_builder

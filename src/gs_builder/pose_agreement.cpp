// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/pose_agreement.hpp"

#include <algorithm>
#include <cmath>

#include "gs/core/parallel.hpp"

namespace gs_builder {
namespace {

using gs::Vec3;
using Vec2 = Eigen::Vector2d;

double yawOf(const gs::Quat& q) {
  const Vec3 ahead = q * Vec3::UnitX();
  return std::atan2(ahead.y(), ahead.x());
}

struct PathPoint {
  gs::Stamp stamp;
  Vec2 a, b;
};

PathDistance largestDistance(const std::vector<PathPoint>& path) {
  PathDistance largest{0, path.front().stamp};
  for (const PathPoint& point : path) {
    const double distance = (point.a - point.b).norm();
    if (distance > largest.distance) largest = {distance, point.stamp};
  }
  return largest;
}

// Turns and shifts b onto a as well as it goes.
void align(std::vector<PathPoint>& path) {
  Vec2 mean_a = Vec2::Zero(), mean_b = Vec2::Zero();
  for (const PathPoint& point : path) {
    mean_a += point.a / static_cast<double>(path.size());
    mean_b += point.b / static_cast<double>(path.size());
  }
  double along = 0, across = 0;
  for (const PathPoint& point : path) {
    const Vec2 a = point.a - mean_a, b = point.b - mean_b;
    along += a.dot(b);
    across += b.x() * a.y() - b.y() * a.x();
  }
  const Eigen::Rotation2Dd turn(std::atan2(across, along));
  for (PathPoint& point : path) point.b = mean_a + turn * (point.b - mean_b);
}

// What the scans say about a pair: base_link of the first scan from that of the second.
struct Measured {
  gs::Stamp first, second;
  gs::Rigid3 first_from_second;
};

std::optional<gs::Rigid3> motionBetween(const EgoTrajectory& trajectory, gs::Stamp first,
                                        gs::Stamp second) {
  const auto a = trajectory.at(first), b = trajectory.at(second);
  if (!a || !b) return std::nullopt;
  return a->inverse() * *b;
}

// The guess of each source may lead elsewhere; what most of them lead to within centimetres is
// believed first, and a source that starts far off must not decide.
std::optional<Measured> measure(const TimedPair& pair, const std::vector<PoseSource>& sources,
                                const gs::Rigid3& base_from_lidar) {
  std::vector<gs::Rigid3> guesses;
  for (const PoseSource& source : sources) {
    const auto guess = motionBetween(*source.trajectory, pair.first, pair.second);
    const bool is_known =
        guess && std::any_of(guesses.begin(), guesses.end(), [&](const gs::Rigid3& other) {
          return (guess->translation - other.translation).norm() < 0.03 &&
                 guess->rotation.angularDistance(other.rotation) < 0.003;
        });
    if (guess && !is_known) guesses.push_back(*guess);
  }
  const gs::Rigid3 lidar_from_base = base_from_lidar.inverse();
  std::optional<Measured> best;
  double least = INFINITY;
  for (const gs::Rigid3& guess : guesses) {
    const auto laid =
        layScans(*pair.scans.first, *pair.scans.second, lidar_from_base * guess * base_from_lidar);
    if (!laid) continue;
    const gs::Rigid3 motion = base_from_lidar * *laid * lidar_from_base;
    // The one that had to be corrected least started nearest to the truth.
    const double correction = (motion.translation - guess.translation).norm();
    if (correction >= least) continue;
    least = correction;
    best = Measured{pair.first, pair.second, motion};
  }
  return best;
}

// Difference between what a source says and what was measured, in the plane of the vehicle.
struct StepError {
  gs::Stamp first, second;
  Vec2 shift;
  double turn = 0;
};

gs::Rigid3 planar(const Vec2& shift, double turn) {
  return {gs::Quat(Eigen::AngleAxisd(turn, Vec3::UnitZ())), Vec3(shift.x(), shift.y(), 0)};
}

// The path of a source with its errors taken out step by step, beside the path itself; both begin
// at the same pose.
std::vector<PathPoint> correctedPath(const EgoTrajectory& trajectory,
                                     const std::vector<StepError>& run) {
  std::vector<PathPoint> path;
  gs::Rigid3 corrected = *trajectory.at(run.front().first);
  gs::Rigid3 said = corrected;
  const auto add = [&](gs::Stamp stamp) {
    path.push_back({stamp, said.translation.head<2>(), corrected.translation.head<2>()});
  };
  add(run.front().first);
  for (size_t i = 0; i < run.size(); ++i) {
    const gs::Stamp to = i + 1 < run.size() ? run[i + 1].first : run[i].second;
    const auto next = trajectory.at(to);
    if (!next) continue;
    const double share =
        gs::toSeconds(to - run[i].first) / gs::toSeconds(run[i].second - run[i].first);
    corrected =
        corrected * (said.inverse() * *next) * planar(share * run[i].shift, share * run[i].turn);
    said = *next;
    add(to);
  }
  return path;
}

PoseFit fitOf(const PoseSource& source, const std::vector<Measured>& measured) {
  constexpr gs::Duration kUnbroken{3'500'000'000};
  PoseFit fit{.source = source.name};
  std::vector<double> steps;
  std::vector<std::vector<StepError>> runs;
  for (const Measured& pair : measured) {
    const auto said = motionBetween(*source.trajectory, pair.first, pair.second);
    if (!said) continue;
    const gs::Rigid3 difference = said->inverse() * pair.first_from_second;
    const StepError error{pair.first, pair.second, difference.translation.head<2>(),
                          yawOf(difference.rotation)};
    if (runs.empty() || error.first - runs.back().back().first > kUnbroken) runs.emplace_back();
    runs.back().push_back(error);
    steps.push_back(error.shift.norm());
  }
  fit.pairs = steps.size();
  if (steps.empty()) return fit;
  const auto middle = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2);
  std::nth_element(steps.begin(), middle, steps.end());
  fit.step = *middle;
  for (const auto& run : runs) {
    const PathDistance largest = largestDistance(correctedPath(*source.trajectory, run));
    if (fit.worst.ns != 0 && largest.distance <= fit.wander) continue;
    fit.wander = largest.distance;
    fit.worst = largest.at;
  }
  return fit;
}

}  // namespace

std::optional<PathDistance> distanceBetween(const EgoTrajectory& a, const EgoTrajectory& b) {
  constexpr gs::Duration kStep{250'000'000};
  if (a.empty() || b.empty()) return std::nullopt;
  const gs::Stamp begin = std::max(a.poses().front().stamp, b.poses().front().stamp);
  const gs::Stamp end = std::min(a.poses().back().stamp, b.poses().back().stamp);
  if (end <= begin || end - begin < gs::Duration{1'000'000'000}) return std::nullopt;
  std::vector<PathPoint> path;
  constexpr int64_t kMostPoints = 4000;
  const int64_t step = std::max(kStep.ns, (end - begin).ns / kMostPoints);
  for (int64_t i = 0; i <= (end - begin).ns / step; ++i) {
    const gs::Stamp at{begin.ns + i * step};
    const auto p = a.at(at), q = b.at(at);
    if (p && q) path.push_back({at, p->translation.head<2>(), q->translation.head<2>()});
  }
  if (path.size() < 4) return std::nullopt;
  align(path);
  return largestDistance(path);
}

std::vector<PoseFit> fitPoses(const std::vector<PoseSource>& sources,
                              const std::vector<TimedPair>& pairs,
                              const gs::Rigid3& base_from_lidar) {
  std::vector<std::optional<Measured>> each(pairs.size());
  gs::parallelFor(pairs.size(), 1, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i)
      if (pairs[i].second > pairs[i].first) each[i] = measure(pairs[i], sources, base_from_lidar);
  });
  std::vector<Measured> measured;
  for (const auto& pair : each)
    if (pair) measured.push_back(*pair);
  std::vector<PoseFit> fits;
  for (const PoseSource& source : sources) fits.push_back(fitOf(source, measured));
  return fits;
}

}  // namespace gs_builder

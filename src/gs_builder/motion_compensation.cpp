// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/motion_compensation.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace gs_builder {
namespace {

using Mat34 = Eigen::Matrix<double, 3, 4>;

Mat34 matrixOf(const gs::Rigid3& transform) {
  Mat34 m;
  m.leftCols<3>() = transform.rotation.toRotationMatrix();
  m.col(3) = transform.translation;
  return m;
}

std::array<float, 3> moved(const Mat34& transform, const std::array<float, 3>& p) {
  const gs::Vec3 q = transform * gs::Vec4(p[0], p[1], p[2], 1);
  return {static_cast<float>(q.x()), static_cast<float>(q.y()), static_cast<float>(q.z())};
}

// base_at_stamp_from_lidar over the time of a sweep, exact every millisecond and linear between:
// at 1 rad/s that is 1e-7 rad off, far below what a LiDAR can tell.
class SweepMotion {
 public:
  SweepMotion(double begin, double end, gs::Stamp stamp, const gs::Rigid3& base_from_lidar,
              const gs::Rigid3& map_from_base, const EgoTrajectory& trajectory)
      : begin_(begin) {
    const size_t steps = static_cast<size_t>(std::ceil((end - begin) / kStep)) + 1;
    const gs::Rigid3 base_from_map = map_from_base.inverse();
    const Mat34 at_stamp = matrixOf(base_from_lidar);
    for (size_t i = 0; i <= steps; ++i) {
      const auto offset = gs::findDuration(begin + static_cast<double>(i) * kStep);
      const auto pose = trajectory.at(stamp + offset.value_or(gs::Duration{}));
      knots_.push_back(pose ? matrixOf(base_from_map * *pose * base_from_lidar) : at_stamp);
    }
  }

  std::array<float, 3> carry(double offset, const std::array<float, 3>& p) const {
    const double position = (offset - begin_) / kStep;
    const auto i = std::min(static_cast<size_t>(std::max(0.0, position)), knots_.size() - 2);
    const double fraction = position - static_cast<double>(i);
    return moved((1 - fraction) * knots_[i] + fraction * knots_[i + 1], p);
  }

 private:
  static constexpr double kStep = 1e-3;
  double begin_;
  std::vector<Mat34, Eigen::aligned_allocator<Mat34>> knots_;
};

}  // namespace

std::optional<std::vector<std::array<float, 3>>> pointsInBase(const gs::LidarPoints& scan,
                                                              gs::Stamp stamp,
                                                              const gs::Rigid3& base_from_lidar,
                                                              const EgoTrajectory& trajectory) {
  const auto pose = trajectory.at(stamp);
  if (!pose) return std::nullopt;
  std::vector<std::array<float, 3>> points(scan.positions.size());
  double begin = 0, end = 0;
  for (const float offset : scan.time_offset) {
    begin = std::min(begin, static_cast<double>(offset));
    end = std::max(end, static_cast<double>(offset));
  }
  // No sweep lasts longer: times like these are not times.
  constexpr double kLongestSweep = 1.0;
  if (end - begin <= 0 || end - begin > kLongestSweep) {
    const Mat34 transform = matrixOf(base_from_lidar);
    for (size_t i = 0; i < points.size(); ++i) points[i] = moved(transform, scan.positions[i]);
    return points;
  }
  const SweepMotion motion(begin, end, stamp, base_from_lidar, *pose, trajectory);
  for (size_t i = 0; i < points.size(); ++i)
    points[i] = motion.carry(scan.time_offset[i], scan.positions[i]);
  return points;
}

std::vector<float> sweepFractions(const std::vector<std::array<float, 3>>& positions) {
  constexpr double kTurn = 2 * std::numbers::pi;
  const size_t count = positions.size();
  if (count < 100) return {};
  const auto azimuth = [&](size_t i) {
    return std::atan2(static_cast<double>(positions[i][1]), static_cast<double>(positions[i][0]));
  };
  const auto wrapped = [](double angle) { return std::remainder(angle, kTurn); };
  // The direction: how the azimuth goes on over a hundredth of the scan, by vote.
  const size_t stride = std::max<size_t>(1, count / 100);
  int votes = 0, voters = 0;
  for (size_t i = 0; i + stride < count; i += stride, ++voters)
    votes += wrapped(azimuth(i + stride) - azimuth(i)) > 0 ? 1 : -1;
  if (std::abs(votes) < 0.8 * voters) return {};
  const double direction = votes > 0 ? 1 : -1;
  const double start = azimuth(0);
  std::vector<float> fractions(count);
  size_t disorder = 0;
  for (size_t i = 0; i < count; ++i) {
    double fraction = direction * wrapped(azimuth(i) - start) / kTurn;
    // The place in the message tells which turn a point belongs to; its azimuth, where in it.
    const double expected = static_cast<double>(i) / static_cast<double>(count);
    fraction += std::round(expected - fraction);
    disorder += std::abs(fraction - expected) > 0.25;
    fractions[i] = static_cast<float>(fraction);
  }
  if (disorder * 20 > count) return {};
  return fractions;
}

}  // namespace gs_builder

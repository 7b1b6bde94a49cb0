// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/motion_noise.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "gs_builder/median.hpp"

namespace gs_builder {
namespace {

constexpr size_t kFewest = 30;  // values below which a deviation says little
constexpr size_t kNone = static_cast<size_t>(-1);
constexpr double kFarthest = 1e4;  // m that a world lets a satellite receiver be wrong by

// Four digits: more would pretend to be measured. No more than a world may hold (`limit`), however
// odd the log is.
double rounded(double value, double limit = 100) {
  if (!std::isfinite(value)) return 0;
  if (std::abs(value) < 1e-12) return 0;
  value = std::clamp(value, -limit, limit);
  const double unit = std::pow(10.0, 3 - std::floor(std::log10(std::abs(value))));
  return std::round(value * unit) / unit;
}

bool isWithin(gs::Stamp stamp, const std::vector<Standstill>& standstills) {
  return std::any_of(standstills.begin(), standstills.end(), [&](const Standstill& still) {
    return stamp >= still.begin && stamp <= still.end;
  });
}

// Mean, and deviation from the differences of neighbours, of vectors measured in standstills.
struct Stillness {
  gs::Vec3 mean = gs::Vec3::Zero();
  double deviation = 0;
  size_t differences = 0;
};
Stillness stillnessOf(const ClockCheck& clock, const std::vector<gs::Vec3>& values,
                      const std::vector<Standstill>& standstills, double period) {
  Stillness result;
  double sum = 0;
  size_t count = 0;
  size_t before = kNone;
  for (size_t i = 0; i < values.size(); ++i) {
    if (!clock.is_usable[i] || !isWithin(clock.stamps[i], standstills)) {
      before = kNone;
      continue;
    }
    result.mean += values[i];
    ++count;
    if (before != kNone && gs::toSeconds(clock.stamps[i] - clock.stamps[before]) < 2 * period) {
      sum += (values[i] - values[before]).squaredNorm();
      ++result.differences;
    }
    before = i;
  }
  if (count > 0) result.mean /= static_cast<double>(count);
  // The variance of a difference is twice that of a value; three axes.
  if (result.differences > 0)
    result.deviation = std::sqrt(sum / (6.0 * static_cast<double>(result.differences)));
  return result;
}

std::array<double, 3> toArray(const gs::Vec3& v) {
  return {rounded(v.x()), rounded(v.y()), rounded(v.z())};
}

// The deviation without what is far off: mean square of those within four usual ones.
double robustDeviation(const std::vector<double>& residuals) {
  std::vector<double> sizes;
  for (const double r : residuals) sizes.push_back(std::abs(r));
  const double limit = 4 * 1.4826 * medianOf(sizes);
  double sum = 0;
  size_t count = 0;
  for (const double size : sizes) {
    if (size > limit) continue;
    sum += size * size;
    ++count;
  }
  return count == 0 ? 0 : std::sqrt(sum / static_cast<double>(count));
}

// Of a series that changes slowly: the second difference sees neither level nor slope, and has six
// times the variance of a value.
double trembleOf(const std::vector<double>& values) {
  double sum = 0;
  for (size_t i = 2; i < values.size(); ++i) {
    const double bend = values[i] - 2 * values[i - 1] + values[i - 2];
    sum += bend * bend;
  }
  return std::sqrt(sum / (6.0 * static_cast<double>(values.size() - 2)));
}

// What wheels and poses say of the same stretch of about a second.
struct Stretch {
  double seconds = 0, measured = 0, driven = 0;  // s, m, m forwards
  double measured_turn = 0, turned = 0;          // rad
};

std::vector<Stretch> stretchesOf(const TwistTopic& topic, const EgoTrajectory& trajectory) {
  const ClockCheck clock = checkClock(topic.stamps);
  std::vector<Stretch> stretches(1);
  size_t before = kNone;
  std::optional<gs::Rigid3> pose_before;
  for (size_t i = 0; i < topic.stamps.size(); ++i) {
    if (!clock.is_usable[i]) continue;
    const auto pose = trajectory.at(clock.stamps[i]);
    const double dt = before == kNone ? 0 : gs::toSeconds(clock.stamps[i] - clock.stamps[before]);
    if (pose && pose_before && dt > 0 && dt < 0.5) {
      if (stretches.back().seconds >= 1) stretches.emplace_back();
      Stretch& stretch = stretches.back();
      const gs::Rigid3 step = pose_before->inverse() * *pose;
      const double turn = gs::toRollPitchYaw(step.rotation).yaw;
      const gs::Vec3 ahead(std::cos(turn / 2), std::sin(turn / 2), 0);
      stretch.seconds += dt;
      stretch.driven += step.translation.dot(ahead);
      stretch.turned += turn;
      stretch.measured += dt * (topic.speed[i] + topic.speed[before]) / 2;
      stretch.measured_turn += dt * (topic.yaw_rate[i] + topic.yaw_rate[before]) / 2;
    }
    before = i;
    pose_before = pose;
  }
  return stretches;
}

}  // namespace

std::vector<Standstill> findStandstills(const EgoTrajectory& trajectory) {
  constexpr double kTremble = 0.1, kTurn = 0.02;  // m, rad
  constexpr gs::Duration kEdge{500'000'000}, kShortest{1'000'000'000};
  const auto& poses = trajectory.poses();
  std::vector<Standstill> found;
  for (size_t i = 0; i < poses.size();) {
    size_t end = i + 1;
    while (
        end < poses.size() && poses[end].stamp - poses[end - 1].stamp <= EgoTrajectory::kMaxGap &&
        (poses[end].map_from_base.translation - poses[i].map_from_base.translation).norm() <
            kTremble &&
        poses[end].map_from_base.rotation.angularDistance(poses[i].map_from_base.rotation) < kTurn)
      ++end;
    Standstill still{poses[i].stamp, poses[end - 1].stamp};
    if (i > 0) still.begin = still.begin + kEdge;
    if (end < poses.size()) still.end = still.end - kEdge;
    if (still.end - still.begin >= kShortest) {
      found.push_back(still);
      i = end;
    } else {
      ++i;
    }
  }
  return found;
}

double totalOf(const std::vector<Standstill>& standstills) {
  double total = 0;
  for (const Standstill& still : standstills) total += gs::toSeconds(still.end - still.begin);
  return total;
}

NoiseEstimate<gs::ImuSpec> estimateImu(const ImuTopic& topic,
                                       const std::vector<Standstill>& standstills, double rate_hz) {
  NoiseEstimate<gs::ImuSpec> result{.source = "unknown"};
  if (!(rate_hz > 0)) return result;
  const double root_period = 1 / std::sqrt(rate_hz);  // deviation of a value -> density
  const ClockCheck clock = checkClock(topic.stamps);
  const Stillness turn = stillnessOf(clock, topic.turn_rate, standstills, 1 / rate_hz);
  const Stillness force = stillnessOf(clock, topic.specific_force, standstills, 1 / rate_hz);
  if (turn.differences >= kFewest) {
    result.source = fmt::format("{:.1f} s of standstill", totalOf(standstills));
    result.spec.gyro_noise_density = rounded(turn.deviation * root_period);
    result.spec.accel_noise_density = rounded(force.deviation * root_period);
    result.spec.gyro_bias = toArray(turn.mean);
    if (std::abs(force.mean.norm() - 9.81) > 0.5)
      result.warning =
          fmt::format("shows {:.2f} m/s^2 while the vehicle stands: an IMU measures gravity, 9.8",
                      force.mean.norm());
  } else if (topic.turn_rate_variance > 0 || topic.specific_force_variance > 0) {
    result.source = "the messages' covariance";
    result.spec.gyro_noise_density = rounded(std::sqrt(topic.turn_rate_variance) * root_period);
    result.spec.accel_noise_density =
        rounded(std::sqrt(topic.specific_force_variance) * root_period);
  }
  return result;
}

NoiseEstimate<gs::GnssSpec> estimateGnss(const GnssTopic& topic, const EgoTrajectory& trajectory,
                                         const gs::Vec3& antenna_in_base,
                                         const gs::MapAnchor& anchor) {
  NoiseEstimate<gs::GnssSpec> result{.source = "unknown"};
  const ClockCheck clock = checkClock(topic.stamps);
  std::vector<double> x, y, z;
  for (size_t i = 0; i < topic.fixes.size(); ++i) {
    if (!clock.is_usable[i]) continue;
    const auto pose = trajectory.at(clock.stamps[i]);
    if (!pose) continue;
    const gs::Vec3 error = gs::mapFromGeo(anchor, topic.fixes[i]) - *pose * antenna_in_base;
    x.push_back(error.x());
    y.push_back(error.y());
    z.push_back(error.z());
  }
  if (x.size() >= kFewest) {
    result.source = fmt::format("{} fixes against the poses", x.size());
    std::vector<double> horizontal;
    for (std::vector<double>* axis : {&x, &y, &z}) {
      const double median = medianOf(*axis);
      for (double& value : *axis) value -= median;
    }
    horizontal.insert(horizontal.end(), x.begin(), x.end());
    horizontal.insert(horizontal.end(), y.begin(), y.end());
    result.spec.horizontal_std = rounded(robustDeviation(horizontal), kFarthest);
    result.spec.vertical_std = rounded(robustDeviation(z), kFarthest);
  } else if (topic.horizontal_variance > 0 || topic.vertical_variance > 0) {
    result.source = "the messages' covariance";
    result.spec.horizontal_std = rounded(std::sqrt(topic.horizontal_variance), kFarthest);
    result.spec.vertical_std = rounded(std::sqrt(topic.vertical_variance), kFarthest);
  }
  return result;
}

NoiseEstimate<gs::WheelOdometrySpec> estimateWheelOdometry(const TwistTopic& topic,
                                                           const EgoTrajectory& trajectory) {
  NoiseEstimate<gs::WheelOdometrySpec> result{.source = "unknown"};
  if (topic.speed.size() >= kFewest) {
    result.spec.speed_noise_std = rounded(trembleOf(topic.speed));
    result.spec.yaw_rate_noise_std = rounded(trembleOf(topic.yaw_rate));
  }
  double seconds = 0, cross = 0, driven2 = 0, measured2 = 0, turn = 0, distance = 0;
  for (const Stretch& stretch : stretchesOf(topic, trajectory)) {
    seconds += stretch.seconds;
    cross += stretch.measured * stretch.driven;
    driven2 += stretch.driven * stretch.driven;
    measured2 += stretch.measured * stretch.measured;
    turn += stretch.measured_turn - stretch.turned;
    distance += std::abs(stretch.driven);
  }
  if (seconds < 2) return result;
  result.source = fmt::format("{:.0f} m and {:.0f} s against the poses", distance, seconds);
  result.spec.yaw_rate_bias = rounded(turn / seconds, 10);
  if (distance < 5) return result;  // too short a way to tell a scale from
  result.spec.speed_scale = rounded(cross / driven2);
  if (!(cross > 0.9 * std::sqrt(driven2 * measured2)) || result.spec.speed_scale < 0.1 ||
      result.spec.speed_scale > 10)
    result.warning = "its speeds are not those of the vehicle";
  return result;
}

}  // namespace gs_builder

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "gs/bundle/calibration.hpp"
#include "gs_builder/ego_trajectory.hpp"
#include "gs_builder/motion_topics.hpp"

// How the motion sensors of a log err, found from what they measured and where the vehicle was.
// Pure functions; nothing found leaves an ideal sensor.
namespace gs_builder {

struct Standstill {
  gs::Stamp begin, end;
};

// Where the vehicle stood for a second or more; the moments of braking and setting off are left
// out. Poses may tremble by a few centimetres.
std::vector<Standstill> findStandstills(const EgoTrajectory& trajectory);
double totalOf(const std::vector<Standstill>& standstills);  // s

template <typename Spec>
struct NoiseEstimate {
  Spec spec;
  std::string source;   // for people: "2.0 s of standstill", "the messages' covariance", "unknown"
  std::string warning;  // empty: nothing odd
};

// White noise from the differences of successive values while the vehicle stands, which no bias,
// tilt or slow drift reaches; the gyro's bias is what it shows then. Without standstill what the
// messages say of their variance. What wanders over minutes cannot be seen in either.
NoiseEstimate<gs::ImuSpec> estimateImu(const ImuTopic& topic,
                                       const std::vector<Standstill>& standstills, double rate_hz);

// Fixes against where the poses put the antenna; too few of them: what the messages say.
NoiseEstimate<gs::GnssSpec> estimateGnss(const GnssTopic& topic, const EgoTrajectory& trajectory,
                                         const gs::Vec3& antenna_in_base,
                                         const gs::MapAnchor& anchor);

// Distance and heading against the poses; noise from how the values tremble. A warning when the
// speeds are not those of the vehicle: then it is no odometry.
NoiseEstimate<gs::WheelOdometrySpec> estimateWheelOdometry(const TwistTopic& topic,
                                                           const EgoTrajectory& trajectory);

}  // namespace gs_builder

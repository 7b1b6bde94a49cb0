// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/lidar_beams.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include <Eigen/Dense>

#include "gs/core/parallel.hpp"
#include "gs_builder/median.hpp"

namespace gs_builder {
namespace {

constexpr double kDegrees = 180 / std::numbers::pi;
constexpr size_t kMostPerRing = 120;  // points of one laser in one scan that are looked at
constexpr size_t kFewest = 10;        // points of a laser that counts
constexpr double kMinRange = 1;       // m
constexpr double kSmallest = 1e-4;    // m: no residual is taken for less
constexpr int kStarts = 24;           // azimuths at which the sweep may begin
constexpr int kSearchRounds = 3, kRounds = 14;

struct Sample {
  Eigen::Vector2d xy = Eigen::Vector2d::Zero();
  double z = 0;
  size_t scan = 0;
};
using RingSamples = std::vector<Sample>;
using Motion = Eigen::Matrix<double, 6, 1>;

// A point as its laser saw it.
struct Shot {
  double time = 0;  // of a sweep, from its middle
  double r = 0;     // from where the origin was then
  double rise = 0;  // m: how much higher that was
  Eigen::Vector2d direction = Eigen::Vector2d::Zero();
};

// All lasers of a sensor: z = height + slope * r.
struct Cones {
  std::vector<double> heights, slopes;
  // What a height is expected to be, and how well. Where all points have one range, as near the
  // vehicle on an empty road, nothing else tells it from the slope.
  std::vector<double> expected_heights;
  double expected_within = 0.3;
  // By scan, in m: how far the origin moves forward, left and up during the sweep, and where it is
  // in the middle of it (the stamp may be the sweep's beginning or end).
  Eigen::VectorXd motion;
  double sweep_start = 0;  // of a turn: where the sweep begins, and the origin jumps back
  bool has_heights = true;

  Motion motionOf(const Sample& sample) const {
    return motion.segment<6>(static_cast<Eigen::Index>(6 * sample.scan));
  }
  // Upwards only where all lasers begin at one height: otherwise it is theirs.
  double mayRise() const { return has_heights ? 0 : 1; }
  double timeOf(const Eigen::Vector2d& xy) const {
    const double since = std::atan2(xy.y(), xy.x()) / (2 * std::numbers::pi) - sweep_start;
    return since - std::floor(since) - 0.5;
  }
  Shot shotOf(const Sample& sample) const {
    const Motion moved = motionOf(sample);
    Eigen::Vector2d way = sample.xy - moved.segment<2>(3);
    Shot shot{.time = timeOf(way)};
    shot.time = timeOf(way - shot.time * moved.head<2>());
    way -= shot.time * moved.head<2>();
    shot.r = std::max(0.1, way.norm());
    shot.direction = way / shot.r;
    shot.rise = mayRise() * (shot.time * moved[2] + moved[5]);
    return shot;
  }
  double residual(const Sample& sample, const Shot& shot, size_t ring) const {
    return sample.z - heights[ring] - shot.rise - slopes[ring] * shot.r;
  }
  double residual(const Sample& sample, size_t ring) const {
    return residual(sample, shotOf(sample), ring);
  }
};

std::vector<RingSamples> samplesOf(const std::vector<gs::LidarPoints>& scans,
                                   const LidarRings& rings) {
  std::vector<RingSamples> samples(rings.count);
  for (size_t s = 0; s < scans.size(); ++s) {
    const auto& of_points = rings.of_points[s];
    std::vector<size_t> counts(rings.count, 0), seen(rings.count, 0);
    for (const uint16_t ring : of_points)
      if (ring != LidarRings::kNoRing) ++counts[ring];
    for (size_t i = 0; i < of_points.size(); ++i) {
      const uint16_t ring = of_points[i];
      if (ring == LidarRings::kNoRing) continue;
      if (seen[ring]++ % (counts[ring] / kMostPerRing + 1) != 0) continue;
      const auto& p = scans[s].positions[i];
      const Eigen::Vector2d xy(p[0], p[1]);
      if (xy.norm() > kMinRange) samples[ring].push_back({xy, static_cast<double>(p[2]), s});
    }
  }
  std::erase_if(samples, [](const RingSamples& of_ring) { return of_ring.size() < kFewest; });
  return samples;
}

double usualResidual(const RingSamples& samples, const Cones& cones, size_t ring) {
  std::vector<double> sizes;
  sizes.reserve(samples.size());
  for (const Sample& sample : samples) sizes.push_back(std::abs(cones.residual(sample, ring)));
  return medianOf(std::move(sizes));
}

double usualResidual(const std::vector<RingSamples>& samples, const Cones& cones) {
  std::vector<double> residuals(samples.size());
  for (size_t ring = 0; ring < samples.size(); ++ring)
    residuals[ring] = usualResidual(samples[ring], cones, ring);
  return medianOf(std::move(residuals));
}

Cones firstGuess(const std::vector<RingSamples>& samples, size_t scans) {
  Cones cones;
  cones.heights.assign(samples.size(), 0.0);
  cones.expected_heights = cones.heights;
  for (const RingSamples& of_ring : samples) {
    std::vector<double> slopes;
    for (const Sample& sample : of_ring) slopes.push_back(sample.z / sample.xy.norm());
    cones.slopes.push_back(medianOf(std::move(slopes)));
  }
  cones.motion = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(6 * scans));
  return cones;
}

// What one laser's points say, by least squares: about its cone (own), about the motion in the
// scans, and both.
struct Normals {
  Eigen::Matrix2d own = Eigen::Matrix2d::Zero();
  Eigen::Vector2d own_z = Eigen::Vector2d::Zero();
  Eigen::MatrixXd both, motion;
  Eigen::VectorXd motion_z;
};

Normals normalsOf(const RingSamples& samples, const Cones& cones, size_t ring) {
  const double usual = std::max(kSmallest, usualResidual(samples, cones, ring));
  const Eigen::Index unknowns = cones.motion.size();
  Normals normals{.both = Eigen::MatrixXd::Zero(2, unknowns),
                  .motion = Eigen::MatrixXd::Zero(unknowns, unknowns),
                  .motion_z = Eigen::VectorXd::Zero(unknowns)};
  for (const Sample& sample : samples) {
    // In units of the usual residual, and less where a point is far off: stray points, other
    // lasers.
    const Shot shot = cones.shotOf(sample);
    const double off = cones.residual(sample, shot, ring) / (4 * usual);
    const double weight = 1 / ((1 + off * off) * usual * usual);
    const Motion moved = cones.motionOf(sample);
    const Eigen::Vector2d now = shot.time * moved.head<2>() + moved.segment<2>(3);
    const Eigen::Vector2d own(cones.has_heights ? 1 : 0, shot.r + shot.direction.dot(now));
    const double slope = cones.slopes[ring], rise = cones.mayRise();
    Motion motion;
    motion << -slope * shot.time * shot.direction, rise * shot.time, -slope * shot.direction, rise;
    const auto s = static_cast<Eigen::Index>(6 * sample.scan);
    normals.own += weight * own * own.transpose();
    normals.own_z += weight * sample.z * own;
    normals.both.block<2, 6>(0, s) += weight * own * motion.transpose();
    normals.motion.block<6, 6>(s, s) += weight * motion * motion.transpose();
    normals.motion_z.segment<6>(s) += weight * sample.z * motion;
  }
  const double certainty = 1 / (cones.expected_within * cones.expected_within);
  normals.own(0, 0) += certainty;
  normals.own_z[0] += certainty * cones.expected_heights[ring];
  return normals;
}

// Gauss-Newton: slopes times motion is the only product of unknowns.
void improve(const std::vector<RingSamples>& samples, Cones& cones) {
  std::vector<Normals> normals(samples.size());
  gs::parallelFor(samples.size(), 1, [&](size_t begin, size_t end) {
    for (size_t ring = begin; ring < end; ++ring)
      normals[ring] = normalsOf(samples[ring], cones, ring);
  });
  constexpr double kUsualMotion = 3;  // m
  const Eigen::Index unknowns = cones.motion.size();
  Eigen::MatrixXd matrix =
      Eigen::MatrixXd::Identity(unknowns, unknowns) / (kUsualMotion * kUsualMotion);
  Eigen::VectorXd right = Eigen::VectorXd::Zero(unknowns);
  for (const Normals& of_ring : normals) {
    const Eigen::Matrix2d inverse = of_ring.own.inverse();
    matrix += of_ring.motion - of_ring.both.transpose() * inverse * of_ring.both;
    right += of_ring.motion_z - of_ring.both.transpose() * (inverse * of_ring.own_z);
  }
  const Eigen::VectorXd motion = matrix.ldlt().solve(right);
  if (!motion.allFinite()) return;
  cones.motion = motion;
  for (size_t ring = 0; ring < samples.size(); ++ring) {
    const Eigen::Vector2d own =
        normals[ring].own.inverse() * (normals[ring].own_z - normals[ring].both * motion);
    if (!own.allFinite()) continue;
    if (cones.has_heights) cones.heights[ring] = own[0];
    cones.slopes[ring] = own[1];
  }
}

// Lasers of neighbouring elevations sit beside each other in the sensor.
void expectHeightsOfNeighbours(Cones& cones) {
  constexpr size_t kNeighbours = 4;  // on each side
  std::vector<size_t> order(cones.slopes.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(),
            [&](size_t a, size_t b) { return cones.slopes[a] < cones.slopes[b]; });
  for (size_t i = 0; i < order.size(); ++i) {
    std::vector<double> around;
    for (size_t k = i - std::min(i, kNeighbours); k < order.size() && k <= i + kNeighbours; ++k)
      around.push_back(cones.heights[order[k]]);
    cones.expected_heights[order[i]] = medianOf(std::move(around));
  }
  cones.expected_within = 0.01;
}

// Where the sweep begins, by trial.
double findSweepStart(const std::vector<RingSamples>& samples, const Cones& guess) {
  std::vector<RingSamples> some(samples.size());
  for (size_t ring = 0; ring < samples.size(); ++ring)
    for (size_t i = 0; i < samples[ring].size(); i += 4) some[ring].push_back(samples[ring][i]);
  double best = 0, least = std::numeric_limits<double>::infinity();
  for (int k = 0; k < kStarts; ++k) {
    Cones cones = guess;
    cones.sweep_start = static_cast<double>(k) / kStarts;
    for (int round = 0; round < kSearchRounds; ++round) improve(some, cones);
    const double residual = usualResidual(some, cones);
    if (residual >= least) continue;
    best = cones.sweep_start;
    least = residual;
  }
  return best;
}

}  // namespace

std::vector<LidarBeam> fitBeams(const std::vector<gs::LidarPoints>& scans,
                                const LidarRings& rings) {
  const std::vector<RingSamples> samples = samplesOf(scans, rings);
  if (samples.empty()) return {};
  Cones cones = firstGuess(samples, scans.size());
  cones.sweep_start = findSweepStart(samples, cones);
  Cones of_one_origin = cones;
  of_one_origin.has_heights = false;
  for (int round = 0; round < kRounds; ++round) {
    improve(samples, cones);
    improve(samples, of_one_origin);
  }
  expectHeightsOfNeighbours(cones);
  improve(samples, cones);
  improve(samples, cones);
  const double residual = usualResidual(samples, cones);
  std::vector<double> sizes;
  for (const double height : cones.heights) sizes.push_back(std::abs(height));
  const bool are_plausible =
      medianOf(sizes) > 0.02 && *std::max_element(sizes.begin(), sizes.end()) < 1;
  const double residual_of_one = std::max(kSmallest, usualResidual(samples, of_one_origin));
  if (!are_plausible || residual > 0.5 * residual_of_one) cones = of_one_origin;

  std::vector<LidarBeam> beams;
  for (size_t ring = 0; ring < samples.size(); ++ring) {
    std::vector<double> off_deg;
    for (const Sample& sample : samples[ring])
      off_deg.push_back(std::abs(cones.residual(sample, ring)) / sample.xy.norm() * kDegrees);
    beams.push_back({std::atan(cones.slopes[ring]) * kDegrees, cones.heights[ring],
                     medianOf(std::move(off_deg)), samples[ring].size()});
  }
  std::sort(beams.begin(), beams.end(), [](const LidarBeam& a, const LidarBeam& b) {
    return a.elevation_deg < b.elevation_deg;
  });
  return beams;
}

}  // namespace gs_builder

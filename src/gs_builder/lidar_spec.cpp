// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/lidar_spec.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include <fmt/format.h>

#include "gs_builder/lidar_beams.hpp"
#include "gs_builder/lidar_models.hpp"
#include "gs_builder/median.hpp"

namespace gs_builder {
namespace {

double rangeOf(const std::array<float, 3>& p) {
  return std::sqrt(static_cast<double>(p[0]) * p[0] + static_cast<double>(p[1]) * p[1] +
                   static_cast<double>(p[2]) * p[2]);
}

double toThousandths(double value) { return std::round(value * 1000) / 1000; }

// Lasers and their beams.
struct Seen {
  LidarRings rings;
  std::vector<LidarBeam> beams;

  // How far points usually are from their beam.
  double blur() const {
    std::vector<double> blurs;
    for (const LidarBeam& beam : beams) blurs.push_back(beam.blur_deg);
    return blurs.empty() ? std::numeric_limits<double>::infinity() : medianOf(std::move(blurs));
  }
  // Between neighbouring beams; the whole circle when there are none.
  double usualGap() const {
    std::vector<double> gaps{360};
    for (size_t i = 1; i < beams.size(); ++i)
      gaps.push_back(beams[i].elevation_deg - beams[i - 1].elevation_deg);
    return medianOf(std::move(gaps));
  }
};

Seen look(const std::vector<gs::LidarPoints>& scans) {
  for (const auto ways_to_tell : {ringsByColumn, ringsByOrder, ringsByGrid}) {
    auto rings = ways_to_tell(scans);
    if (!rings) continue;
    std::vector<LidarBeam> beams = fitBeams(scans, *rings);
    Seen seen{std::move(*rings), std::move(beams)};
    if (seen.beams.size() >= 2 && seen.blur() < 0.5 * seen.usualGap()) return seen;
  }
  LidarRings rings = ringsByElevation(scans);
  std::vector<LidarBeam> beams = fitBeams(scans, rings);
  return {std::move(rings), std::move(beams)};
}

// The mean step between neighbours of one laser, without those that misses made longer.
double horizontalStep(const std::vector<gs::LidarPoints>& scans, const LidarRings& rings) {
  constexpr double kDegrees = 180 / std::numbers::pi;
  std::vector<double> steps;
  for (size_t s = 0; s < scans.size(); ++s) {
    std::vector<std::vector<double>> azimuths(rings.count);
    for (size_t i = 0; i < rings.of_points[s].size(); ++i) {
      const auto& p = scans[s].positions[i];
      if (rings.of_points[s][i] != LidarRings::kNoRing && rangeOf(p) > 0.5)
        azimuths[rings.of_points[s][i]].push_back(std::atan2(p[1], p[0]) * kDegrees);
    }
    for (auto& of_ring : azimuths) {
      std::sort(of_ring.begin(), of_ring.end());
      for (size_t i = 1; i < of_ring.size(); ++i)
        if (of_ring[i] - of_ring[i - 1] > 0.01) steps.push_back(of_ring[i] - of_ring[i - 1]);
    }
  }
  if (steps.empty()) return 0.2;
  const double usual = medianOf(steps);
  std::erase_if(steps, [&](double step) { return step > 1.5 * usual; });
  return std::accumulate(steps.begin(), steps.end(), 0.0) / static_cast<double>(steps.size());
}

bool isEvenlySpread(const std::vector<double>& angles) {
  constexpr double kMost = 0.02;  // degrees
  const double step = (angles.back() - angles.front()) / static_cast<double>(angles.size() - 1);
  for (size_t i = 0; i < angles.size(); ++i)
    if (std::abs(angles[i] - angles.front() - step * static_cast<double>(i)) > kMost) return false;
  return true;
}

void setBeams(const Seen& seen, LidarGuess& guess) {
  gs::LidarSpec& spec = guess.spec;
  std::vector<double> angles, heights;
  for (const LidarBeam& beam : seen.beams) {
    angles.push_back(beam.elevation_deg);
    heights.push_back(toThousandths(beam.origin_height));
  }
  if (angles.size() < 2) {
    angles = {-25, 15};  // nothing to see: the middle of what is usual
    heights = {0, 0};
    guess.warnings.push_back("its beams cannot be told apart: two are assumed");
  }
  const bool has_heights =
      std::any_of(heights.begin(), heights.end(), [](double height) { return height != 0; });
  auto model = findLidarModel(angles);
  if (const std::string why = whyBeamsLookMissing(angles, model); !why.empty())
    guess.warnings.push_back("beams look missing: " + why);
  else if (seen.blur() > 0.15 * seen.usualGap() && !model)
    guess.warnings.push_back(
        fmt::format("its {} beams are blurred and may be too few or too many", angles.size()));
  if (model && !model->elevations_deg.empty() && !has_heights) {
    angles = model->elevations_deg;
    heights.assign(angles.size(), 0.0);
  }
  for (double& angle : angles) angle = toThousandths(angle);
  spec.channels = static_cast<int>(angles.size());
  spec.model = model ? model->name : fmt::format("inferred_{}", spec.channels);
  spec.vertical_fov_deg = {angles.front(), std::max(angles.back(), angles.front() + 0.1)};
  if (has_heights) spec.vertical_offsets = heights;
  if (has_heights || !isEvenlySpread(angles)) spec.vertical_angles_deg = angles;
}

}  // namespace

LidarGuess inferLidarSpec(const std::vector<gs::LidarPoints>& scans) {
  LidarGuess guess;
  gs::LidarSpec& spec = guess.spec;
  const Seen seen = look(scans);
  setBeams(seen, guess);
  double nearest = std::numeric_limits<double>::infinity(), farthest = 0;
  for (const gs::LidarPoints& scan : scans)
    for (const auto& p : scan.positions) {
      const double range = rangeOf(p);
      if (range < 0.05) continue;  // drivers put what never came back to the origin
      nearest = std::min(nearest, range);
      farthest = std::max(farthest, range);
    }
  spec.horizontal_resolution_deg =
      std::clamp(toThousandths(horizontalStep(scans, seen.rings)), 0.05, 2.0);
  spec.max_range = std::clamp(std::ceil(farthest / 10) * 10, 10.0, 500.0);
  // The nearest return is only as near as things came: no sensor is blind beyond a metre.
  spec.min_range =
      std::isfinite(nearest) ? std::clamp(std::floor(nearest * 10) / 10, 0.3, 1.0) : 0.5;
  return guess;
}

double intensityScale(double largest) {
  double scale = 255;
  while (scale < largest && scale < 1e9) scale = 2 * scale + 1;
  return largest <= 1 ? 1 : scale;
}

void setIntensityScale(double largest, const std::vector<gs::LidarPoints>& scans,
                       gs::LidarSpec& spec) {
  std::vector<double> intensities;
  for (const gs::LidarPoints& scan : scans)
    for (size_t i = 0; i < scan.intensity.size(); i += 5)
      if (std::isfinite(scan.intensity[i])) intensities.push_back(scan.intensity[i]);
  if (intensities.empty() || !(largest > 0)) return;  // none were recorded
  if (!spec.intensity_max && intensityScale(largest) != 255)
    spec.intensity_max = intensityScale(largest);
  const double usual = medianOf(std::move(intensities));
  if (!spec.usual_intensity && usual > 0) spec.usual_intensity = usual;
}

}  // namespace gs_builder

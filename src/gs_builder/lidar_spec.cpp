// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/lidar_spec.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>

#include <fmt/format.h>

namespace gs_builder {
namespace {

constexpr double kDegrees = 180 / std::numbers::pi;

double rangeOf(const std::array<float, 3>& p) {
  return std::sqrt(static_cast<double>(p[0]) * p[0] + static_cast<double>(p[1]) * p[1] +
                   static_cast<double>(p[2]) * p[2]);
}

double elevationOf(const std::array<float, 3>& p) {
  return std::atan2(static_cast<double>(p[2]), std::hypot<double>(p[0], p[1])) * kDegrees;
}

double medianOf(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

std::vector<double> anglesByRing(const std::vector<gs::LidarPoints>& scans) {
  std::map<uint16_t, std::vector<double>> elevations;
  for (const gs::LidarPoints& scan : scans)
    for (size_t i = 0; i < scan.positions.size(); ++i)
      if (rangeOf(scan.positions[i]) > 0.5)
        elevations[scan.ring[i]].push_back(elevationOf(scan.positions[i]));
  std::vector<double> angles;
  for (auto& [ring, values] : elevations)
    if (values.size() >= 10) angles.push_back(medianOf(values));
  std::sort(angles.begin(), angles.end());
  return angles;
}

// Of two peaks much nearer to each other than peaks usually are, the lower is something else: an
// edge of the vehicle, a fence.
std::vector<double> withoutDoubles(std::vector<double> angles, std::vector<double> heights) {
  if (angles.size() < 4) return angles;
  std::vector<double> gaps;
  for (size_t i = 1; i < angles.size(); ++i) gaps.push_back(angles[i] - angles[i - 1]);
  const double usual = medianOf(gaps);
  for (size_t i = 1; i < angles.size();) {
    if (angles[i] - angles[i - 1] > 0.45 * usual) {
      ++i;
      continue;
    }
    const auto lower = static_cast<std::ptrdiff_t>(heights[i] < heights[i - 1] ? i : i - 1);
    angles.erase(angles.begin() + lower);
    heights.erase(heights.begin() + lower);
  }
  return angles;
}

// Channels as peaks of the histogram of elevations: points of one channel lie on a cone, so they
// all have the same one.
std::vector<double> anglesByPeaks(const std::vector<gs::LidarPoints>& scans) {
  constexpr double kBin = 0.05;
  constexpr int kBins = static_cast<int>(180 / kBin);
  std::vector<double> counts(kBins, 0.0);
  for (const gs::LidarPoints& scan : scans)
    for (const auto& p : scan.positions) {
      if (rangeOf(p) < 3) continue;  // near ones are the vehicle itself, and shake
      const int bin = static_cast<int>((elevationOf(p) + 90) / kBin);
      counts[static_cast<size_t>(std::clamp(bin, 0, kBins - 1))] += 1;
    }
  std::vector<double> smooth(kBins, 0.0);
  for (size_t i = 1; i + 1 < counts.size(); ++i)
    smooth[i] = 0.25 * counts[i - 1] + 0.5 * counts[i] + 0.25 * counts[i + 1];
  const double highest = *std::max_element(smooth.begin(), smooth.end());
  // A peak stands out from the valley before and behind it by a third of its height.
  std::vector<double> angles, heights;
  double valley = 0, peak = 0;
  size_t peak_at = 0;
  bool is_rising = true;
  for (size_t i = 0; i < smooth.size(); ++i) {
    if (is_rising) {
      if (smooth[i] > peak) {
        peak = smooth[i];
        peak_at = i;
      } else if (smooth[i] < 0.6 * peak) {
        if (peak - valley > 0.33 * peak && peak > 0.01 * highest) {
          angles.push_back((static_cast<double>(peak_at) + 0.5) * kBin - 90);
          heights.push_back(peak);
        }
        is_rising = false;
        valley = smooth[i];
      }
    } else if (smooth[i] < valley) {
      valley = smooth[i];
    } else if (smooth[i] > 1.5 * valley + 1) {
      is_rising = true;
      peak = smooth[i];
      peak_at = i;
    }
  }
  return withoutDoubles(angles, heights);
}

size_t nearestAngle(const std::vector<double>& angles, double elevation) {
  const auto above = std::lower_bound(angles.begin(), angles.end(), elevation);
  if (above == angles.begin()) return 0;
  const auto index = static_cast<size_t>(above - angles.begin());
  if (above == angles.end()) return index - 1;
  return elevation - angles[index - 1] < *above - elevation ? index - 1 : index;
}

// The usual step between neighbours of one channel: misses make steps longer, never shorter.
double horizontalStep(const std::vector<gs::LidarPoints>& scans,
                      const std::vector<double>& angles) {
  std::vector<double> steps;
  for (const gs::LidarPoints& scan : scans) {
    std::vector<std::vector<double>> azimuths(angles.size());
    for (const auto& p : scan.positions)
      azimuths[nearestAngle(angles, elevationOf(p))].push_back(std::atan2(p[1], p[0]) * kDegrees);
    for (auto& channel : azimuths) {
      std::sort(channel.begin(), channel.end());
      for (size_t i = 1; i < channel.size(); ++i)
        if (channel[i] - channel[i - 1] > 0.01) steps.push_back(channel[i] - channel[i - 1]);
    }
  }
  if (steps.empty()) return 0.2;
  return medianOf(steps);
}

bool isEvenlySpread(const std::vector<double>& angles) {
  const double step = (angles.back() - angles.front()) / static_cast<double>(angles.size() - 1);
  for (size_t i = 0; i < angles.size(); ++i)
    if (std::abs(angles[i] - angles.front() - step * static_cast<double>(i)) > 0.1 * step)
      return false;
  return true;
}

double toHundredths(double value) { return std::round(value * 100) / 100; }

}  // namespace

gs::LidarSpec inferLidarSpec(const std::vector<gs::LidarPoints>& scans) {
  gs::LidarSpec spec;
  const bool has_rings = !scans.empty() && std::all_of(scans.begin(), scans.end(), [](auto& scan) {
    return scan.ring.size() == scan.positions.size();
  });
  std::vector<double> angles = has_rings ? anglesByRing(scans) : anglesByPeaks(scans);
  if (angles.size() < 2) angles = {-25, 15};  // nothing to see: the middle of what is usual
  for (double& angle : angles) angle = toHundredths(angle);
  double nearest = std::numeric_limits<double>::infinity(), farthest = 0;
  for (const gs::LidarPoints& scan : scans)
    for (const auto& p : scan.positions) {
      nearest = std::min(nearest, rangeOf(p));
      farthest = std::max(farthest, rangeOf(p));
    }
  spec.channels = static_cast<int>(angles.size());
  spec.model = fmt::format("inferred_{}", spec.channels);
  spec.vertical_fov_deg = {angles.front(), std::max(angles.back(), angles.front() + 0.1)};
  if (!isEvenlySpread(angles)) spec.vertical_angles_deg = angles;
  spec.horizontal_resolution_deg =
      std::clamp(toHundredths(horizontalStep(scans, angles)), 0.05, 2.0);
  spec.max_range = std::clamp(std::ceil(farthest / 10) * 10, 10.0, 500.0);
  // The nearest return is only as near as things came: no sensor is blind beyond a metre.
  spec.min_range =
      std::isfinite(nearest) ? std::clamp(std::floor(nearest * 10) / 10, 0.3, 1.0) : 0.5;
  return spec;
}

}  // namespace gs_builder

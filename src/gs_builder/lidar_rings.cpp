// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/lidar_rings.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>

#include "gs_builder/median.hpp"

namespace gs_builder {
namespace {

constexpr double kDegrees = 180 / std::numbers::pi;
constexpr size_t kMostRings = 512;

double groundRange(const std::array<float, 3>& p) { return std::hypot<double>(p[0], p[1]); }

double azimuthDegOf(const std::array<float, 3>& p) {
  return std::atan2(static_cast<double>(p[1]), static_cast<double>(p[0])) * kDegrees;
}

// In [-180, 180).
double wrapped(double degrees) { return degrees - 360 * std::floor(degrees / 360 + 0.5); }

// +1 when points follow one another counter-clockwise, seen from above.
double directionOf(const std::vector<double>& azimuths) {
  int64_t left = 0;
  for (size_t i = 1; i < azimuths.size(); ++i) {
    const double step = wrapped(azimuths[i] - azimuths[i - 1]);
    if (std::abs(step) < 5 && step != 0) left += step > 0 ? 1 : -1;
  }
  return left < 0 ? -1 : 1;
}

// Where one laser's points may end and the next one's begin: the azimuths of the first and the last
// point, and those where the elevation of neighbours at the same range changes most often. (It also
// changes where the sweep began, in scans whose motion was taken out.)
std::vector<double> possibleSeams(const std::vector<std::array<float, 3>>& points,
                                  const std::vector<double>& azimuths) {
  constexpr double kBin = 5;
  constexpr size_t kBins = 72;
  std::array<std::vector<double>, kBins> changes;
  for (size_t i = 1; i < points.size(); ++i) {
    const double here = groundRange(points[i]), before = groundRange(points[i - 1]);
    if (std::abs(here - before) > 0.1 * here) continue;
    const double rise = std::abs(elevationDegOf(points[i]) - elevationDegOf(points[i - 1]));
    if (rise < 0.15 || rise > 5 || std::abs(wrapped(azimuths[i] - azimuths[i - 1])) > 30) continue;
    const auto bin = static_cast<size_t>((wrapped(azimuths[i]) + 180) / kBin);
    changes[std::min(bin, kBins - 1)].push_back(azimuths[i]);
  }
  std::sort(changes.begin(), changes.end(),
            [](const auto& a, const auto& b) { return a.size() > b.size(); });
  std::vector<double> seams = {azimuths.front(), azimuths.back()};
  for (size_t i = 0; i < 4 && !changes[i].empty(); ++i) seams.push_back(medianOf(changes[i]));
  // The first and the last laser agree: it is there, whatever happens elsewhere.
  constexpr double kNear = 40;
  if (std::abs(wrapped(azimuths.front() - azimuths.back())) < kNear)
    std::erase_if(seams,
                  [&](double seam) { return std::abs(wrapped(seam - azimuths.front())) > kNear; });
  return seams;
}

// Turns made before each point, when one ends at `seam`. A longer step back than motion and noise
// explain is most of a turn forwards: the rest of the laser's points never came back.
std::vector<size_t> turnsOf(const std::vector<double>& azimuths, double direction, double seam) {
  constexpr double kMostBack = 15;
  const auto forwards = [](double step) {
    return step - 360 * std::floor((step + kMostBack) / 360);
  };
  std::vector<size_t> turns;
  turns.reserve(azimuths.size());
  double turned = forwards(direction * (azimuths[0] - seam));
  for (size_t i = 0; i < azimuths.size(); ++i) {
    if (i > 0) turned += forwards(direction * (azimuths[i] - azimuths[i - 1]));
    turns.push_back(static_cast<size_t>(std::max(0.0, std::floor(turned / 360))));
  }
  return turns;
}

// Laser by laser; empty when the points do not stand so.
std::vector<uint16_t> numbersOf(const std::vector<size_t>& turns) {
  const size_t lasers = *std::max_element(turns.begin(), turns.end()) + 1;
  if (lasers < 4 || lasers > kMostRings) return {};
  // Turns of a few points are the ragged end of one laser.
  std::vector<size_t> counts(lasers, 0);
  for (const size_t turn : turns) ++counts[turn];
  const size_t few = std::max<size_t>(20, turns.size() / lasers / 20);
  std::vector<uint16_t> number(lasers, LidarRings::kNoRing), numbers;
  uint16_t next = 0;
  for (size_t turn = 0; turn < lasers; ++turn)
    if (counts[turn] >= few) number[turn] = next++;
  numbers.reserve(turns.size());
  for (const size_t turn : turns) numbers.push_back(number[turn]);
  return numbers;
}

size_t ringCount(const std::vector<uint16_t>& rings) {
  size_t count = 0;
  for (const uint16_t ring : rings)
    if (ring != LidarRings::kNoRing) count = std::max<size_t>(count, ring + size_t{1});
  return count;
}

std::vector<double> medianElevations(const gs::LidarPoints& scan,
                                     const std::vector<uint16_t>& rings, size_t count) {
  std::vector<std::vector<double>> elevations(count);
  for (size_t i = 0; i < rings.size(); ++i)
    if (rings[i] != LidarRings::kNoRing && groundRange(scan.positions[i]) > 0.5)
      elevations[rings[i]].push_back(elevationDegOf(scan.positions[i]));
  std::vector<double> medians;
  for (auto& values : elevations) medians.push_back(values.empty() ? NAN : medianOf(values));
  return medians;
}

// The mean distance of a point from the usual elevation of its laser.
double spreadOf(const gs::LidarPoints& scan, const std::vector<uint16_t>& rings) {
  const std::vector<double> medians = medianElevations(scan, rings, ringCount(rings));
  double sum = 0, count = 0;
  for (size_t i = 0; i < rings.size(); ++i) {
    if (rings[i] == LidarRings::kNoRing || !std::isfinite(medians[rings[i]]) ||
        groundRange(scan.positions[i]) < 0.5)
      continue;
    sum += std::abs(elevationDegOf(scan.positions[i]) - medians[rings[i]]);
    count += 1;
  }
  return count > 0 ? sum / count : std::numeric_limits<double>::infinity();
}

std::vector<uint16_t> numbersByOrder(const gs::LidarPoints& scan) {
  if (scan.positions.size() < 100) return {};
  std::vector<double> azimuths;
  azimuths.reserve(scan.positions.size());
  for (const auto& p : scan.positions) azimuths.push_back(azimuthDegOf(p));
  const double direction = directionOf(azimuths);
  std::vector<uint16_t> best;
  double least = std::numeric_limits<double>::infinity();
  for (const double seam : possibleSeams(scan.positions, azimuths)) {
    std::vector<uint16_t> numbers = numbersOf(turnsOf(azimuths, direction, seam));
    if (numbers.empty()) continue;
    const double spread = spreadOf(scan, numbers);
    if (!(spread < least)) continue;
    least = spread;
    best = std::move(numbers);
  }
  return best;
}

// Whether number k means the same laser everywhere: between scans its elevation differs less than
// from laser to laser, and so does that of the points of one laser (`spread`).
bool agree(const std::vector<std::vector<double>>& medians_by_scan, double spread = 0) {
  const size_t count = medians_by_scan.front().size();
  std::vector<double> usual, spreads, gaps;
  for (size_t ring = 0; ring < count; ++ring) {
    std::vector<double> values, deviations;
    for (const auto& medians : medians_by_scan)
      if (std::isfinite(medians[ring])) values.push_back(medians[ring]);
    if (values.empty()) continue;
    const double middle = medianOf(values);
    for (const double value : values) deviations.push_back(std::abs(value - middle));
    usual.push_back(middle);
    spreads.push_back(medianOf(deviations));
  }
  std::sort(usual.begin(), usual.end());
  for (size_t i = 1; i < usual.size(); ++i) gaps.push_back(usual[i] - usual[i - 1]);
  return gaps.size() >= 3 && std::max(spread, medianOf(spreads)) < 0.5 * medianOf(gaps);
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

std::vector<double> elevationPeaks(const std::vector<gs::LidarPoints>& scans) {
  constexpr double kBin = 0.05;
  constexpr int kBins = static_cast<int>(180 / kBin);
  std::vector<double> counts(kBins, 0.0);
  for (const gs::LidarPoints& scan : scans)
    for (const auto& p : scan.positions) {
      if (groundRange(p) < 3) continue;  // near ones are the vehicle itself, and shake
      const int bin = static_cast<int>((elevationDegOf(p) + 90) / kBin);
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

}  // namespace

double elevationDegOf(const std::array<float, 3>& p) {
  return std::atan2(static_cast<double>(p[2]), groundRange(p)) * kDegrees;
}

std::optional<LidarRings> ringsByColumn(const std::vector<gs::LidarPoints>& scans) {
  LidarRings rings;
  std::map<uint16_t, uint16_t> numbers;
  for (const gs::LidarPoints& scan : scans) {
    if (scan.ring.size() != scan.positions.size()) return std::nullopt;
    for (const uint16_t ring : scan.ring) numbers.emplace(ring, uint16_t{0});
    if (numbers.size() > kMostRings) return std::nullopt;  // a column that counts something else
  }
  if (numbers.size() < 2) return std::nullopt;
  for (auto& [ring, number] : numbers) number = static_cast<uint16_t>(rings.count++);
  for (const gs::LidarPoints& scan : scans) {
    auto& of_points = rings.of_points.emplace_back();
    for (const uint16_t ring : scan.ring) of_points.push_back(numbers.at(ring));
  }
  return rings;
}

std::optional<LidarRings> ringsByOrder(const std::vector<gs::LidarPoints>& scans) {
  LidarRings rings;
  std::map<size_t, size_t, std::greater<>> scans_with;  // by the number of lasers, most first
  for (const gs::LidarPoints& scan : scans) {
    rings.of_points.push_back(numbersByOrder(scan));
    if (!rings.of_points.back().empty()) ++scans_with[ringCount(rings.of_points.back())];
  }
  // The highest lasers may look into the sky for a whole turn: the most that several scans have.
  for (const auto& [count, frequency] : scans_with) {
    if (4 * frequency < scans.size() || count < 4) continue;
    std::vector<std::vector<double>> medians;
    for (size_t s = 0; s < scans.size(); ++s)
      if (ringCount(rings.of_points[s]) == count)
        medians.push_back(medianElevations(scans[s], rings.of_points[s], count));
    if (!agree(medians)) continue;
    for (auto& of_points : rings.of_points)
      if (ringCount(of_points) != count) of_points.clear();
    rings.count = count;
    return rings;
  }
  return std::nullopt;
}

std::optional<LidarRings> ringsByGrid(const std::vector<gs::LidarPoints>& scans) {
  if (scans.empty()) return std::nullopt;
  for (const size_t channels : {16, 32, 40, 64, 128})
    for (const bool is_by_row : {false, true}) {
      LidarRings rings{.count = channels};
      std::vector<std::vector<double>> medians;
      bool is_grid = true;
      double spread = 0;
      for (const gs::LidarPoints& scan : scans) {
        const size_t points = scan.positions.size(), columns = points / channels;
        is_grid = is_grid && points % channels == 0 && columns >= 100;
        if (!is_grid) break;
        auto& of_points = rings.of_points.emplace_back();
        for (size_t i = 0; i < points; ++i)
          of_points.push_back(static_cast<uint16_t>(is_by_row ? i / columns : i % channels));
        spread = std::max(spread, spreadOf(scan, of_points));
        medians.push_back(medianElevations(scan, of_points, channels));
      }
      if (is_grid && agree(medians, spread)) return rings;
    }
  return std::nullopt;
}

LidarRings ringsByElevation(const std::vector<gs::LidarPoints>& scans) {
  const std::vector<double> angles = elevationPeaks(scans);
  LidarRings rings{.count = angles.size()};
  for (const gs::LidarPoints& scan : scans) {
    auto& of_points = rings.of_points.emplace_back();
    for (const auto& p : scan.positions)
      of_points.push_back(angles.empty()
                              ? LidarRings::kNoRing
                              : static_cast<uint16_t>(nearestAngle(angles, elevationDegOf(p))));
  }
  return rings;
}

}  // namespace gs_builder

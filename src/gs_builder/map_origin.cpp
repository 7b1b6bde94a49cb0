// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/map_origin.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "gs_builder/median.hpp"

namespace gs_builder {
namespace {

constexpr double kDegrees = 180 / std::numbers::pi;

// Metres per degree north and east on the WGS 84 ellipsoid.
struct DegreeLengths {
  double north, east;
};
DegreeLengths degreeLengthsAt(double latitude_deg) {
  constexpr double kSemiMajor = 6378137.0, kEccentricity2 = 6.69437999014e-3;
  const double latitude = latitude_deg / kDegrees;
  const double w2 = 1 - kEccentricity2 * std::sin(latitude) * std::sin(latitude);
  const double meridian = kSemiMajor * (1 - kEccentricity2) / (w2 * std::sqrt(w2));
  const double parallel = kSemiMajor / std::sqrt(w2) * std::max(1e-6, std::cos(latitude));
  return {meridian / kDegrees, parallel / kDegrees};
}

}  // namespace

std::optional<MapOrigin> findMapOrigin(const std::vector<FixInMap>& fixes) {
  if (fixes.empty()) return std::nullopt;
  std::vector<double> latitudes, longitudes, altitudes;
  for (const FixInMap& fix : fixes) {
    const gs::Vec3& p = fix.antenna_in_map;
    // The length of a degree is that of the origin's latitude, which the first step gives.
    double latitude = fix.latitude;
    for (int i = 0; i < 3; ++i) latitude = fix.latitude - p.y() / degreeLengthsAt(latitude).north;
    latitudes.push_back(latitude);
    longitudes.push_back(fix.longitude - p.x() / degreeLengthsAt(latitude).east);
    altitudes.push_back(fix.altitude - p.z());
  }
  MapOrigin origin{medianOf(latitudes), medianOf(longitudes), medianOf(altitudes)};
  const DegreeLengths lengths = degreeLengthsAt(origin.latitude);
  std::vector<double> distances;
  for (size_t i = 0; i < fixes.size(); ++i)
    distances.push_back(std::hypot((latitudes[i] - origin.latitude) * lengths.north,
                                   (longitudes[i] - origin.longitude) * lengths.east));
  origin.spread = *std::max_element(distances.begin(), distances.end());
  return origin;
}

}  // namespace gs_builder

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>

namespace gs {

// MAJOR.MINOR.PATCH, as every file of a bundle carries it.
struct Version {
  int major = 0, minor = 0, patch = 0;
  auto operator<=>(const Version&) const = default;
};

std::optional<Version> findVersion(std::string_view text);
std::string toString(const Version& version);

// The newest format version this program reads. A file carries the version of the newest key in it:
// 1.0.0, or 1.1.0 with base_link_above_ground in timebase.yaml, or with vertical_offsets,
// intensity_max or usual_intensity in calibration.yaml, or 1.2.0 with imus, gnss or wheel_odometry
// there, or with origin_yaw in metadata.json.
constexpr Version kFormatVersion{1, 2, 0};

enum class Compatibility {
  Ok,
  NewerMinor,   // readable; fields this program does not know are ignored
  Unsupported,  // another major version
};
Compatibility compatibilityOf(const Version& file);

std::string_view buildVersion();  // of this program: "0.1.0"

}  // namespace gs

// SPDX-License-Identifier: Apache-2.0
#include "gs/core/version.hpp"

#include <charconv>

#include "gs_build_version.hpp"

namespace gs {

std::optional<Version> findVersion(std::string_view text) {
  Version version;
  const char* at = text.data();
  const char* const end = at + text.size();
  for (int* part : {&version.major, &version.minor, &version.patch}) {
    if (part != &version.major && (at == end || *at++ != '.')) return std::nullopt;
    if (at == end || *at < '0' || *at > '9') return std::nullopt;  // from_chars would take a minus
    const auto [next, failure] = std::from_chars(at, end, *part);
    if (failure != std::errc()) return std::nullopt;
    at = next;
  }
  if (at != end) return std::nullopt;
  return version;
}

std::string toString(const Version& version) {
  return std::to_string(version.major) + "." + std::to_string(version.minor) + "." +
         std::to_string(version.patch);
}

Compatibility compatibilityOf(const Version& file) {
  if (file.major != kFormatVersion.major) return Compatibility::Unsupported;
  return file.minor > kFormatVersion.minor ? Compatibility::NewerMinor : Compatibility::Ok;
}

std::string_view buildVersion() { return GS_BUILD_VERSION; }

}  // namespace gs

// SPDX-License-Identifier: Apache-2.0
#include "gs/core/value_checks.hpp"

#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "gs/core/version.hpp"

namespace gs {

std::string shortNumber(double value) { return fmt::format("{}", value); }

void ValueChecks::require(bool is_ok, const std::string& path, std::string message) {
  if (!is_ok) problems_.push_back({Problem::Kind::BadValue, path, 0, std::move(message)});
}

void ValueChecks::isPositive(const std::string& path, double value) {
  require(std::isfinite(value) && value > 0, path,
          shortNumber(value) + " is not a number greater than 0");
}

void ValueChecks::isNotNegative(const std::string& path, double value) {
  require(std::isfinite(value) && value >= 0, path, shortNumber(value) + " is not 0 or greater");
}

void ValueChecks::isFinite(const std::string& path, double value) {
  require(std::isfinite(value), path, shortNumber(value) + " is not a finite number");
}

void ValueChecks::isBetween(const std::string& path, double value, double low, double high) {
  require(value >= low && value <= high, path,
          shortNumber(value) + " is not between " + shortNumber(low) + " and " + shortNumber(high));
}

void ValueChecks::isAtLeast(const std::string& path, int64_t value, int64_t low) {
  require(value >= low, path, std::to_string(value) + " is less than " + std::to_string(low));
}

void ValueChecks::isCompatibleVersion(const std::string& path, std::string_view version) {
  const std::string ours = toString({.major = kFormatVersion.major});
  const auto found = findVersion(version);
  if (!found) return require(false, path, "expected a version such as \"" + ours + "\"");
  require(compatibilityOf(*found) != Compatibility::Unsupported, path,
          "version " + toString(*found) + " is not supported; this program reads " +
              std::to_string(kFormatVersion.major) + ".x, such as \"" + ours + "\"");
}

}  // namespace gs

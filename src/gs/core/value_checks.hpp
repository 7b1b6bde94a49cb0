// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gs/core/document.hpp"

namespace gs {

// Collects what is wrong with the values of a struct, each under its dotted path. Every check says
// what is allowed, so that the message alone is enough to repair the file. NaN passes no check.
class ValueChecks {
 public:
  void require(bool is_ok, const std::string& path, std::string message);
  void isPositive(const std::string& path, double value);     // finite and > 0
  void isNotNegative(const std::string& path, double value);  // finite and >= 0
  void isFinite(const std::string& path, double value);
  void isBetween(const std::string& path, double value, double low, double high);  // inclusive
  void isAtLeast(const std::string& path, int64_t value, int64_t low);
  void isCompatibleVersion(const std::string& path, std::string_view version);

  std::vector<Problem> take() { return std::move(problems_); }

 private:
  std::vector<Problem> problems_;
};

// "0.05" rather than "0.050000": the shortest text that reads back to the same number.
std::string shortNumber(double value);

}  // namespace gs

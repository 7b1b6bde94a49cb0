// SPDX-License-Identifier: Apache-2.0
#include "gs/core/time.hpp"

#include <chrono>
#include <cmath>
#include <cstdio>
#include <limits>

namespace gs {
namespace {

constexpr int64_t kNsPerSecond = 1'000'000'000;

int64_t floorDivide(int64_t a, int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

// Reads exactly `digits` decimal digits from the front of `text`.
std::optional<int> takeDigits(std::string_view& text, size_t digits) {
  if (text.size() < digits) return std::nullopt;
  int value = 0;
  for (size_t i = 0; i < digits; ++i) {
    if (text[i] < '0' || text[i] > '9') return std::nullopt;
    value = value * 10 + (text[i] - '0');
  }
  text.remove_prefix(digits);
  return value;
}

bool takeChar(std::string_view& text, char expected) {
  if (text.empty() || text.front() != expected) return false;
  text.remove_prefix(1);
  return true;
}

std::optional<int64_t> takeFraction(std::string_view& text) {
  int64_t ns = 0;
  int64_t weight = kNsPerSecond / 10;
  if (!takeChar(text, '.')) return 0;
  size_t digits = 0;
  for (; digits < text.size() && text[digits] >= '0' && text[digits] <= '9'; ++digits) {
    ns += (text[digits] - '0') * weight;
    weight /= 10;
  }
  if (digits == 0 || digits > 9) return std::nullopt;
  text.remove_prefix(digits);
  return ns;
}

// Seconds east of UTC: "Z" or "+09:00".
std::optional<int64_t> takeOffset(std::string_view& text) {
  if (takeChar(text, 'Z')) return 0;
  const int sign = takeChar(text, '+') ? 1 : takeChar(text, '-') ? -1 : 0;
  if (sign == 0) return std::nullopt;
  const auto hours = takeDigits(text, 2);
  if (!hours || !takeChar(text, ':')) return std::nullopt;
  const auto minutes = takeDigits(text, 2);
  if (!minutes || *hours > 23 || *minutes > 59) return std::nullopt;
  return sign * (*hours * 3600LL + *minutes * 60LL);
}

}  // namespace

std::optional<Duration> findDuration(double seconds) {
  const double ns = std::round(seconds * 1e9);
  // 2^63 as a double; the comparison is false for NaN.
  if (!(std::abs(ns) < 9223372036854775808.0)) return std::nullopt;
  return Duration{static_cast<int64_t>(ns)};
}

double toSeconds(Duration duration) {
  const int64_t whole = floorDivide(duration.ns, kNsPerSecond);
  // Two exact halves: a UNIX time in nanoseconds does not fit a double, its parts do.
  return static_cast<double>(whole) +
         static_cast<double>(duration.ns - whole * kNsPerSecond) * 1e-9;
}

double toSeconds(Stamp stamp) { return toSeconds(Duration{stamp.ns}); }

std::string toDecimalSeconds(Stamp stamp) {
  const bool is_negative = stamp.ns < 0;
  // Unsigned: the most negative stamp has no positive counterpart.
  const uint64_t ns = is_negative ? 0 - static_cast<uint64_t>(stamp.ns) : stamp.ns;
  char text[40];
  std::snprintf(text, sizeof text, "%s%llu.%09llu", is_negative ? "-" : "",
                static_cast<unsigned long long>(ns / kNsPerSecond),
                static_cast<unsigned long long>(ns % kNsPerSecond));
  return text;
}

std::optional<Stamp> findDecimalSeconds(std::string_view text) {
  const int64_t sign = takeChar(text, '-') ? -1 : 1;
  int64_t seconds = 0;
  size_t digits = 0;
  for (; digits < text.size() && text[digits] >= '0' && text[digits] <= '9'; ++digits) {
    if (digits == 10) return std::nullopt;  // beyond what 64-bit nanoseconds can hold
    seconds = seconds * 10 + (text[digits] - '0');
  }
  text.remove_prefix(digits);
  const auto fraction = takeFraction(text);
  if (digits == 0 || !fraction || !text.empty() || seconds > 9'223'372'035) return std::nullopt;
  return Stamp{sign * (seconds * kNsPerSecond + *fraction)};
}

SecNanosec toSecNanosec(Stamp stamp) {
  const int64_t sec = floorDivide(stamp.ns, kNsPerSecond);
  using Limits = std::numeric_limits<int32_t>;
  if (sec < Limits::min()) return {Limits::min(), 0};
  if (sec > Limits::max()) return {Limits::max(), 999'999'999};
  return {static_cast<int32_t>(sec), static_cast<uint32_t>(stamp.ns - sec * kNsPerSecond)};
}

Stamp fromSecNanosec(SecNanosec time) {
  return {static_cast<int64_t>(time.sec) * kNsPerSecond + time.nanosec};
}

std::string toIso8601(Stamp stamp) {
  namespace chrono = std::chrono;
  const int64_t whole = floorDivide(stamp.ns, kNsPerSecond);
  const int64_t fraction = stamp.ns - whole * kNsPerSecond;
  const chrono::sys_seconds time{chrono::seconds{whole}};
  const auto day = chrono::floor<chrono::days>(time);
  const chrono::year_month_day date{day};
  const chrono::hh_mm_ss clock{time - day};
  char text[64];
  std::snprintf(text, sizeof text, "%04d-%02u-%02uT%02d:%02d:%02d", static_cast<int>(date.year()),
                static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                static_cast<int>(clock.hours().count()), static_cast<int>(clock.minutes().count()),
                static_cast<int>(clock.seconds().count()));
  std::string result = text;
  if (fraction != 0) {
    std::snprintf(text, sizeof text, ".%09lld", static_cast<long long>(fraction));
    result += text;
    result.erase(result.find_last_not_of('0') + 1);
  }
  return result + "Z";
}

std::optional<Stamp> findIso8601(std::string_view text) {
  namespace chrono = std::chrono;
  const auto y = takeDigits(text, 4);
  if (!y || !takeChar(text, '-')) return std::nullopt;
  const auto m = takeDigits(text, 2);
  if (!m || !takeChar(text, '-')) return std::nullopt;
  const auto d = takeDigits(text, 2);
  if (!d || !takeChar(text, 'T')) return std::nullopt;
  const auto hour = takeDigits(text, 2);
  if (!hour || !takeChar(text, ':')) return std::nullopt;
  const auto minute = takeDigits(text, 2);
  if (!minute || !takeChar(text, ':')) return std::nullopt;
  const auto second = takeDigits(text, 2);
  if (!second) return std::nullopt;
  const auto fraction = takeFraction(text);
  if (!fraction) return std::nullopt;
  const auto offset = takeOffset(text);
  if (!offset || !text.empty()) return std::nullopt;
  const chrono::year_month_day date{chrono::year{*y}, chrono::month{static_cast<unsigned>(*m)},
                                    chrono::day{static_cast<unsigned>(*d)}};
  if (!date.ok() || *hour > 23 || *minute > 59 || *second > 59) return std::nullopt;
  // What 64-bit nanoseconds can hold ends in 2262 and begins in 1677.
  if (*y < 1678 || *y > 2261) return std::nullopt;
  const int64_t unix_seconds = chrono::sys_days{date}.time_since_epoch().count() * 86400LL +
                               *hour * 3600LL + *minute * 60LL + *second - *offset;
  return Stamp{unix_seconds * kNsPerSecond + *fraction};
}

Stamp wallClockNow() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return {std::chrono::duration_cast<std::chrono::nanoseconds>(now).count()};
}

}  // namespace gs

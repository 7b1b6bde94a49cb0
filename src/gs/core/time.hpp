// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gs {

// A span of time in integer nanoseconds. Seconds as a double exist only where a file or a person
// asks for them: summing doubles drifts, integers do not.
struct Duration {
  int64_t ns = 0;

  auto operator<=>(const Duration&) const = default;
  friend Duration operator+(Duration a, Duration b) { return {a.ns + b.ns}; }
  friend Duration operator-(Duration a, Duration b) { return {a.ns - b.ns}; }
  friend Duration operator*(Duration a, int64_t n) { return {a.ns * n}; }
};

// A point in time: nanoseconds since the epoch of its clock (UNIX for logs, the timebase's zero for
// simulated time).
struct Stamp {
  int64_t ns = 0;

  auto operator<=>(const Stamp&) const = default;
  friend Stamp operator+(Stamp t, Duration d) { return {t.ns + d.ns}; }
  friend Stamp operator-(Stamp t, Duration d) { return {t.ns - d.ns}; }
  friend Duration operator-(Stamp a, Stamp b) { return {a.ns - b.ns}; }
};

// Rounded to the nearest nanosecond. Empty for NaN, infinities and what 64 bits cannot hold.
std::optional<Duration> findDuration(double seconds);
double toSeconds(Duration duration);
double toSeconds(Stamp stamp);

// "1772359200.083333333": seconds as a decimal number with all nine digits behind the point, which
// a double could not hold. The inverse takes up to nine; empty for anything else.
std::string toDecimalSeconds(Stamp stamp);
std::optional<Stamp> findDecimalSeconds(std::string_view text);

// builtin_interfaces/Time: whole seconds (rounded down) and the nanoseconds above them.
struct SecNanosec {
  int32_t sec = 0;
  uint32_t nanosec = 0;
  auto operator<=>(const SecNanosec&) const = default;
};
SecNanosec toSecNanosec(Stamp stamp);  // saturates outside the 32-bit range
Stamp fromSecNanosec(SecNanosec time);

// "2026-02-14T10:30:00Z", with a fraction only when there is one. UTC always.
std::string toIso8601(Stamp stamp);
// Accepts a fraction of up to nine digits, and Z or an offset such as +09:00.
std::optional<Stamp> findIso8601(std::string_view text);

// The wall clock, for reports and metadata. Nothing that must be reproducible may ask.
Stamp wallClockNow();

}  // namespace gs

// SPDX-License-Identifier: Apache-2.0
#include "gs/formats/point_time.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <limits>
#include <type_traits>

namespace gs {
namespace {

constexpr std::array<double, 4> kUnits = {1.0, 1e-3, 1e-6, 1e-9};
constexpr double kNearStamp = 2.0;       // s: how far a sweep may lie from its stamp
constexpr double kEarliestStamp = 10.0;  // s: below, "near the stamp" and "since it" look alike

struct Dialect {
  PointTime kind;
  double unit;
};

Dialect dialectOf(double earliest, double largest, bool is_integer, Stamp stamp) {
  const double stamp_s = toSeconds(stamp);
  if (stamp_s > kEarliestStamp)
    for (const double unit : kUnits)
      if (std::abs(earliest * unit - stamp_s) <= kNearStamp) return {PointTime::Absolute, unit};
  if (earliest >= 1e17) return {PointTime::AbsoluteOfOtherClock, 1e-9};
  if (earliest >= 1e14) return {PointTime::AbsoluteOfOtherClock, 1e-6};
  if (earliest >= 1e11) return {PointTime::AbsoluteOfOtherClock, 1e-3};
  if (earliest >= 1e9 && !is_integer) return {PointTime::AbsoluteOfOtherClock, 1.0};
  if (is_integer) return {PointTime::SinceStamp, largest > 1e6 ? 1e-9 : 1e-6};
  if (largest <= 10) return {PointTime::SinceStamp, 1.0};
  if (largest <= 1e3) return {PointTime::SinceStamp, 1e-3};
  return {PointTime::SinceStamp, largest <= 1e6 ? 1e-6 : 1e-9};
}

// Differences first, in the column's own type where that is exact: a double cannot hold today's
// date in nanoseconds.
template <typename T>
double secondsAfterStamp(T count, double unit, Stamp stamp) {
  if constexpr (std::is_integral_v<T>) {
    const auto ns_per_count = static_cast<int64_t>(std::llround(unit * 1e9));
    const int64_t whole = stamp.ns / ns_per_count;
    const double rest = static_cast<double>(stamp.ns % ns_per_count) * 1e-9;
    return static_cast<double>(count - whole) * unit - rest;
  } else {
    const int64_t whole = stamp.ns / 1'000'000'000;
    const double rest = static_cast<double>(stamp.ns % 1'000'000'000) * 1e-9;
    return (static_cast<double>(count) * unit - static_cast<double>(whole)) - rest;
  }
}

// In the type where it is exact.
double difference(int64_t a, int64_t b) { return static_cast<double>(a - b); }
double difference(double a, double b) { return a - b; }

template <typename T>
T magnitude(T count) {
  if constexpr (std::is_integral_v<T>) {
    constexpr T kLowest = std::numeric_limits<T>::min();  // its negative does not exist
    return count >= 0 ? count : count == kLowest ? std::numeric_limits<T>::max() : -count;
  } else {
    return std::abs(count);
  }
}

bool isUsable(std::floating_point auto count) { return std::isfinite(count); }
bool isUsable(int64_t) { return true; }

template <typename T>
struct Range {
  T earliest;
  T largest;  // magnitude
};

// Of the usable counts; zeros without any. In lanes, so that the compiler may use vectors: a
// minimum of one number after the other is slower than reading the whole column.
template <typename T>
Range<T> rangeOf(std::span<const T> counts) {
  constexpr size_t kLanes = 8;
  constexpr T kMost = std::numeric_limits<T>::max();
  std::array<T, kLanes> low, high;
  low.fill(kMost);
  high.fill(0);
  const auto take = [&](size_t lane, T count) {
    const T size = magnitude(count);
    const bool is_usable = size <= kMost;  // false for NaN and infinity
    low[lane] = is_usable && count < low[lane] ? count : low[lane];
    high[lane] = is_usable && size > high[lane] ? size : high[lane];
  };
  size_t i = 0;
  for (; i + kLanes <= counts.size(); i += kLanes)
    for (size_t lane = 0; lane < kLanes; ++lane) take(lane, counts[i + lane]);
  for (; i < counts.size(); ++i) take(0, counts[i]);
  const T earliest = *std::min_element(low.begin(), low.end());
  return {earliest == kMost ? T{0} : earliest, *std::max_element(high.begin(), high.end())};
}

template <typename T>
void setTimes(std::span<const T> counts, Stamp stamp, LidarPoints& points) {
  const Range<T> range = rangeOf(counts);
  const Dialect dialect =
      dialectOf(static_cast<double>(range.earliest), static_cast<double>(range.largest),
                std::is_integral_v<T>, stamp);
  points.time = dialect.kind;
  points.time_unit = dialect.unit;
  points.time_offset.resize(counts.size());
  const auto set = [&](const auto& offset) {
    for (size_t i = 0; i < counts.size(); ++i)
      points.time_offset[i] = isUsable(counts[i]) ? toFloat(offset(counts[i])) : 0.0f;
  };
  const double unit = dialect.unit;
  switch (dialect.kind) {
    case PointTime::Absolute:
      return set([&](T count) { return secondsAfterStamp(count, unit, stamp); });
    case PointTime::AbsoluteOfOtherClock:
      return set([&](T count) { return difference(count, range.earliest) * unit; });
    default: break;
  }
  if constexpr (std::is_same_v<T, float>) {
    if (unit == 1.0) return set([](float count) { return count; });
  }
  set([&](T count) { return static_cast<double>(count) * unit; });
}

}  // namespace

void setPointTimes(std::span<const int64_t> counts, Stamp stamp, LidarPoints& points) {
  setTimes(counts, stamp, points);
}

void setPointTimes(std::span<const double> counts, Stamp stamp, LidarPoints& points) {
  setTimes(counts, stamp, points);
}

void setPointTimesInPlace(Stamp stamp, LidarPoints& points) {
  setTimes(std::span<const float>(points.time_offset), stamp, points);
}

}  // namespace gs

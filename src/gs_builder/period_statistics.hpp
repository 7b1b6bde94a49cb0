// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "gs/core/time.hpp"

namespace gs_builder {

// The periods between a topic's messages, in constant memory: a histogram with bins of 2 % from
// 1 us to three hours gives the median, and so what counts as a gap, without keeping the times.
class PeriodStatistics {
 public:
  void add(gs::Duration period, gs::Stamp at);

  uint64_t count() const { return count_; }
  double median() const;  // s, to 1 %, exact when the periods are equal; 0 without periods
  // The rate of a topic, wherever one is said or judged: messages per second between the first and
  // the last. 0: not known, because there are too few or all came at once.
  double rateHz() const;
  double steadyRateHz() const;  // 1 / median: where nothing is missing
  bool isBursty() const;        // most periods are much shorter than the rate says
  uint64_t gaps() const;        // periods longer than 1.8 medians: at least one message is missing
  double longest() const { return gs::toSeconds(longest_); }
  gs::Stamp longestAt() const { return longest_at_; }  // when the longest began

 private:
  static constexpr int kBins = 1200;
  static int binOf(double seconds);
  double centreOf(int bin) const;  // mean of the periods in it
  double atRank(uint64_t rank) const;

  std::array<uint32_t, kBins> bins_{};
  std::array<double, kBins> sums_{};  // s
  uint64_t count_ = 0;
  double total_ = 0;  // s
  gs::Duration longest_;
  gs::Stamp longest_at_;
};

}  // namespace gs_builder

// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/period_statistics.hpp"

#include <algorithm>
#include <cmath>

namespace gs_builder {
namespace {

constexpr double kShortest = 1e-6, kRatio = 1.02;

}  // namespace

int PeriodStatistics::binOf(double seconds) {
  if (!(seconds > kShortest)) return 0;
  const double bin = std::log(seconds / kShortest) / std::log(kRatio);
  return static_cast<int>(std::min<double>(bin, kBins - 1));
}

double PeriodStatistics::centreOf(int bin) const {
  const auto at = static_cast<size_t>(bin);
  return bin == 0 || bins_[at] == 0 ? 0.0 : sums_[at] / bins_[at];
}

void PeriodStatistics::add(gs::Duration period, gs::Stamp at) {
  const auto bin = static_cast<size_t>(binOf(gs::toSeconds(period)));
  ++bins_[bin];
  sums_[bin] += gs::toSeconds(period);
  ++count_;
  total_ += gs::toSeconds(period);
  if (period > longest_) {
    longest_ = period;
    longest_at_ = at;
  }
}

double PeriodStatistics::atRank(uint64_t rank) const {
  uint64_t below = 0;
  for (int bin = 0; bin < kBins; ++bin) {
    below += bins_[static_cast<size_t>(bin)];
    if (below > rank) return centreOf(bin);
  }
  return 0;
}

double PeriodStatistics::median() const {
  return count_ == 0 ? 0.0 : (atRank((count_ - 1) / 2) + atRank(count_ / 2)) / 2;
}

double PeriodStatistics::rateHz() const {
  constexpr double kShortestSpan = 0.1;  // s; what fits into it says nothing about a drive
  return total_ >= kShortestSpan ? static_cast<double>(count_) / total_ : 0.0;
}

double PeriodStatistics::steadyRateHz() const {
  const double period = median();
  return period > 0 ? 1 / period : 0.0;
}

bool PeriodStatistics::isBursty() const {
  return count_ > 0 && 3 * median() < total_ / static_cast<double>(count_);
}

uint64_t PeriodStatistics::gaps() const {
  const double limit = 1.8 * median();
  uint64_t gaps = 0;
  for (int bin = 0; bin < kBins; ++bin)
    if (centreOf(bin) > limit) gaps += bins_[static_cast<size_t>(bin)];
  return gaps;
}

}  // namespace gs_builder

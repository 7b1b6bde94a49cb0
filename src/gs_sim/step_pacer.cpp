// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/step_pacer.hpp"

#include <algorithm>
#include <cmath>
#include <thread>

#include <fmt/format.h>

namespace gs_sim {
namespace {

constexpr double kSmoothing = 0.02;  // of the real-time factor: about half a second at 100 Hz

constexpr std::chrono::milliseconds kMostLag(250);

std::chrono::nanoseconds periodOf(double factor, gs::Duration dt) {
  if (factor <= 0) return std::chrono::nanoseconds(0);
  return std::chrono::nanoseconds(std::llround(static_cast<double>(dt.ns) / factor));
}

double seconds(std::chrono::nanoseconds duration) {
  return static_cast<double>(duration.count()) * 1e-9;
}

}  // namespace

StepPacer::StepPacer(double real_time_factor, gs::Duration dt, double max_step_time)
    : factor_(real_time_factor),
      dt_(dt),
      period_(periodOf(real_time_factor, dt)),
      max_step_time_(max_step_time) {}

void StepPacer::setRealTimeFactor(double factor) {
  if (factor == factor_) return;
  factor_ = factor;
  period_ = periodOf(factor, dt_);
  mean_period_ = 0;
  has_begun_ = has_fallen_behind_ = false;  // what is due is counted anew
  timing_ = {};
}

void StepPacer::beginStep(Clock::time_point now) {
  begin_ = now;
  if (!has_begun_) {
    due_ = begin_;
  } else if (period_.count() > 0) {
    const double took = seconds(begin_ - last_begin_);
    mean_period_ = mean_period_ == 0 ? took : mean_period_ + kSmoothing * (took - mean_period_);
    if (mean_period_ > 0) timing_.real_time_factor = factor_ * seconds(period_) / mean_period_;
  }
  has_begun_ = true;
  last_begin_ = begin_;
}

std::chrono::nanoseconds StepPacer::endStep(Clock::time_point now) {
  const double took = seconds(now - begin_);
  longest_step_ = std::max(longest_step_, took);
  if (took > max_step_time_) ++missed_deadlines_;
  if (period_.count() == 0) return period_;
  timing_.step_duration_ms = took * 1e3;
  due_ += period_;
  // A step with images may take as long as six without: the quick ones make up for it. Whoever is
  // later than that will not catch up; then counting starts anew rather than rush through the rest.
  has_fallen_behind_ = now > due_ + kMostLag;
  if (has_fallen_behind_) due_ = now;
  return std::max(due_ - now, Clock::duration(0));
}

std::vector<StepPacer::Complaint> StepPacer::complaints() const {
  std::vector<Complaint> complaints;
  const double time_ms = 1e3 * seconds(period_);
  if (period_.count() > 0 && timing_.step_duration_ms > time_ms)
    complaints.push_back({"slow step", fmt::format("[StepPacer] a step took {:.3g} ms, longer than "
                                                   "the {:.4g} ms it has",
                                                   timing_.step_duration_ms, time_ms)});
  if (has_fallen_behind_)
    complaints.push_back(
        {"slow run", fmt::format("[StepPacer] the run is too slow and has fallen behind: {:.2f} "
                                 "times real time instead of {:.4g}",
                                 timing_.real_time_factor, factor_)});
  return complaints;
}

std::string StepPacer::complaintAbout(const std::string& component, const std::string& id,
                                      double rate_hz) const {
  if (period_.count() == 0) return "";
  const double period_ms = 1e3 / rate_hz / factor_;
  if (!(timing_.step_duration_ms > period_ms)) return "";
  return fmt::format("[{}] {}: a step with it took {:.3g} ms, longer than its period of {:.4g} ms",
                     component, id, timing_.step_duration_ms, period_ms);
}

void StepPacer::endStepAndSleep() {
  const auto wait = endStep();
  if (wait.count() > 0) std::this_thread::sleep_for(wait);
}

}  // namespace gs_sim

// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/quality_gates.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace gs_builder {
namespace {

using gs::ErrorCode;

// One gate that wants much of something.
struct Gate {
  double needed = 0, usual = 0, good = 0;
  double slack = 0;  // what is this close below a limit is meant to be there
  const char* unit = "";
  const char* option = "";
  const char* key = "";
  const char* cost = "";  // of less than is good
};

// The largest value with one decimal that lets `value` pass.
double optionThatPasses(double value) { return std::floor(10 * value + 1e-9) / 10; }

bool judge(Findings& findings, const std::string& subject, const Gate& gate, double value,
           const std::string& figure, const std::string& advice) {
  if (value < gate.needed - gate.slack) {
    const Cure cure{gate.option, optionThatPasses(value)};
    findings.fatal(
        {.level = LogFinding::Level::Fatal,
         .subject = subject,
         .message =
             fmt::format("{}, at least {:.4g} {} are needed", figure, gate.needed, gate.unit),
         .code = ErrorCode::InsufficientData,
         .details = {{"subject", subject}, {"measured", value}, {"required", gate.needed}},
         .suggestion = fmt::format("{}; or accept it with {} ({}): {}.", advice, cure.text(),
                                   gate.key, gate.cost),
         .cure = cure});
    return false;
  }
  if (value < gate.usual - gate.slack)
    findings.warn(subject, fmt::format("{}, less than the {:.4g} {} that are usually needed (the "
                                       "gate was lowered): {}",
                                       figure, gate.usual, gate.unit, gate.cost));
  else if (value < gate.good - gate.slack)
    findings.warn(subject, fmt::format("{}; {:.4g} {} or more are good: {}", figure, gate.good,
                                       gate.unit, gate.cost));
  return true;
}

}  // namespace

bool judgeRate(Findings& findings, const std::string& sensor, const PeriodStatistics& periods,
               const PipelineConfig::Quality& quality) {
  using Quality = PipelineConfig::Quality;
  const double rate = periods.rateHz();
  const Gate gate{.needed = quality.min_rate_hz,
                  .usual = Quality{}.min_rate_hz,
                  .good = Quality::kGoodRateHz,
                  .slack = 0.1,
                  .unit = "Hz",
                  .option = "--min-rate",
                  .key = "quality.min_rate_hz",
                  .cost =
                      "each place is in fewer frames, so what moves is harder to tell and "
                      "views off the path are softer"};
  const bool is_losing = periods.steadyRateHz() >= quality.min_rate_hz && periods.gaps() > 0;
  return judge(findings, sensor, gate, rate, fmt::format("{:.2f} Hz", rate),
               is_losing ? fmt::format("It sends {:.2f} Hz, but messages were lost: record to a "
                                       "faster disk or with a larger cache",
                                       periods.steadyRateHz())
                         : "Set the sensor's driver to a higher rate for the next recording");
}

bool judgeDuration(Findings& findings, double seconds, const PipelineConfig::Quality& quality) {
  using Quality = PipelineConfig::Quality;
  const Gate gate{
      .needed = quality.min_duration_sec,
      .usual = Quality{}.min_duration_sec,
      .good = Quality::kGoodDurationSec,
      // The last message of a recording of 30 s comes a period before its end.
      .slack = 0.1,
      .unit = "s",
      .option = "--min-duration",
      .key = "quality.min_duration_sec",
      .cost = "the world is no longer than the drive, and each place is seen less often"};
  return judge(findings, "duration", gate, seconds, fmt::format("{:.3f} s recorded", seconds),
               "Record a longer drive");
}

bool judgeSteps(Findings& findings, const std::string& camera, double distance,
                double lidar_rate_hz, const PipelineConfig::Quality& quality) {
  const double half_period = lidar_rate_hz > 0 ? 0.5 / lidar_rate_hz : 0;
  const double usual = PipelineConfig::Quality{}.max_sync_offset_sec;
  // Who asks for less than usual gets it.
  const double limit = quality.max_sync_offset_sec < usual
                           ? quality.max_sync_offset_sec
                           : std::max(quality.max_sync_offset_sec, half_period);
  const std::string figure =
      fmt::format("95 % of its pictures are within {:.1f} ms of a LiDAR scan", 1e3 * distance);
  if (distance > limit) {
    findings.fatal(ErrorCode::InsufficientData, camera,
                   fmt::format("{}, {:.4g} ms are allowed", figure, 1e3 * limit),
                   {{"subject", camera}, {"measured", distance}, {"required", limit}},
                   "Check that both were recorded all the time and by one clock; or accept it with "
                   "quality.max_sync_offset_sec of config.yaml.");
    return false;
  }
  if (distance > usual)
    findings.warn(camera, fmt::format("{}, usually {:.4g} ms: what moves is seen in two places",
                                      figure, 1e3 * usual));
  return true;
}

}  // namespace gs_builder

// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/run_simulation.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include <fmt/format.h>

#include "gs/core/version.hpp"
#include "gs_sim/planar_pose.hpp"
#include "gs_sim/step_pacer.hpp"

namespace gs_sim {
namespace {

constexpr size_t kMaxMessages = 50;
constexpr double kStanding = 1e-3;        // m/s
constexpr double kStandstillAfter = 1.0;  // s

void collect(const std::vector<std::string>& from, std::vector<std::string>& to) {
  for (const std::string& message : from)
    if (to.size() < kMaxMessages && std::find(to.begin(), to.end(), message) == to.end())
      to.push_back(message);
}

// Follows a run and remembers what the report needs.
class RunObserver {
 public:
  RunObserver(RunReport& report, gs::Stamp start) : report_(report), start_(start) {}

  void see(const StepOutput& output) {
    const EgoState& ego = output.ego;
    const double now = gs::toSeconds(output.info.stamp - start_);
    if (report_.steps > 0)
      report_.distance_m += std::hypot(ego.pose.x - before_.pose.x, ego.pose.y - before_.pose.y,
                                       ego.pose.z - before_.pose.z);
    before_ = ego;
    ++report_.steps;
    report_.simulated_sec = now;
    report_.max_speed = std::max(report_.max_speed, std::abs(ego.speed));
    report_.images += static_cast<int64_t>(valuesOf<CameraFrame>(output).size());
    report_.clouds += static_cast<int64_t>(valuesOf<LidarScan>(output).size());
    note(output.is_collision, was_collision_, report_.events.collision, now);
    note(output.is_offroad, was_offroad_, report_.events.offroad, now);
    note(output.is_emergency_stop, was_emergency_, report_.events.emergency_stop, now);
    if (std::abs(ego.speed) > kStanding) moved_at_ = now;
    has_moved_ = has_moved_ || std::abs(ego.speed) > kStanding;
    if (output.status) {
      collect(output.status->warnings, report_.warnings);
      collect(output.status->errors, report_.errors);
    }
    report_.final_state = {ego.pose.x, ego.pose.y, ego.pose.z, planarPoseOf(ego.pose).yaw,
                           ego.speed};
    report_.state_hash = fmt::format("{:016x}", output.state_hash);
  }

  // Standing for a second after having moved: parked, or stopped for good.
  bool isStandstill() const {
    return has_moved_ && report_.simulated_sec - moved_at_ >= kStandstillAfter;
  }

 private:
  static void note(bool is_now, bool& was, EventCount& event, double now) {
    if (is_now && !was) {
      ++event.count;
      if (!event.first_at) event.first_at = now;
    }
    was = is_now;
  }

  RunReport& report_;
  const gs::Stamp start_;
  EgoState before_;
  double moved_at_ = 0;
  bool has_moved_ = false;
  bool was_collision_ = false, was_offroad_ = false, was_emergency_ = false;
};

void reportSlowness(Simulator& simulator, const StepPacer& pacer, const StepOutput& output) {
  for (auto& [kind, text] : pacer.complaints()) simulator.reportWarning(kind, std::move(text));
  for (const SensorReading& reading : output.readings) {
    const SensorDescription& sensor = simulator.sensors()[reading.sensor];
    std::string text = pacer.complaintAbout(sensor.component, sensor.id, sensor.rate_hz);
    if (!text.empty())
      simulator.reportWarning("slow " + sensor.kind + "/" + sensor.id, std::move(text));
  }
}

std::optional<RunEvent> stoppedBy(const std::vector<RunEvent>& stop_when, const StepOutput& output,
                                  const DrivingSeat& seat, const RunObserver& observer) {
  for (const RunEvent event : stop_when) {
    const bool happened = (event == RunEvent::Collision && output.is_collision) ||
                          (event == RunEvent::Offroad && output.is_offroad) ||
                          (event == RunEvent::Arrived && seat.hasArrived()) ||
                          (event == RunEvent::Standstill && observer.isStandstill());
    if (happened) return event;
  }
  return std::nullopt;
}

bool hasFailed(const RunReport& report, RunEvent event) {
  switch (event) {
    case RunEvent::Collision: return report.events.collision.count > 0;
    case RunEvent::Offroad: return report.events.offroad.count > 0;
    case RunEvent::MissedDeadline: return report.events.missed_deadline.count > 0;
    case RunEvent::NotArrived: return !report.arrived;
    case RunEvent::Standstill: return report.ended_by == gs::wordOf(RunEvent::Standstill);
    case RunEvent::Arrived: break;
  }
  return false;
}

std::string failureText(const RunReport& report, RunEvent event) {
  const auto at = [](const EventCount& count) {
    return fmt::format("{} times, first at {:.2f} s", count.count, count.first_at.value_or(0));
  };
  switch (event) {
    case RunEvent::Collision: return "collision " + at(report.events.collision);
    case RunEvent::Offroad: return "off the drivable area " + at(report.events.offroad);
    case RunEvent::MissedDeadline:
      return fmt::format("{} steps took too long, the longest {:.0f} ms",
                         report.events.missed_deadline.count, report.timing.longest_step_ms);
    case RunEvent::NotArrived:
      return fmt::format("the end of the path was not reached in {:.2f} s", report.simulated_sec);
    case RunEvent::Standstill: return "the vehicle stood still";
    case RunEvent::Arrived: break;
  }
  return {};
}

std::string escaped(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    if (c == '&') safe += "&amp;";
    else if (c == '<') safe += "&lt;";
    else if (c == '>') safe += "&gt;";
    else if (c == '"') safe += "&quot;";
    else if (static_cast<unsigned char>(c) >= 0x20) safe += c;
    else safe += ' ';
  }
  return safe;
}

}  // namespace

RunReport runSimulation(Simulator& simulator, Driver& driver, const RunOptions& options,
                        const RunHooks& hooks) {
  DrivingSeat seat(&driver);
  return runSimulation(simulator, seat, options, hooks);
}

RunReport runSimulation(Simulator& simulator, DrivingSeat& seat, const RunOptions& options,
                        const RunHooks& hooks) {
  RunReport report;
  report.simulator_version = gs::buildVersion();
  report.world = simulator.world().bundle.index.scene_id;
  const LoopParameters& loop = simulator.parameters().simulation;
  StepPacer pacer(loop.real_time_factor, simulator.dt(), loop.max_step_time);
  const auto wall_start = std::chrono::steady_clock::now();
  const auto duration = options.duration ? options.duration : seat.duration();

  gs::Stamp due = simulator.current().info.stamp;  // of the step to come
  const gs::Stamp start = due;
  RunObserver observer(report, start);
  while (report.ended_by.empty()) {
    if (hooks.isInterrupted && hooks.isInterrupted()) report.ended_by = "interrupt";
    else if (simulator.isPaused() && hooks.waitWhilePaused && !hooks.waitWhilePaused(simulator))
      report.ended_by = "interrupt";
    if (!report.ended_by.empty()) break;

    Heard heard;  // waiting for somebody is no part of a step
    if (hooks.awaitCommand) heard = hooks.awaitCommand(simulator.current().info);
    if (heard.was_interrupted) continue;
    const StepOutput now = simulator.current();
    // Somebody may have set the time since the step before.
    if (now.info.stamp != due && now.info.stamp + now.info.dt != due) due = now.info.stamp;
    const auto command = seat.commandAt(due, now.ego, heard.command);
    if (hooks.realTimeFactor) pacer.setRealTimeFactor(hooks.realTimeFactor());
    pacer.beginStep();
    const auto shared = std::make_shared<const StepOutput>(simulator.step(command));
    const StepOutput& output = *shared;
    if (hooks.onStep) hooks.onStep(output);
    if (hooks.onSharedStep) hooks.onSharedStep(shared);
    observer.see(output);
    due = output.info.stamp + output.info.dt;
    if (const auto event = stoppedBy(options.stop_when, output, seat, observer))
      report.ended_by = gs::wordOf(*event);
    else if (duration && output.info.stamp - start >= *duration) report.ended_by = "duration";
    pacer.endStepAndSleep();
    simulator.reportTiming(pacer.timing());
    reportSlowness(simulator, pacer, output);
  }

  report.arrived = seat.hasArrived();
  report.events.missed_deadline.count = pacer.missedDeadlines();
  report.timing.wall_time_sec =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - wall_start).count();
  report.timing.longest_step_ms = pacer.longestStep() * 1e3;
  if (report.timing.wall_time_sec > 0)
    report.timing.real_time_factor = report.simulated_sec / report.timing.wall_time_sec;
  for (const RunEvent event : options.fail_when)
    if (hasFailed(report, event)) report.failures.emplace_back(gs::wordOf(event));
  report.success = report.failures.empty();
  return report;
}

std::string toJunit(const RunReport& report, const std::vector<RunEvent>& fail_when) {
  std::string cases;
  for (const RunEvent event : fail_when) {
    const std::string word(gs::wordOf(event));
    cases += fmt::format("  <testcase classname=\"{}\" name=\"no {}\" time=\"{:.3f}\"",
                         escaped(report.world), word, report.simulated_sec);
    if (hasFailed(report, event))
      cases += fmt::format(">\n    <failure message=\"{}\"/>\n  </testcase>\n",
                           escaped(failureText(report, event)));
    else cases += "/>\n";
  }
  cases += fmt::format("  <testcase classname=\"{}\" name=\"run ended by {}\" time=\"{:.3f}\"/>\n",
                       escaped(report.world), escaped(report.ended_by), report.simulated_sec);
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuite name=\"gs-simulator\" tests=\"{}\" failures=\"{}\" errors=\"0\" "
      "time=\"{:.3f}\">\n{}</testsuite>\n",
      fail_when.size() + 1, report.failures.size(), report.simulated_sec, cases);
}

}  // namespace gs_sim

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gs_sim/drive_script.hpp"
#include "gs_sim/driver.hpp"
#include "gs_sim/driving_seat.hpp"
#include "gs_sim/simulator.hpp"

namespace gs_sim {

struct RunOptions {
  std::optional<gs::Duration> duration;  // of simulated time; absent: until something ends it
  std::vector<RunEvent> stop_when;
  std::vector<RunEvent> fail_when;
};

// When something first happened, and how often it began.
struct EventCount {
  int64_t count = 0;
  std::optional<double> first_at;  // s after the start

  static void fields(auto& self, auto&& visit) {
    visit("count", self.count);
    visit("first_at", self.first_at);
  }
};

// What a run was, for people, CI and the next tool; the JSON of --report.
struct RunReport {
  struct Events {
    EventCount collision, offroad, emergency_stop, missed_deadline;

    static void fields(auto& self, auto&& visit) {
      visit("collision", self.collision);
      visit("offroad", self.offroad);
      visit("emergency_stop", self.emergency_stop);
      visit("missed_deadline", self.missed_deadline);
    }
  };
  struct Final {
    double x = 0, y = 0, z = 0, yaw = 0, speed = 0;

    static void fields(auto& self, auto&& visit) {
      visit("x", self.x);
      visit("y", self.y);
      visit("z", self.z);
      visit("yaw", self.yaw);
      visit("speed", self.speed);
    }
  };
  // Of the wall clock: differs from run to run, and is all that does.
  struct Timing {
    double wall_time_sec = 0;
    double real_time_factor = 0;
    double longest_step_ms = 0;

    static void fields(auto& self, auto&& visit) {
      visit("wall_time_sec", self.wall_time_sec);
      visit("real_time_factor", self.real_time_factor);
      visit("longest_step_ms", self.longest_step_ms);
    }
  };

  std::string version = "1.0.0";
  std::string simulator_version;
  std::string world;
  std::string ended_by;  // "duration", "interrupt" or the word of an event
  bool success = true;
  std::vector<std::string> failures;  // words of the events that failed it
  int64_t steps = 0;
  double simulated_sec = 0;
  double distance_m = 0;
  double max_speed = 0;
  bool arrived = false;
  int64_t images = 0, clouds = 0;
  Events events;
  Final final_state;
  std::string state_hash;                     // of the last step, hexadecimal
  std::vector<std::string> warnings, errors;  // the first of each kind
  Timing timing;

  static void fields(auto& self, auto&& visit) {
    visit("version", self.version);
    visit("simulator_version", self.simulator_version);
    visit("world", self.world);
    visit("ended_by", self.ended_by);
    visit("success", self.success);
    visit("failures", self.failures);
    visit("steps", self.steps);
    visit("simulated_sec", self.simulated_sec);
    visit("distance_m", self.distance_m);
    visit("max_speed", self.max_speed);
    visit("arrived", self.arrived);
    visit("images", self.images);
    visit("clouds", self.clouds);
    visit("events", self.events);
    visit("final_state", self.final_state);
    visit("state_hash", self.state_hash);
    visit("warnings", self.warnings);
    visit("errors", self.errors);
    visit("timing", self.timing);
  }
};

struct RunHooks {
  std::function<void(const StepOutput&)> onStep;  // everything published, in order
  // The same, for those who are not done with a step when the next one begins.
  std::function<void(std::shared_ptr<const StepOutput>)> onSharedStep;
  // Asked before each step while paused; false ends the run. Absent: the run goes on.
  std::function<bool(Simulator&)> waitWhilePaused;
  std::function<bool()> isInterrupted;     // asked before each step
  std::function<double()> realTimeFactor;  // absent: that of the parameters
  // Asked before each step, and may wait: what those outside want. Absent: there are none.
  std::function<Heard(const StepInfo& last)> awaitCommand;
};

// Steps until the duration is over or something ends it. Real time or not is in the parameters.
RunReport runSimulation(Simulator& simulator, DrivingSeat& seat, const RunOptions& options,
                        const RunHooks& hooks);
// With one driver alone.
RunReport runSimulation(Simulator& simulator, Driver& driver, const RunOptions& options,
                        const RunHooks& hooks);

// <testsuite> with one case per event that may fail the run.
std::string toJunit(const RunReport& report, const std::vector<RunEvent>& fail_when);

}  // namespace gs_sim

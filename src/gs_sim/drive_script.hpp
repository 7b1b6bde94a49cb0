// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "gs/core/document.hpp"
#include "gs/core/fields.hpp"

namespace gs_sim {

// Something that may happen in a run: to end it, or to fail it.
enum class RunEvent { Collision, Offroad, MissedDeadline, Arrived, NotArrived, Standstill };
constexpr auto enumWords(std::type_identity<RunEvent>) {
  return std::to_array<gs::EnumWord<RunEvent>>({{RunEvent::Collision, "collision"},
                                                {RunEvent::Offroad, "offroad"},
                                                {RunEvent::MissedDeadline, "missed_deadline"},
                                                {RunEvent::Arrived, "arrived"},
                                                {RunEvent::NotArrived, "not_arrived"},
                                                {RunEvent::Standstill, "standstill"}});
}

// drive.yaml: who drives, how long, and what counts as success.
struct DriveScript {
  // In force from `at` until the next one; what it does not name stays as before.
  struct Command {
    double at = 0;
    std::optional<double> speed, acceleration, steering_angle, steering_angle_velocity;
    bool silent = false;

    static void fields(auto& self, auto&& visit) {
      visit("at", self.at, {.is_required = true, .comment = "s after the start"});
      visit("speed", self.speed, {.comment = "m/s; negative: backwards"});
      visit("acceleration", self.acceleration,
            {.comment = "m/s^2; beside speed the most on the way there, alone held"});
      visit("steering_angle", self.steering_angle, {.comment = "rad, left positive"});
      visit("steering_angle_velocity", self.steering_angle_velocity, {.comment = "rad/s at most"});
      visit("silent", self.silent, {.comment = "send nothing from here on"});
    }
  };

  // A path by its points, or by a file (poses.csv, a recorded drive); "recorded" is the way the
  // vehicle took when the world was recorded.
  struct Follow {
    std::vector<std::array<double, 2>> path;
    std::optional<std::string> file;
    bool recorded = false;
    std::optional<double> speed;
    double lookahead_time = 0.8;
    double min_lookahead = 3.0;
    double max_lateral_acceleration = 2.0;

    static void fields(auto& self, auto&& visit) {
      visit("path", self.path, {.comment = "[[x, y], ...] in the map frame"});
      visit("file", self.file, {.comment = "poses.csv, or a recorded drive"});
      visit("recorded", self.recorded, {.comment = "the trajectory of the world itself"});
      visit("speed", self.speed, {.comment = "m/s; absent: as recorded, else 5"});
      visit("lookahead_time", self.lookahead_time, {.comment = "s"});
      visit("min_lookahead", self.min_lookahead, {.comment = "m"});
      visit("max_lateral_acceleration", self.max_lateral_acceleration,
            {.comment = "m/s^2; slower in curves"});
    }
  };

  std::string version = "1.0.0";
  std::vector<Command> commands;
  std::optional<Follow> follow;
  std::optional<double> duration;
  std::vector<RunEvent> stop_when{RunEvent::Arrived};
  std::vector<RunEvent> fail_when;

  static void fields(auto& self, auto&& visit) {
    visit("version", self.version);
    visit("commands", self.commands);
    visit("follow", self.follow);
    visit("duration", self.duration, {.comment = "s of simulated time"});
    visit("stop_when", self.stop_when, {.comment = "ends the run early"});
    visit("fail_when", self.fail_when, {.comment = "makes the run a failure"});
  }
};

std::vector<gs::Problem> problemsIn(const DriveScript& script);
void resolvePaths(DriveScript& script, const std::filesystem::path& folder);

}  // namespace gs_sim

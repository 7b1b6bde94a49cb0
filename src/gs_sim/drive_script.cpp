// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/drive_script.hpp"

#include <cmath>

#include "gs/core/value_checks.hpp"

namespace gs_sim {
namespace {

void checkCommands(gs::ValueChecks& checks, const std::vector<DriveScript::Command>& commands) {
  double before = 0;
  for (size_t i = 0; i < commands.size(); ++i) {
    const DriveScript::Command& command = commands[i];
    const std::string path = "commands[" + std::to_string(i) + "]";
    checks.isNotNegative(path + ".at", command.at);
    checks.require(!(command.at < before), path + ".at",
                   gs::shortNumber(command.at) + " is before the command above it (" +
                       gs::shortNumber(before) + ")");
    before = command.at;
    if (command.speed) checks.isFinite(path + ".speed", *command.speed);
    if (command.acceleration) checks.isFinite(path + ".acceleration", *command.acceleration);
    if (command.steering_angle) checks.isFinite(path + ".steering_angle", *command.steering_angle);
    if (command.steering_angle_velocity)
      checks.isNotNegative(path + ".steering_angle_velocity", *command.steering_angle_velocity);
  }
}

void checkFollow(gs::ValueChecks& checks, const DriveScript::Follow& follow) {
  const int ways = !follow.path.empty() + follow.file.has_value() + follow.recorded;
  checks.require(ways == 1, "follow", "needs exactly one of path, file and recorded: true");
  checks.require(follow.path.size() != 1, "follow.path", "one point is not a way");
  for (size_t i = 0; i < follow.path.size(); ++i)
    checks.require(std::isfinite(follow.path[i][0] + follow.path[i][1]),
                   "follow.path[" + std::to_string(i) + "]", "is not a point");
  if (follow.speed) checks.isBetween("follow.speed", *follow.speed, 0.1, 150);
  checks.isBetween("follow.lookahead_time", follow.lookahead_time, 0, 10);
  checks.isBetween("follow.min_lookahead", follow.min_lookahead, 0.1, 100);
  checks.isBetween("follow.max_lateral_acceleration", follow.max_lateral_acceleration, 0.1, 100);
}

}  // namespace

std::vector<gs::Problem> problemsIn(const DriveScript& script) {
  gs::ValueChecks checks;
  checks.isCompatibleVersion("version", script.version);
  checks.require(script.commands.empty() || !script.follow, "follow",
                 "a script has either commands or follow");
  checkCommands(checks, script.commands);
  if (script.follow) checkFollow(checks, *script.follow);
  if (script.duration) checks.isBetween("duration", *script.duration, 0, 1e6);
  for (const RunEvent event : script.stop_when)
    checks.require(event != RunEvent::NotArrived && event != RunEvent::MissedDeadline, "stop_when",
                   "not_arrived and missed_deadline can fail a run, not stop it");
  for (const RunEvent event : script.fail_when)
    checks.require(event != RunEvent::Arrived, "fail_when", "to arrive is not a failure");
  return checks.take();
}

void resolvePaths(DriveScript& script, const std::filesystem::path& folder) {
  if (script.follow && script.follow->file)
    script.follow->file = (folder / *script.follow->file).lexically_normal().string();
}

}  // namespace gs_sim

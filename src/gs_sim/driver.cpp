// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/driver.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "gs/core/error.hpp"
#include "gs/formats/mcap_reader.hpp"
#include "gs_sim/control_messages.hpp"
#include "gs_sim/planar_pose.hpp"

namespace gs_sim {
namespace {

class Nobody final : public Driver {
 public:
  std::optional<ControlInput> commandAt(gs::Stamp, const EgoState&) override {
    return std::nullopt;
  }
};

class TimedDriver final : public Driver {
 public:
  TimedDriver(std::vector<DriveScript::Command> commands, gs::Stamp start)
      : commands_(std::move(commands)), start_(start) {}

  std::optional<ControlInput> commandAt(gs::Stamp stamp, const EgoState&) override {
    if (stamp < last_) {  // time was set back: so is the script
      next_ = 0;
      now_ = {};
    }
    last_ = stamp;
    for (; next_ < commands_.size() && isDue(commands_[next_], stamp); ++next_)
      apply(commands_[next_]);
    if (next_ == 0 || is_silent_) return std::nullopt;
    now_.stamp = stamp;
    return now_;
  }

 private:
  bool isDue(const DriveScript::Command& command, gs::Stamp stamp) const {
    const auto after = gs::findDuration(command.at);
    return after && stamp - start_ >= *after;
  }

  void apply(const DriveScript::Command& command) {
    is_silent_ = command.silent;
    if (command.steering_angle) now_.steering_angle = *command.steering_angle;
    if (command.steering_angle_velocity)
      now_.steering_angle_velocity = *command.steering_angle_velocity;
    if (command.speed) {
      now_.mode = ControlInput::Mode::Speed;
      now_.speed = *command.speed;
      now_.acceleration = command.acceleration.value_or(0);
    } else if (command.acceleration) {
      now_.mode = ControlInput::Mode::Acceleration;
      now_.acceleration = *command.acceleration;
    }
  }

  const std::vector<DriveScript::Command> commands_;
  const gs::Stamp start_;
  size_t next_ = 0;
  gs::Stamp last_ = start_;
  ControlInput now_;
  bool is_silent_ = false;
};

class PathFollower final : public Driver {
 public:
  PathFollower(DrivePath path, const DriveScript::Follow& options, const VehicleParameters& vehicle)
      : path_(std::move(path)), options_(options), vehicle_(vehicle) {}

  std::optional<ControlInput> commandAt(gs::Stamp stamp, const EgoState& ego) override {
    const PlanarPose pose = planarPoseOf(ego.pose);
    const gs::Vec2 here(pose.x, pose.y);
    // The start may be anywhere along the path; from then on it goes forward.
    along_ = along_ ? distanceAlong(path_, here, *along_, kSearchWindow)
                    : distanceAlong(path_, here, 0, path_.length());
    const double remaining = path_.length() - *along_;
    if (remaining < kArrived) has_arrived_ = true;

    const double lookahead =
        std::max(options_.min_lookahead, options_.lookahead_time * std::abs(ego.speed));
    const gs::Vec2 to = target(*along_ + lookahead) - here;
    const double ahead = std::cos(pose.yaw) * to.x() + std::sin(pose.yaw) * to.y();
    const double left = -std::sin(pose.yaw) * to.x() + std::cos(pose.yaw) * to.y();
    // The arc through the rear axle, tangent to the heading, that meets the target.
    const double distance = std::hypot(ahead, left);
    const double curvature = distance > 1e-3 ? 2 * left / (distance * distance) : 0;
    ControlInput command;
    command.stamp = stamp;
    command.steering_angle = std::clamp(std::atan(vehicle_.wheelbase * curvature),
                                        -vehicle_.max_steering_angle, vehicle_.max_steering_angle);
    command.speed = has_arrived_ ? 0 : speedFor(curvature, remaining, std::abs(ego.speed));
    return command;
  }

  bool hasArrived() const override { return has_arrived_; }

  void restart() override {
    along_.reset();
    has_arrived_ = false;
  }

 private:
  static constexpr double kSearchWindow = 20;  // m
  static constexpr double kArrived = 0.3;      // m
  static constexpr double kReaction = 0.5;     // s, until the vehicle does what it is told
  static constexpr double kUsualSpeed = 5;     // m/s
  static constexpr double kCreep = 0.3;        // m/s, so that the end is reached

  // Straight on beyond the end, so that the last metres are driven straight.
  gs::Vec2 target(double distance) const {
    const double beyond = distance - path_.length();
    if (beyond <= 0) return pointAt(path_, distance);
    const size_t last = path_.points.size() - 1;
    return path_.points[last] + beyond * (path_.points[last] - path_.points[last - 1]).normalized();
  }

  double speedFor(double curvature, double remaining, double driven) const {
    double speed = options_.speed.value_or(speedAt(path_, *along_).value_or(kUsualSpeed));
    if (curvature != 0)
      speed = std::min(speed, std::sqrt(options_.max_lateral_acceleration / std::abs(curvature)));
    speed = std::min({speed, allowedSpeedAt(path_, *along_),
                      allowedSpeedAt(path_, *along_ + kReaction * driven)});
    speed =
        std::min(speed, std::sqrt(2 * kGentleBraking * std::max(remaining - kArrived / 2, 0.0)));
    return std::clamp(speed, kCreep, vehicle_.max_speed);
  }

  const DrivePath path_;
  const DriveScript::Follow options_;
  const VehicleParameters vehicle_;
  std::optional<double> along_;
  bool has_arrived_ = false;
};

class ReplayDriver final : public Driver {
 public:
  ReplayDriver(std::vector<std::pair<gs::Stamp, ControlInput>> commands, gs::Duration duration)
      : commands_(std::move(commands)), duration_(duration) {}

  std::optional<ControlInput> commandAt(gs::Stamp stamp, const EgoState&) override {
    std::optional<ControlInput> latest;
    if (stamp < last_) next_ = 0;  // time was set back
    last_ = stamp;
    for (; next_ < commands_.size() && commands_[next_].first <= stamp; ++next_)
      latest = commands_[next_].second;
    return latest;
  }
  std::optional<gs::Duration> duration() const override { return duration_; }

 private:
  const std::vector<std::pair<gs::Stamp, ControlInput>> commands_;
  const gs::Duration duration_;
  size_t next_ = 0;
  gs::Stamp last_;
};

// In our own recordings several may have driven in turn; of other logs one topic is taken.
std::vector<std::string> topicsToDriveBy(const gs::LogSummary& log) {
  const auto isOurs = [](const gs::LogTopic& topic) {
    return topic.name == kOwnCommandTopic || topic.name == kTakeOverTopic;
  };
  const bool is_our_recording = std::any_of(log.topics.begin(), log.topics.end(), isOurs);
  std::vector<std::string> names;
  for (const gs::LogTopic& topic : log.topics) {
    if (!isControlType(topic.type)) continue;
    if (is_our_recording || names.empty()) names.push_back(topic.name);
    else if (topic.name == kCommandTopic) names = {topic.name};
  }
  return names;
}

}  // namespace

std::unique_ptr<Driver> createNobody() { return std::make_unique<Nobody>(); }

std::unique_ptr<Driver> createTimedDriver(std::vector<DriveScript::Command> commands,
                                          gs::Stamp start) {
  return std::make_unique<TimedDriver>(std::move(commands), start);
}

std::unique_ptr<Driver> createPathFollower(DrivePath path, const DriveScript::Follow& options,
                                           const VehicleParameters& vehicle) {
  return std::make_unique<PathFollower>(std::move(path), options, vehicle);
}

std::unique_ptr<Driver> createReplayDriver(const std::filesystem::path& file,
                                           const VehicleParameters& vehicle, gs::Stamp start) {
  const gs::LogReader log(file);
  std::vector<std::pair<gs::Stamp, ControlInput>> commands;
  // Where the log begins, the simulation begins.
  const gs::Duration shift = start - log.summary().start;
  if (const auto topics = topicsToDriveBy(log.summary()); !topics.empty())
    log.read({.topics = topics}, [&](const gs::LogMessage& message) {
      auto command = findControlInput(message.topic.type, message.data, vehicle, nullptr);
      if (!command) return;
      if (command->stamp.ns != 0) command->stamp = command->stamp + shift;
      commands.emplace_back(message.log_time + shift, *command);
    });
  if (commands.empty())
    throw gs::Error({.code = gs::ErrorCode::TopicNotFound,
                     .component = "replay_control",
                     .message = "'" + file.string() + "' has no control commands",
                     .details = {{"file", file.string()}},
                     .suggestion = "Record /vehicle/control_cmd (AckermannDriveStamped, "
                                   "TwistStamped or VehicleControlCmd) and give that log."});
  return std::make_unique<ReplayDriver>(std::move(commands),
                                        log.summary().end - log.summary().start);
}

}  // namespace gs_sim

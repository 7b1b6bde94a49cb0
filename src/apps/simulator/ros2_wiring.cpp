// SPDX-License-Identifier: Apache-2.0
#include "apps/simulator/ros2_wiring.hpp"

#include "gs/core/error.hpp"
#include "gs/core/log.hpp"
#include "gs_ros2/environment.hpp"

namespace apps {
namespace {

using Clock = std::chrono::steady_clock;

// How long a paused loop may overlook Ctrl-C.
constexpr std::chrono::milliseconds kPausedNap(100);

// A YAML value as one line of text, the way --set takes it.
std::string toYamlText(const gs::Node& value) {
  using Kind = gs::Node::Kind;
  std::string text;
  switch (value.kind) {
    case Kind::Null: return "null";
    case Kind::Bool:
    case Kind::Number: return value.scalar;
    case Kind::String:
      for (const char c : value.scalar) {
        if (c == '"' || c == '\\') text += '\\';
        text += c;
      }
      return '"' + text + '"';
    case Kind::Sequence:
      for (const gs::Node& item : value.items)
        text += (text.empty() ? "" : ", ") + toYamlText(item);
      return '[' + text + ']';
    case Kind::Map: break;
  }
  for (const auto& [key, item] : value.entries)
    text += (text.empty() ? "" : ", ") + key + ": " + toYamlText(item);
  return '{' + text + '}';
}

// Parameters that every rclcpp node has and that mean nothing here.
bool isOfRclcpp(const std::string& name) {
  return name.starts_with("qos_overrides.") || name == "start_type_description_service";
}

}  // namespace

Ros2Options ros2OptionsFrom(const std::vector<std::string>& ros_arguments) {
  const gs_ros2::RosArgs args = gs_ros2::parseRosArgs(ros_arguments);
  for (const std::string& warning : args.warnings) gs::logger("ros2").warn(warning);
  Ros2Options options;
  options.log_level = args.log_level;
  options.bridge.wire = gs_ros2::wireSettingsFrom();
  options.bridge.remaps = args.remaps;
  options.bridge.log_to_rosout = args.log_to_rosout;
  const gs_ros2::NodeName node =
      gs_ros2::resolveNodeName(options.bridge.node, options.bridge.remaps);
  auto overrides = gs_ros2::overridesFor(args, node);
  gs_ros2::takeBridgeParameters(overrides, options.bridge);
  for (const auto& [name, value] : overrides)
    if (!isOfRclcpp(name)) options.assignments.push_back(name + "=" + toYamlText(value));
  return options;
}

Ros2Run::Ros2Run(const gs_ros2::BridgeSettings& settings, gs_sim::Simulator& simulator,
                 MakeSimulator make)
    : simulator_(simulator),
      make_(std::move(make)),
      real_time_factor_(simulator.parameters().simulation.real_time_factor),
      bridge_(std::make_unique<gs_ros2::Ros2Bridge>(
          settings, simulator.parameters(), static_cast<gs_ros2::SimulationHost&>(*this))) {}

Ros2Run::~Ros2Run() = default;

std::optional<gs_sim::ControlInput> Ros2Run::commandAt(gs::Stamp, const gs_sim::EgoState&) {
  return bridge_->nextControl(simulator_.current().info);
}

void Ros2Run::publish(const std::shared_ptr<const gs_sim::StepOutput>& step) {
  bridge_->publish(step);
  if (steps_.empty() || --steps_.front().left > 0) return;
  const auto done = std::move(steps_.front().done);
  steps_.erase(steps_.begin());
  done({true, "stepped"});
}

bool Ros2Run::waitWhilePaused(const std::function<bool()>& isInterrupted) {
  while (simulator_.isPaused() && steps_.empty()) {
    if (has_quit_ || isInterrupted()) return false;
    bridge_->handleRequestsUntil(Clock::now() + kPausedNap);
  }
  return true;
}

bool Ros2Run::handleRequests() {
  bridge_->handleRequests();
  return has_quit_;
}

gs_ros2::WorldDescription Ros2Run::describe() const {
  // Not owned: the bridge asks again whenever the world has changed.
  return {.world = {std::shared_ptr<void>(), &simulator_.world()},
          .frames = simulator_.frames(),
          .cameras = simulator_.cameraIds(),
          .lidars = simulator_.lidarIds(),
          .cloud_layout = gs_sim::cloudLayoutOf(simulator_.parameters().sensors.lidar)};
}

void Ros2Run::step(uint64_t count, std::function<void(gs_sim::RequestResult)> done) {
  steps_.push_back({count, std::move(done)});
}

gs_sim::RequestResult Ros2Run::reset(const std::optional<gs_sim::EgoPose>& initial_pose,
                                     bool reset_time) {
  return simulator_.reset(initial_pose, reset_time);
}

gs_sim::RequestResult Ros2Run::setEgoPose(const gs_sim::EgoPose& pose,
                                          const gs_sim::EgoTwist& twist) {
  return simulator_.setEgoPose(pose, twist);
}

gs_sim::RequestResult Ros2Run::loadWorld(const std::string& bundle_path) {
  if (!make_) return {false, "no other world can be loaded while this one is recorded"};
  const bool was_paused = simulator_.isPaused();
  try {
    simulator_ = make_(bundle_path);
  } catch (const gs::Error& error) {  // a person asked over the wire; the answer goes back there
    return {false, error.what()};
  }
  simulator_.setPaused(was_paused);
  return {true, "loaded " + bundle_path};
}

}  // namespace apps

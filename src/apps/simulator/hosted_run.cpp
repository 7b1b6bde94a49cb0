// SPDX-License-Identifier: Apache-2.0
#include "apps/simulator/hosted_run.hpp"

#include <chrono>
#include <cmath>

#include "gs/core/error.hpp"
#include "gs/core/log.hpp"

namespace apps {
namespace {

using Clock = std::chrono::steady_clock;

// How long a paused loop may overlook Ctrl-C.
constexpr std::chrono::milliseconds kPausedNap(100);
constexpr double kStanding = 0.01;  // m/s

// What people did, for whoever reads the log.
gs_sim::RequestResult logged(const char* what, gs_sim::RequestResult result) {
  const std::string line = std::string(what) + ": " + result.message;
  if (result.success) gs::logger("simulator").info(line);
  else gs::logger("simulator").warn(line);
  return result;
}

}  // namespace

HostedRun::HostedRun(LoadedSimulation& simulation, const Options& options)
    : simulation_(simulation),
      options_(options),
      seat_(options.script),
      real_time_factor_(simulator().parameters().simulation.real_time_factor) {
  gs_sim::declareParameters(*this, simulator().effectiveParameters());
}

HostedRun::~HostedRun() = default;

void HostedRun::openRos2(gs_ros2::BridgeSettings settings) {
  settings.is_interrupted = [this, asked = std::move(settings.is_interrupted)] {
    return has_quit_ || (asked && asked());
  };
  ros2_ = std::make_unique<gs_ros2::Ros2Bridge>(settings, simulator().parameters(),
                                                static_cast<gs_sim::SimulationHost&>(*this));
}

void HostedRun::openWeb(const gs_web::WebSettings& settings) {
  web_ = std::make_unique<gs_web::WebBridge>(settings, simulator().parameters(),
                                             static_cast<gs_sim::SimulationHost&>(*this));
}

std::optional<gs_sim::DrivingSeat::WireCommand> HostedRun::wireCommand(
    const gs_sim::StepInfo& last) {
  std::optional<gs_sim::DrivingSeat::WireCommand> command;
  // Nodes that publish all the time would never leave the wheel to the script.
  if (ros2_ && options_.script == nullptr)
    if (const auto from_ros2 = ros2_->nextControl(last))
      command = {gs_sim::WhoDrives::Ros2, *from_ros2};
  if (web_)
    if (const auto from_browser = web_->nextControl(last))
      command = {gs_sim::WhoDrives::Browser, *from_browser};
  return command;
}

// At the end of the path the ego stands; then it is put where the world begins.
void HostedRun::beginAgainAtTheEnd() {
  if (!options_.begins_again || options_.script == nullptr || !options_.script->hasArrived() ||
      std::abs(simulator().current().ego.speed) > kStanding)
    return;
  reset(std::nullopt, false);
  announceJump();
}

std::optional<gs_sim::ControlInput> HostedRun::commandAt(gs::Stamp stamp, const gs_sim::EgoState&) {
  const auto wire = wireCommand(simulator().current().info);
  if (wasInterrupted()) return std::nullopt;
  beginAgainAtTheEnd();
  // Somebody may have moved ego or time since the step before.
  const gs_sim::StepOutput now = simulator().current();
  const bool is_next = now.info.stamp == stamp || now.info.stamp + now.info.dt == stamp;
  const auto command = seat_.commandAt(is_next ? stamp : now.info.stamp, now.ego, wire);
  if (told_driver_ != seat_.whoDrives())
    for (gs_sim::SimulationWire* each : wires()) each->tellDriver(seat_.whoDrives());
  told_driver_ = seat_.whoDrives();
  return command;
}

bool HostedRun::hasArrived() const {
  return options_.script != nullptr && !options_.begins_again && options_.script->hasArrived();
}

std::optional<gs::Duration> HostedRun::duration() const {
  return options_.script != nullptr ? options_.script->duration() : std::nullopt;
}

void HostedRun::publish(const std::shared_ptr<const gs_sim::StepOutput>& step) {
  for (gs_sim::SimulationWire* wire : wires()) wire->publish(step);
  if (steps_.empty() || --steps_.front().left > 0) return;
  const auto done = std::move(steps_.front().done);
  steps_.erase(steps_.begin());
  done({true, "stepped"});
}

bool HostedRun::waitWhilePaused(const std::function<bool()>& isInterrupted) {
  while (simulator().isPaused() && steps_.empty()) {
    if (has_quit_ || isInterrupted()) return false;
    work().waitUntil(Clock::now() + kPausedNap);
    work().runWaiting();
  }
  return true;
}

bool HostedRun::handleRequests() {
  work().runWaiting();
  return has_quit_;
}

gs_sim::WorldDescription HostedRun::describe() const {
  return {.world = simulation_.world,
          .frames = simulator().frames(),
          .cameras = simulator().cameraIds(),
          .lidars = simulator().lidarIds(),
          .cloud_layout = gs_sim::cloudLayoutOf(simulator().parameters().sensors.lidar)};
}

void HostedRun::step(uint64_t count, std::function<void(gs_sim::RequestResult)> done) {
  steps_.push_back({count, std::move(done)});
}

void HostedRun::setPaused(bool is_paused) {
  if (is_paused != simulator().isPaused())
    gs::logger("simulator").info(is_paused ? "paused" : "running");
  simulator().setPaused(is_paused);
}

gs_sim::RequestResult HostedRun::reset(const std::optional<gs_sim::EgoPose>& initial_pose,
                                       bool reset_time) {
  seat_.restart();
  return logged("reset", simulator().reset(initial_pose, reset_time));
}

gs_sim::RequestResult HostedRun::setEgoPose(const gs_sim::EgoPose& pose,
                                            const gs_sim::EgoTwist& twist) {
  seat_.restart();
  return logged("set ego pose", simulator().setEgoPose(pose, twist));
}

gs_sim::RequestResult HostedRun::loadWorld(const std::string& bundle_path) {
  if (!options_.load) return {false, "no other world can be loaded while this one is recorded"};
  const bool was_paused = simulator().isPaused();
  try {
    simulation_ = options_.load(bundle_path);
  } catch (const gs::Error& error) {  // a person asked over the wire; the answer goes back there
    return logged("load world", {false, error.what()});
  }
  simulator().setPaused(was_paused);
  gs_sim::updateParameters(*this, simulator().effectiveParameters());
  return {true, "loaded " + bundle_path};
}

}  // namespace apps

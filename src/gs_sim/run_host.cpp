// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/run_host.hpp"

#include <chrono>

#include "gs/core/log.hpp"
#include "gs_sim/loop_restart.hpp"

namespace gs_sim {
namespace {

using Clock = std::chrono::steady_clock;

// Between two of /sim/status while paused; and how long a paused loop may overlook Ctrl-C.
constexpr std::chrono::milliseconds kPausedPeriod(100);

// What people did, for whoever reads the log.
RequestResult logged(const char* what, RequestResult result) {
  const std::string line = std::string(what) + ": " + result.message;
  if (result.success) gs::logger("simulator").info(line);
  else gs::logger("simulator").warn(line);
  return result;
}

}  // namespace

RunHost::RunHost(LoadedSimulation& simulation, const Options& options)
    : simulation_(simulation),
      script_(options.script),
      autoware_(options.interface == Interface::Autoware ? std::make_shared<AutowareVehicle>()
                                                         : nullptr),
      description_(describeWorld(simulator(), simulation.world, autoware_)),
      begins_again_(options.begins_again && options.script != nullptr),
      switcher_(simulation, options.load),
      seat_(options.script, begins_again_),
      paused_status_(kPausedPeriod),
      real_time_factor_(simulator().parameters().simulation.real_time_factor) {
  declareParameters(*this, simulator().effectiveParameters());
}

RunHooks RunHost::hooks(const std::function<bool()>& isInterrupted) {
  return {.onSharedStep = [this](const auto& step) { publish(step); },
          .waitWhilePaused = [this,
                              isInterrupted](Simulator&) { return waitWhilePaused(isInterrupted); },
          .isInterrupted =
              [this, isInterrupted] {
                work().runWaiting();
                return has_quit_ || isInterrupted();
              },
          .realTimeFactor = [this] { return real_time_factor_; },
          .awaitCommand = [this](const StepInfo& last) { return awaitCommand(last); }};
}

Heard RunHost::awaitCommand(const StepInfo& last) {
  Heard heard = gs_sim::awaitCommand(wires(), last, script_ != nullptr);
  if (!heard.was_interrupted) beginAgainAtTheEnd();
  return heard;
}

// At the end of the path the ego is put where the world begins.
void RunHost::beginAgainAtTheEnd() {
  if (!begins_again_ || !isLapOver(*script_, simulator().current().ego)) return;
  reset(std::nullopt, false);
  announceJump();
}

void RunHost::publish(const std::shared_ptr<const StepOutput>& step) {
  if (told_driver_ != seat_.whoDrives())
    for (SimulationWire* wire : wires()) wire->tellDriver(seat_.whoDrives());
  told_driver_ = seat_.whoDrives();
  if (hasWires() || keep_) {
    const PublishedStep published{step, description_.topics->messagesOf(step)};
    if (keep_) keep_(published);
    for (SimulationWire* wire : wires()) wire->publish(published);
  }
  steps_.stepped();
}

bool RunHost::waitWhilePaused(const std::function<bool()>& isInterrupted) {
  while (simulator().isPaused() && steps_.isEmpty()) {
    if (has_quit_ || isInterrupted()) return false;
    if (paused_status_.isDue(Clock::now())) publishStatus();
    work().waitUntil(paused_status_.next());
    work().runWaiting();
  }
  return true;
}

// Its warnings and errors are left to the next step: they are those since the status before, and
// belong into its recording.
void RunHost::publishStatus() {
  auto now = std::make_shared<StepOutput>(simulator().current());
  now->status->warnings.clear();
  now->status->errors.clear();
  const PublishedStep status{now, description_.topics->messagesOf(now, TopicWhen::WithStatus)};
  for (SimulationWire* wire : wires()) wire->publishStatus(status);
}

void RunHost::step(uint64_t count, std::function<void(RequestResult)> done) {
  steps_.ask(count, std::move(done));
}

void RunHost::setPaused(bool is_paused) {
  if (is_paused != simulator().isPaused())
    gs::logger("simulator").info(is_paused ? "paused" : "running");
  simulator().setPaused(is_paused);
}

RequestResult RunHost::reset(const std::optional<EgoPose>& initial_pose, bool reset_time) {
  seat_.restart();
  return logged("reset", simulator().reset(initial_pose, reset_time));
}

RequestResult RunHost::setEgoPose(const EgoPose& pose, const EgoTwist& twist) {
  seat_.restart();
  return logged("set ego pose", simulator().setEgoPose(pose, twist));
}

RequestResult RunHost::loadWorld(const std::string& bundle_path) {
  RequestResult result = switcher_.switchTo(bundle_path);
  if (!result.success) return logged("load world", std::move(result));
  description_ = describeWorld(simulator(), simulation_.world, autoware_);
  updateParameters(*this, simulator().effectiveParameters());
  return result;
}

}  // namespace gs_sim

// SPDX-License-Identifier: Apache-2.0
#include "gs_ros2/ros2_bridge.hpp"

#include <algorithm>
#include <atomic>
#include <map>

#include "gs/core/error.hpp"
#include "gs/core/log.hpp"
#include "gs/msgs/ackermann_msgs.hpp"
#include "gs/msgs/rcl_interfaces.hpp"
#include "gs_ros2/autoware_interface.hpp"
#include "gs_ros2/bridge_parameters.hpp"
#include "gs_ros2/bulk_pace.hpp"
#include "gs_ros2/node.hpp"
#include "gs_ros2/parameter_server.hpp"
#include "gs_ros2/rosout.hpp"
#include "gs_ros2/simulation_services.hpp"
#include "gs_ros2/step_topics.hpp"
#include "gs_sim/control_mailbox.hpp"
#include "gs_sim/control_messages.hpp"
#include "gs_sim/to_messages.hpp"

namespace gs_ros2 {
namespace {

namespace msgs = gs::msgs;
using SteadyClock = std::chrono::steady_clock;
using StepPointer = std::shared_ptr<const gs_sim::StepOutput>;

// The table of the contract; every publisher is reliable, so that every reader fits.
constexpr Qos kClock{.depth = 10};
constexpr Qos kTf{.depth = 100};
constexpr Qos kTfStatic{.is_latched = true, .depth = 1};
constexpr Qos kState{.depth = 10};
constexpr Qos kWorldInfo{.is_latched = true, .depth = 1};
constexpr Qos kSensorInfo{.depth = 5};
constexpr Qos kSensorData{.depth = 5, .is_bulk = true};

constexpr const char* kCommandTopic = "vehicle/control_cmd";

struct CameraTopics {
  StepPublisher<msgs::Image> image;
  StepPublisher<msgs::CameraInfo> info;
};

WireSettings paced(WireSettings wire, const gs_sim::WorldDescription& world,
                   double real_time_factor) {
  wire.bulk_bytes_per_ms = bulkBytesPerMs(bulkStreams(world), real_time_factor);
  return wire;
}

}  // namespace

struct Ros2Bridge::Impl {
  Impl(const BridgeSettings& settings, const gs_sim::SimulationParameters& parameters,
       gs_sim::SimulationHost& owner);

  void receive(const gs_sim::ControlInput& control);
  Reader& subscribeToControl(const gs_sim::SimulationParameters& parameters, bool is_reliable);
  void advertiseSensors();
  void publishWorld();
  void useNewWorld();
  void forgetThePast();
  void publishStatus(const gs_sim::StepOutput& step);
  void publishSensors(const StepPointer& step);
  std::vector<std::string> newWarnings();
  Controllers controllers() const;
  void waitForAnswer(const gs_sim::StepInfo& last);
  void tellWhoIsMissing(const Controllers& who);

  gs_sim::SimulationHost& host;
  gs_sim::WorldDescription world;
  Participant participant;
  LockStep lock_step;
  std::function<bool()> is_interrupted;
  gs_sim::ControlMailbox mailbox;
  std::atomic<int64_t> now_ns = 0;     // simulated; read by whoever logs
  std::optional<gs::Stamp> published;  // the step that a command can be an answer to
  LockStepWait wait;
  bool is_absence_told = false;  // that nobody is there to answer
  bool was_interrupted = false;
  uint64_t lock_step_timeouts = 0;
  uint64_t reported_lost = 0, reported_garbage = 0, reported_timeouts = 0;

  gs_sim::ParameterStore& store;
  std::unique_ptr<AutowareInterface> autoware;  // outlives the node, whose readers call it
  Node node;
  ParameterServer parameter_server;
  StepTopics steps;
  StepPublisher<msgs::Clock> clock;  // first: others are read by its time
  StepPublisher<msgs::TFMessage> tf;
  StepPublisher<msgs::Odometry> odom;
  StepPublisher<msgs::VehicleState> vehicle_state;
  StepPublisher<msgs::SimulationStatus> status;
  Publisher<msgs::TFMessage> tf_static;
  Publisher<msgs::WorldInfo> world_info;
  Rosout rosout;
  std::map<std::string, CameraTopics> cameras;
  std::map<std::string, StepPublisher<msgs::PointCloud2>> lidars;
  std::string command_topic;
  Reader* commands = nullptr;  // the node's
};

Ros2Bridge::Impl::Impl(const BridgeSettings& settings,
                       const gs_sim::SimulationParameters& parameters,
                       gs_sim::SimulationHost& owner)
    : host(owner),
      world(owner.describe()),
      participant(paced(settings.wire, world, parameters.simulation.real_time_factor)),
      lock_step(settings.lock_step),
      is_interrupted(settings.is_interrupted),
      store(owner.parameters()),
      node(participant, resolveNodeName(settings.node, settings.remaps), settings.remaps,
           &owner.work()),
      parameter_server(
          node, store, [this] { return gs::Stamp{now_ns}; },
          [this](const auto& changed) { host.announceParameters(changed); }),
      steps(node, [&work = owner.work()] { work.wake(); }),
      clock(steps.advertise<msgs::Clock>("/clock", kClock)),
      tf(steps.advertise<msgs::TFMessage>("/tf", kTf)),
      odom(steps.advertise<msgs::Odometry>("odom", kState)),
      vehicle_state(steps.advertise<msgs::VehicleState>("vehicle/state", kState)),
      status(steps.advertise<msgs::SimulationStatus>("sim/status", kState)),
      tf_static(node.advertise<msgs::TFMessage>("/tf_static", kTfStatic)),
      world_info(node.advertise<msgs::WorldInfo>("sim/world_info", kWorldInfo)),
      rosout(node, settings.log_to_rosout, [this] { return gs::Stamp{now_ns}; }) {
  declareBridgeParameters(store, lock_step, settings.wants_reliable_control);
  advertiseSensors();
  if (settings.has_autoware_interface)
    autoware = std::make_unique<AutowareInterface>(
        node, steps, [this](const gs_sim::ControlInput& control) { receive(control); });
  command_topic = node.resolve(autoware ? AutowareInterface::kCommandTopic : kCommandTopic);
  commands = autoware ? &autoware->commands()
                      : &subscribeToControl(parameters, settings.wants_reliable_control);
  commands->onMatch([&work = owner.work()] { work.wake(); });

  serveSimulation(node, host);
  serveStandardInterfaces(node, host, settings.standard_interfaces);

  now_ns = host.current().info.stamp.ns;
  rosout.listen(settings.rosout_level);
  publishWorld();
  parameter_server.publishAll();
  node.announce();
}

void Ros2Bridge::Impl::receive(const gs_sim::ControlInput& control) {
  mailbox.put(control);
  node.work().wake();
}

Reader& Ros2Bridge::Impl::subscribeToControl(const gs_sim::SimulationParameters& parameters,
                                             bool is_reliable) {
  const Qos qos{.is_reliable = is_reliable, .depth = 10};
  const auto take = [this, vehicle = parameters.vehicle](auto&& message) {
    if constexpr (requires { gs_sim::toControlInput(message); })
      receive(gs_sim::toControlInput(message));
    else receive(gs_sim::toControlInput(message, vehicle));
  };
  switch (parameters.simulation.control_mode) {
    case gs_sim::ControlMode::Twist:
      return node.subscribe<msgs::TwistStamped>(kCommandTopic, qos, take);
    case gs_sim::ControlMode::Custom:
      return node.subscribe<msgs::VehicleControlCmd>(kCommandTopic, qos, take);
    case gs_sim::ControlMode::Ackermann: break;
  }
  return node.subscribe<msgs::AckermannDriveStamped>(kCommandTopic, qos, take);
}

void Ros2Bridge::Impl::advertiseSensors() {
  for (const std::string& id : world.cameras)
    cameras[id] = {steps.advertise<msgs::Image>("camera/" + id + "/image_raw", kSensorData),
                   steps.advertise<msgs::CameraInfo>("camera/" + id + "/camera_info", kSensorInfo)};
  for (const std::string& id : world.lidars)
    lidars[id] = steps.advertise<msgs::PointCloud2>("lidar/" + id + "/points", kSensorData);
}

void Ros2Bridge::Impl::publishWorld() {
  const gs::Stamp stamp{now_ns};
  tf_static.publish(gs_sim::staticTfMessage(stamp, world.world->bundle.calibration, world.frames));
  world_info.publish(gs_sim::worldInfoMessage(stamp, world.world->bundle,
                                              world.world->bundle_path.string(), world.frames,
                                              world.cameras, world.lidars));
}

void Ros2Bridge::Impl::forgetThePast() {
  mailbox.forget();
  published.reset();
  steps.forget();
  wait.restart();
}

// The sensors may be others now.
void Ros2Bridge::Impl::useNewWorld() {
  forgetThePast();
  for (const auto& [id, topics] : cameras) {
    steps.withdraw(topics.image);
    steps.withdraw(topics.info);
  }
  for (const auto& [id, topic] : lidars) steps.withdraw(topic);
  cameras.clear();
  lidars.clear();
  world = host.describe();
  now_ns = host.current().info.stamp.ns;
  advertiseSensors();
  publishWorld();
  node.announce();
}

// What happened on the wire since the status before.
std::vector<std::string> Ros2Bridge::Impl::newWarnings() {
  std::vector<std::string> warnings;
  const auto report = [&warnings](uint64_t& reported, uint64_t now, const char* what) {
    if (now > reported) warnings.push_back("ros2: " + std::to_string(now - reported) + what);
    reported = now;
  };
  report(reported_lost, steps.lostMessages(), " messages were lost by readers that are too slow");
  report(reported_garbage, node.garbageCount(),
         " messages could not be decoded: another message definition?");
  report(reported_timeouts, lock_step_timeouts, " steps went on without their command");
  return warnings;
}

void Ros2Bridge::Impl::publishStatus(const gs_sim::StepOutput& step) {
  if (!step.status) return;
  msgs::SimulationStatus message = gs_sim::statusMessage(step.info, *step.status, world.frames);
  for (std::string& warning : newWarnings()) message.warnings.push_back(std::move(warning));
  rosout.sayWhatIsNew(message);
  status.publish(std::move(message));
}

void Ros2Bridge::Impl::publishSensors(const StepPointer& step) {
  const auto& calibration = world.world->bundle.calibration;
  for (const gs_sim::CameraFrame& frame : step->images) {
    const auto topics = cameras.find(frame.camera_id);
    const auto camera = calibration.cameras.find(frame.camera_id);
    if (topics == cameras.end() || camera == calibration.cameras.end()) continue;
    topics->second.info.publish(gs_sim::cameraInfoMessage(frame.stamp, camera->second));
    topics->second.image.publishBytes(
        [step, &frame](std::vector<std::byte>& out) { gs_sim::encodeImage(frame, out); });
  }
  for (const gs_sim::LidarScan& scan : step->clouds) {
    const auto topic = lidars.find(scan.lidar_id);
    if (topic == lidars.end()) continue;
    topic->second.publishBytes(
        [step, &scan, layout = world.cloud_layout](std::vector<std::byte>& out) {
          gs_sim::encodeCloud(scan, layout, out);
        });
  }
}

Ros2Bridge::Ros2Bridge(const BridgeSettings& settings,
                       const gs_sim::SimulationParameters& parameters, gs_sim::SimulationHost& host)
    : impl_(std::make_unique<Impl>(settings, parameters, host)) {
  host.attach(*this);
}

Ros2Bridge::~Ros2Bridge() { impl_->host.detach(*this); }

void Ros2Bridge::publish(const StepPointer& step) {
  Impl& self = *impl_;
  self.now_ns = step->info.stamp.ns;
  self.published = step->info.stamp;
  self.mailbox.await(step->info.stamp);
  const gs_sim::FrameNames& frames = self.world.frames;
  self.clock.publish(gs_sim::clockMessage(step->info));
  self.tf.publish(gs_sim::tfMessage(*step, frames));
  msgs::Odometry odometry = gs_sim::odometryMessage(*step, frames);
  if (self.autoware) self.autoware->publish(*step, frames, odometry);
  self.odom.publish(std::move(odometry));
  self.vehicle_state.publish(gs_sim::vehicleStateMessage(*step, frames));
  self.publishStatus(*step);
  self.publishSensors(step);
  self.wait.begin(SteadyClock::now(), self.controllers());
}

Controllers Ros2Bridge::Impl::controllers() const {
  return {.present = commands->writerCount(),
          .ever = commands->matchCount(),
          .commands = mailbox.receivedCount()};
}

// Said once, until somebody comes: in the log, and to whoever looks at the status.
void Ros2Bridge::Impl::tellWhoIsMissing(const Controllers& who) {
  if ((who.present == 0) == is_absence_told) return;
  is_absence_told = who.present == 0;
  if (!is_absence_told) return;
  const std::string waits = "lock-step: waits for a controller on '" + command_topic + "'";
  gs::logger("ros2").warn(waits);
  const gs_sim::StepOutput now = host.current();
  msgs::SimulationStatus message = gs_sim::statusMessage(
      now.info, now.status.value_or(gs_sim::SimulationStatus()), world.frames);
  message.warnings.push_back(waits);
  status.publish(std::move(message));
}

void Ros2Bridge::Impl::waitForAnswer(const gs_sim::StepInfo& last) {
  while (lock_step.is_on && published == last.stamp && !mailbox.hasAnswer()) {
    was_interrupted = host.isPaused() || (is_interrupted && is_interrupted());
    if (was_interrupted) return;
    const Controllers who = controllers();
    tellWhoIsMissing(who);
    switch (wait.next(SteadyClock::now(), who, lock_step.timeout_sec)) {
      case LockStepWait::Action::Wait: steps.showToNewcomers(); break;
      case LockStepWait::Action::ShowAgain: steps.showAgain(); break;
      case LockStepWait::Action::Complain:
        gs::logger("ros2").warn(
            "lock-step: no command on '" + command_topic +
            "' answers the first step; its header.stamp must be that of /clock");
        break;
      case LockStepWait::Action::GiveUp: ++lock_step_timeouts; return;
    }
    node.work().waitUntil(wait.wakeAt(SteadyClock::now(), lock_step.timeout_sec));
    node.work().runWaiting();
  }
}

std::optional<gs_sim::ControlInput> Ros2Bridge::nextControl(const gs_sim::StepInfo& last) {
  Impl& self = *impl_;
  self.was_interrupted = false;
  const bool is_single_step = self.host.isPaused();
  handleRequests();
  if (!is_single_step) self.waitForAnswer(last);
  if (!self.lock_step.is_on) return self.mailbox.take();
  // Before anything was shown, and after a jump, nobody can have an answer: whatever has come is
  // left, so that the step does not depend on who was early.
  auto answer = self.published == last.stamp ? self.mailbox.takeAnswer() : std::nullopt;
  if (answer) self.wait.answered();
  return answer;
}

bool Ros2Bridge::wasInterrupted() const { return impl_->was_interrupted; }

void Ros2Bridge::forgetThePast() { impl_->forgetThePast(); }
void Ros2Bridge::useNewWorld() { impl_->useNewWorld(); }
void Ros2Bridge::tellParameters(const std::vector<msgs::Parameter>& changed) {
  impl_->parameter_server.publishChanges(changed);
}

void Ros2Bridge::handleRequests() { impl_->node.work().runWaiting(); }

void Ros2Bridge::handleRequestsUntil(SteadyClock::time_point deadline) {
  impl_->node.work().waitUntil(deadline);
  impl_->node.work().runWaiting();
}

void Ros2Bridge::wake() { impl_->node.work().wake(); }

Ros2Bridge::Statistics Ros2Bridge::statistics() const {
  return {.lost_messages = impl_->steps.lostMessages(),
          .garbage = impl_->node.garbageCount(),
          .lock_step_timeouts = impl_->lock_step_timeouts};
}

}  // namespace gs_ros2

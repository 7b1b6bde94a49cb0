// SPDX-License-Identifier: Apache-2.0
#include "gs_ros2/ros2_bridge.hpp"

#include <algorithm>
#include <atomic>
#include <map>

#include "gs/core/error.hpp"
#include "gs/core/log.hpp"
#include "gs/core/log_observer.hpp"
#include "gs/msgs/ackermann_msgs.hpp"
#include "gs/msgs/rcl_interfaces.hpp"
#include "gs_ros2/autoware_interface.hpp"
#include "gs_ros2/node.hpp"
#include "gs_ros2/parameter_server.hpp"
#include "gs_ros2/simulation_services.hpp"
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
constexpr Qos kRosout{.is_latched = true, .depth = 1000, .lifespan = {10'000'000'000}};

constexpr double kMaxLockStepTimeout = 3600;
// How long a step that waits for its command may overlook Ctrl-C.
constexpr std::chrono::milliseconds kNap(100);

struct CameraTopics {
  Publisher<msgs::Image> image;
  Publisher<msgs::CameraInfo> info;
};

// Four times what the sensors publish on the average, and never less than suits a reader whose
// socket is as small as the system makes it.
WireSettings paced(WireSettings wire, const gs_sim::WorldDescription& world) {
  constexpr double kSlack = 4, kBytesPerPoint = 32, kLeast = 128 << 10, kMost = 1 << 30;
  const gs::Calibration& calibration = world.world->bundle.calibration;
  double bytes_per_second = 0;
  for (const std::string& id : world.cameras)
    if (const auto camera = calibration.cameras.find(id); camera != calibration.cameras.end())
      bytes_per_second +=
          3.0 * camera->second.image_width * camera->second.image_height * camera->second.rate_hz;
  for (const std::string& id : world.lidars)
    if (const auto lidar = calibration.lidars.find(id); lidar != calibration.lidars.end())
      bytes_per_second += kBytesPerPoint * lidar->second.spec.channels * 360 /
                          std::max(0.01, lidar->second.spec.horizontal_resolution_deg) *
                          lidar->second.rate_hz;
  const double pace = kSlack * bytes_per_second / 1000;
  wire.bulk_bytes_per_ms = static_cast<int32_t>(std::clamp(pace, kLeast, kMost));
  return wire;
}

uint8_t rosLevel(gs::LogLevel level) {
  switch (level) {
    case gs::LogLevel::Debug: return 10;
    case gs::LogLevel::Info: return 20;
    case gs::LogLevel::Warn: return 30;
    case gs::LogLevel::Error:
    case gs::LogLevel::Off: break;
  }
  return 40;
}

msgs::Time toTime(gs::Stamp stamp) {
  const auto [sec, nanosec] = gs::toSecNanosec(stamp);
  return {sec, nanosec};
}

}  // namespace

struct Ros2Bridge::Impl {
  Impl(const BridgeSettings& settings, const gs_sim::SimulationParameters& parameters,
       gs_sim::SimulationHost& owner);
  ~Impl() { gs::setLogObserver(nullptr); }

  void declareOwnParameters();
  void subscribeToControl(const gs_sim::SimulationParameters& parameters, bool is_reliable);
  void advertiseSensors();
  void publishWorld();
  void useNewWorld();
  void forgetThePast();
  void publishStatus(const gs_sim::StepOutput& step);
  void publishSensors(const StepPointer& step);
  std::vector<std::string> newWarnings();
  uint64_t lostMessages() const;

  gs_sim::SimulationHost& host;
  gs_sim::WorldDescription world;
  Participant participant;
  LockStep lock_step;
  std::function<bool()> is_interrupted;
  gs_sim::ControlMailbox mailbox;
  std::atomic<int64_t> now_ns = 0;     // simulated; read by whoever logs
  std::optional<gs::Stamp> published;  // the step that a command can be an answer to
  uint64_t lock_step_timeouts = 0;
  uint64_t reported_lost = 0, reported_garbage = 0, reported_timeouts = 0;

  gs_sim::ParameterStore& store;
  std::unique_ptr<AutowareInterface> autoware;  // outlives the node, whose readers call it
  Node node;
  ParameterServer parameter_server;
  Publisher<msgs::Clock> clock;
  Publisher<msgs::TFMessage> tf, tf_static;
  Publisher<msgs::Odometry> odom;
  Publisher<msgs::VehicleState> vehicle_state;
  Publisher<msgs::SimulationStatus> status;
  Publisher<msgs::WorldInfo> world_info;
  Publisher<msgs::Log> rosout;
  std::map<std::string, CameraTopics> cameras;
  std::map<std::string, Publisher<msgs::PointCloud2>> lidars;
};

Ros2Bridge::Impl::Impl(const BridgeSettings& settings,
                       const gs_sim::SimulationParameters& parameters,
                       gs_sim::SimulationHost& owner)
    : host(owner),
      world(owner.describe()),
      participant(paced(settings.wire, world)),
      lock_step(settings.lock_step),
      is_interrupted(settings.is_interrupted),
      store(owner.parameters()),
      node(participant, resolveNodeName(settings.node, settings.remaps), settings.remaps,
           &owner.work()),
      parameter_server(
          node, store, [this] { return gs::Stamp{now_ns}; },
          [this](const auto& changed) { host.announceParameters(changed); }),
      clock(node.advertise<msgs::Clock>("/clock", kClock)),
      tf(node.advertise<msgs::TFMessage>("/tf", kTf)),
      tf_static(node.advertise<msgs::TFMessage>("/tf_static", kTfStatic)),
      odom(node.advertise<msgs::Odometry>("odom", kState)),
      vehicle_state(node.advertise<msgs::VehicleState>("vehicle/state", kState)),
      status(node.advertise<msgs::SimulationStatus>("sim/status", kState)),
      world_info(node.advertise<msgs::WorldInfo>("sim/world_info", kWorldInfo)),
      rosout(node.advertise<msgs::Log>("/rosout", kRosout)) {
  declareOwnParameters();
  advertiseSensors();
  if (settings.has_autoware_interface)
    autoware = std::make_unique<AutowareInterface>(node, [this](const gs_sim::ControlInput& c) {
      mailbox.put(c);
      node.work().wake();
    });
  else subscribeToControl(parameters, settings.wants_reliable_control);

  serveSimulation(node, host);
  serveStandardInterfaces(node, host);

  if (settings.log_to_rosout)
    gs::setLogObserver(
        [this](gs::LogLevel level, std::string_view component, std::string_view message) {
          rosout.publish({.stamp = toTime(gs::Stamp{now_ns}),
                          .level = rosLevel(level),
                          .name = node.name().logger() + "." + std::string(component),
                          .msg = std::string(message)});
        });
  now_ns = host.current().info.stamp.ns;
  publishWorld();
  parameter_server.publishAll();
  node.announce();
}

void Ros2Bridge::Impl::declareOwnParameters() {
  store.declare("ros2.lock_step", {.value = gs_sim::toParameter(lock_step.is_on),
                                   .description = "every step waits for its command",
                                   .change = [this](const msgs::ParameterValue& value) {
                                     lock_step.is_on = value.bool_value;
                                     return std::string();
                                   }});
  store.declare("ros2.lock_step_timeout_sec",
                {.value = gs_sim::toParameter(lock_step.timeout_sec),
                 .description = "s of real time that a step waits for its command",
                 .change =
                     [this](const msgs::ParameterValue& value) {
                       lock_step.timeout_sec = value.double_value;
                       return std::string();
                     },
                 .range = msgs::FloatingPointRange{0, kMaxLockStepTimeout, 0}});
  // The node is where simulated time comes from; others follow it, it has nothing to follow.
  store.declare("use_sim_time", {.value = gs_sim::toParameter(false),
                                 .description = "accepted, without effect: this is the clock",
                                 .change = [](const auto&) { return std::string(); }});
}

void Ros2Bridge::Impl::subscribeToControl(const gs_sim::SimulationParameters& parameters,
                                          bool is_reliable) {
  const Qos qos{.is_reliable = is_reliable, .depth = 10};
  const std::string topic = "vehicle/control_cmd";
  const auto receive = [this, vehicle = parameters.vehicle](auto&& message) {
    if constexpr (requires { gs_sim::toControlInput(message); })
      mailbox.put(gs_sim::toControlInput(message));
    else mailbox.put(gs_sim::toControlInput(message, vehicle));
    node.work().wake();
  };
  switch (parameters.simulation.control_mode) {
    case gs_sim::ControlMode::Ackermann:
      return node.subscribe<msgs::AckermannDriveStamped>(topic, qos, receive);
    case gs_sim::ControlMode::Twist: return node.subscribe<msgs::TwistStamped>(topic, qos, receive);
    case gs_sim::ControlMode::Custom:
      return node.subscribe<msgs::VehicleControlCmd>(topic, qos, receive);
  }
}

void Ros2Bridge::Impl::advertiseSensors() {
  for (const std::string& id : world.cameras)
    cameras[id] = {node.advertise<msgs::Image>("camera/" + id + "/image_raw", kSensorData),
                   node.advertise<msgs::CameraInfo>("camera/" + id + "/camera_info", kSensorInfo)};
  for (const std::string& id : world.lidars)
    lidars[id] = node.advertise<msgs::PointCloud2>("lidar/" + id + "/points", kSensorData);
}

void Ros2Bridge::Impl::publishWorld() {
  const gs::Stamp stamp{now_ns};
  tf_static.publish(gs_sim::staticTfMessage(stamp, world.world->bundle.calibration, world.frames));
  world_info.publish(gs_sim::worldInfoMessage(stamp, world.world->bundle,
                                              world.world->bundle_path.string(), world.frames,
                                              world.cameras, world.lidars));
}

void Ros2Bridge::Impl::forgetThePast() {
  mailbox.take();
  published.reset();
}

// The sensors may be others now.
void Ros2Bridge::Impl::useNewWorld() {
  forgetThePast();
  for (const auto& [id, topics] : cameras) {
    node.withdraw(topics.image);
    node.withdraw(topics.info);
  }
  for (const auto& [id, topic] : lidars) node.withdraw(topic);
  cameras.clear();
  lidars.clear();
  world = host.describe();
  now_ns = host.current().info.stamp.ns;
  advertiseSensors();
  publishWorld();
  node.announce();
}

uint64_t Ros2Bridge::Impl::lostMessages() const {
  uint64_t lost = odom.lostCount() + vehicle_state.lostCount() + clock.lostCount() +
                  tf.lostCount() + status.lostCount();
  for (const auto& [id, topics] : cameras)
    lost += topics.image.lostCount() + topics.info.lostCount();
  for (const auto& [id, topic] : lidars) lost += topic.lostCount();
  return lost;
}

// What happened on the wire since the status before.
std::vector<std::string> Ros2Bridge::Impl::newWarnings() {
  std::vector<std::string> warnings;
  const auto report = [&warnings](uint64_t& reported, uint64_t now, const char* what) {
    if (now > reported) warnings.push_back("ros2: " + std::to_string(now - reported) + what);
    reported = now;
  };
  report(reported_lost, lostMessages(), " messages were lost by readers that are too slow");
  report(reported_garbage, node.garbageCount(),
         " messages could not be decoded: another message definition?");
  report(reported_timeouts, lock_step_timeouts, " steps went on without their command");
  return warnings;
}

void Ros2Bridge::Impl::publishStatus(const gs_sim::StepOutput& step) {
  if (!step.status) return;
  msgs::SimulationStatus message = gs_sim::statusMessage(step.info, *step.status, world.frames);
  for (std::string& warning : newWarnings()) message.warnings.push_back(std::move(warning));
  status.publish(std::move(message));
}

void Ros2Bridge::Impl::publishSensors(const StepPointer& step) {
  const auto& calibration = world.world->bundle.calibration;
  for (const gs_sim::CameraFrame& frame : step->images) {
    const auto topics = cameras.find(frame.camera_id);
    const auto camera = calibration.cameras.find(frame.camera_id);
    if (topics == cameras.end() || camera == calibration.cameras.end()) continue;
    topics->second.info.publish(gs_sim::cameraInfoMessage(frame.stamp, camera->second));
    if (topics->second.image.hasReaders())
      topics->second.image.publishBytes(
          [step, &frame](std::vector<std::byte>& out) { gs_sim::encodeImage(frame, out); });
  }
  for (const gs_sim::LidarScan& scan : step->clouds) {
    const auto topic = lidars.find(scan.lidar_id);
    if (topic == lidars.end() || !topic->second.hasReaders()) continue;
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
  const gs_sim::FrameNames& frames = self.world.frames;
  self.clock.publish(gs_sim::clockMessage(step->info));  // first: others are read by its time
  self.tf.publish(gs_sim::tfMessage(*step, frames));
  msgs::Odometry odometry = gs_sim::odometryMessage(*step, frames);
  if (self.autoware) self.autoware->publish(*step, frames, odometry);
  self.odom.publish(std::move(odometry));
  self.vehicle_state.publish(gs_sim::vehicleStateMessage(*step, frames));
  self.publishStatus(*step);
  self.publishSensors(step);
}

std::optional<gs_sim::ControlInput> Ros2Bridge::nextControl(const gs_sim::StepInfo& last) {
  Impl& self = *impl_;
  handleRequests();
  const auto started = SteadyClock::now();
  // Before anything was published, and after a reset, nobody can have an answer.
  while (self.lock_step.is_on && !self.host.isPaused() && self.published == last.stamp &&
         !self.mailbox.hasCommandFor(last.stamp)) {
    const auto patience = std::chrono::duration_cast<SteadyClock::duration>(
        std::chrono::duration<double>(self.lock_step.timeout_sec));
    if (SteadyClock::now() >= started + patience) {
      ++self.lock_step_timeouts;
      break;
    }
    if (self.is_interrupted && self.is_interrupted()) break;
    handleRequestsUntil(std::min(started + patience, SteadyClock::now() + kNap));
  }
  return self.mailbox.take();
}

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
  return {.lost_messages = impl_->lostMessages(),
          .garbage = impl_->node.garbageCount(),
          .lock_step_timeouts = impl_->lock_step_timeouts};
}

void takeBridgeParameters(std::vector<std::pair<std::string, gs::Node>>& overrides,
                          BridgeSettings& settings) {
  const auto wrong = [](const std::string& name, const char* expected) {
    return gs::Error({.code = gs::ErrorCode::ConfigInvalid,
                      .component = "ros2",
                      .message = "parameter '" + name + "' should be " + expected,
                      .details = {{"parameter", name}},
                      .suggestion = "Correct it after -p or in the parameter file."});
  };
  std::erase_if(overrides, [&](const auto& entry) {
    const auto& [name, value] = entry;
    if (name == "ros2.lock_step") {
      const auto on = value.findBool();
      if (!on) throw wrong(name, "true or false");
      settings.lock_step.is_on = *on;
    } else if (name == "ros2.lock_step_timeout_sec") {
      const auto seconds = value.findDouble();
      if (!seconds || !(*seconds >= 0 && *seconds <= kMaxLockStepTimeout))
        throw wrong(name, "a number of seconds from 0 to 3600");
      settings.lock_step.timeout_sec = *seconds;
    } else if (name == "ros2.control_reliability") {
      const auto word = value.findString();
      if (word != "reliable" && word != "best_effort") throw wrong(name, "reliable or best_effort");
      settings.wants_reliable_control = word == "reliable";
    } else {
      return name == "use_sim_time";
    }
    return true;
  });
}

}  // namespace gs_ros2

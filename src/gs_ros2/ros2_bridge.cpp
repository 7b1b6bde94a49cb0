// SPDX-License-Identifier: Apache-2.0
#include "gs_ros2/ros2_bridge.hpp"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <map>

#include "gs/core/error.hpp"
#include "gs/core/log.hpp"
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

namespace gs_ros2 {
namespace {

namespace msgs = gs::msgs;
using SteadyClock = std::chrono::steady_clock;

// A row of the table of topics on ROS 2. Null, both: it is not for ROS 2.
struct Row {
  StepTopic* topic = nullptr;
  Writer* once = nullptr;  // of what is said once: DDS itself shows it to newcomers
};

// What a reliable reader that is a moment late can still ask for again. The depth of a writer is
// not announced to anybody; with that of /clock, 1, `ros2 bag record` would miss steps.
constexpr int kRepairDepth = 10;

Qos qosOf(const gs_sim::TopicQos& qos) {
  const int depth = qos.is_latched || qos.is_bulk ? qos.depth : std::max(qos.depth, kRepairDepth);
  return {.is_latched = qos.is_latched, .depth = depth, .is_bulk = qos.is_bulk};
}

// In a namespace all names but the global ones follow it.
std::string nameOf(const gs_sim::Topic& topic) {
  return topic.is_global ? topic.name : topic.name.substr(1);
}

WireSettings paced(WireSettings wire, const gs_sim::WorldDescription& world,
                   double real_time_factor) {
  wire.bulk_bytes_per_ms = bulkBytesPerMs(bulkStreams(world.topics->topics()), real_time_factor);
  return wire;
}

}  // namespace

struct Ros2Bridge::Impl {
  Impl(const BridgeSettings& settings, const gs_sim::SimulationParameters& parameters,
       gs_sim::SimulationHost& owner);

  void receive(const gs_sim::ControlInput& control);
  Reader& subscribeToControl(const gs_sim::CommandTopic& topic,
                             const gs_sim::SimulationParameters& parameters, bool is_reliable);
  void advertiseTopics(const std::map<std::string, Row>& kept = {});
  void publishWorld();
  void useNewWorld();
  void forgetThePast();
  void send(const gs_sim::StepMessage& message);
  void sendStatus(const gs_sim::StepOutput& step, std::vector<std::string> more_warnings);
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
  std::vector<Row> rows;  // as those of world.topics
  Rosout rosout;
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
      rosout(node, settings.log_to_rosout, [this] { return gs::Stamp{now_ns}; }) {
  declareBridgeParameters(store, lock_step, settings.wants_reliable_control);
  advertiseTopics();
  const gs_sim::CommandTopic topic = world.commands.front();
  command_topic = node.resolve(topic.name.substr(1));
  if (world.autoware)
    autoware = std::make_unique<AutowareInterface>(
        node, topic, parameters.vehicle, world.autoware,
        [this](const gs_sim::ControlInput& control) { receive(control); });
  commands = autoware ? &autoware->commands()
                      : &subscribeToControl(topic, parameters, settings.wants_reliable_control);
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

Reader& Ros2Bridge::Impl::subscribeToControl(const gs_sim::CommandTopic& topic,
                                             const gs_sim::SimulationParameters& parameters,
                                             bool is_reliable) {
  return node.subscribe(
      topic.name.substr(1), topic.type, {.is_reliable = is_reliable, .depth = 10},
      [this, type = topic.type.type.name, vehicle = parameters.vehicle](gs::Bytes bytes) {
        const auto control = gs_sim::findControlInput(type, bytes, vehicle, nullptr);
        if (control) receive(*control);
        return control.has_value();
      });
}

// In the order of the table: /clock first, since others are read by its time.
void Ros2Bridge::Impl::advertiseTopics(const std::map<std::string, Row>& kept) {
  for (const gs_sim::Topic& topic : world.topics->topics()) {
    Row& row = rows.emplace_back();
    if (const auto found = kept.find(topic.name); found != kept.end()) {
      row = found->second;
      continue;
    }
    if (topic.audience != gs_sim::Audience::Everybody) continue;
    const Qos qos = qosOf(topic.qos);
    if (topic.when == gs_sim::TopicWhen::Once)
      row.once = node.advertise(nameOf(topic), topic.type, qos);
    else row.topic = steps.advertise(nameOf(topic), topic.type, qos);
  }
}

void Ros2Bridge::Impl::publishWorld() {
  for (const gs_sim::StepMessage& message : world.topics->saidOnce(gs::Stamp{now_ns}))
    send(message);
}

void Ros2Bridge::Impl::send(const gs_sim::StepMessage& message) {
  const Row& row = rows.at(message.topic);
  if (row.topic)
    row.topic->publish(message.encode, world.topics->topics()[message.topic].qos.is_bulk);
  if (row.once)
    row.once->publish([encode = message.encode](std::vector<std::byte>& out) { (*encode)(out); });
}

void Ros2Bridge::Impl::forgetThePast() {
  mailbox.forget();
  published.reset();
  steps.forget();
  wait.restart();
}

// The sensors may be others now. Topics of the simulation itself keep their readers.
void Ros2Bridge::Impl::useNewWorld() {
  forgetThePast();
  std::map<std::string, Row> kept;
  for (size_t i = 0; i < rows.size(); ++i) {
    const gs_sim::Topic& topic = world.topics->topics()[i];
    if (!topic.sensor) kept[topic.name] = rows[i];
    else if (rows[i].topic) steps.withdraw(rows[i].topic);
  }
  world = host.describe();
  now_ns = host.current().info.stamp.ns;
  rows.clear();
  advertiseTopics(kept);
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

// The status with what this wire has to add.
void Ros2Bridge::Impl::sendStatus(const gs_sim::StepOutput& step,
                                  std::vector<std::string> more_warnings) {
  auto copy = std::make_shared<gs_sim::StepOutput>(step);
  // What the simulation warns of is in the log, and so on /rosout, already.
  rosout.sayWhatIsNew(more_warnings);
  auto& warnings = copy->status->warnings;
  std::move(more_warnings.begin(), more_warnings.end(), std::back_inserter(warnings));
  for (const gs_sim::StepMessage& message :
       world.topics->messagesOf(copy, gs_sim::TopicWhen::WithStatus))
    send(message);
}

Ros2Bridge::Ros2Bridge(const BridgeSettings& settings,
                       const gs_sim::SimulationParameters& parameters, gs_sim::SimulationHost& host)
    : impl_(std::make_unique<Impl>(settings, parameters, host)) {
  host.attach(*this);
}

Ros2Bridge::~Ros2Bridge() { impl_->host.detach(*this); }

void Ros2Bridge::publish(const gs_sim::PublishedStep& published) {
  Impl& self = *impl_;
  const gs_sim::StepOutput& step = *published.step;
  self.now_ns = step.info.stamp.ns;
  self.published = step.info.stamp;
  self.mailbox.await(step.info.stamp);
  const auto& topics = self.world.topics->topics();
  for (const gs_sim::StepMessage& message : published.messages)
    if (topics[message.topic].when != gs_sim::TopicWhen::WithStatus) self.send(message);
  if (step.status) self.sendStatus(step, self.newWarnings());
  self.wait.begin(SteadyClock::now(), self.controllers());
}

void Ros2Bridge::publishStatus(const gs_sim::PublishedStep& now) {
  impl_->sendStatus(*now.step, impl_->newWarnings());
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
  gs_sim::StepOutput now = host.current();
  if (!now.status) now.status.emplace();
  sendStatus(now, {waits});
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
void Ros2Bridge::tellParameters(const std::vector<gs_sim::Parameter>& changed) {
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

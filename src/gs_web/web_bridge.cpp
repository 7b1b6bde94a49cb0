// SPDX-License-Identifier: Apache-2.0
#include "gs_web/web_bridge.hpp"

#include <algorithm>
#include <chrono>
#include <deque>
#include <map>
#include <mutex>
#include <unistd.h>

#include "gs/core/version.hpp"
#include "gs/formats/cdr.hpp"
#include "gs/formats/ros_schema.hpp"
#include "gs/msgs/std_msgs.hpp"
#include "gs_sim/control_mailbox.hpp"
#include "gs_sim/control_messages.hpp"
#include "gs_sim/driving_seat.hpp"
#include "gs_sim/simulation_services.hpp"
#include "gs_web/access_rules.hpp"
#include "gs_web/foxglove_server.hpp"
#include "gs_web/page_files.hpp"
#include "gs_web/web_parameters.hpp"
#include "gs_web/world_api.hpp"

namespace gs_web {
namespace {

namespace msgs = gs::msgs;

constexpr size_t kMaxWaitingSteps = 64;  // between the loop and the server's thread
constexpr size_t kSmallMaxWaiting = 50;  // messages of every step: half a second, then the newest

// "pkg/Name" is how ROS 1 and some clients write pkg/msg/Name.
std::string withMsg(const std::string& type) {
  const size_t slash = type.find('/');
  if (slash == std::string::npos || slash != type.rfind('/')) return type;
  return type.substr(0, slash) + "/msg" + type.substr(slash);
}

std::string newSessionId() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::to_string(std::chrono::duration_cast<std::chrono::microseconds>(now).count()) + "-" +
         std::to_string(getpid());
}

std::vector<ServiceInfo> infosOf(const std::vector<gs_sim::SimulationService>& services) {
  std::vector<ServiceInfo> infos;
  for (const gs_sim::SimulationService& service : services)
    infos.push_back({.id = static_cast<uint32_t>(infos.size() + 1),
                     .name = "/" + service.name,
                     .type = service.type,
                     .request_type = service.request.type.name,
                     .request_schema = gs::toRosSchemaText(service.request),
                     .response_type = service.response.type.name,
                     .response_schema = gs::toRosSchemaText(service.response)});
  return infos;
}

Payload toPayload(std::vector<std::byte> bytes) {
  return std::make_shared<const std::vector<std::byte>>(std::move(bytes));
}

Payload payloadOf(const gs_sim::StepMessage& message) {
  std::vector<std::byte> bytes;
  (*message.encode)(bytes);
  return toPayload(std::move(bytes));
}

// What the server's thread needs to publish one world: a channel for every row of its table of
// topics, then who drives.
struct PublishedChannels {
  PublishedChannels(gs_sim::WorldDescription from, int number)
      : generation(number), description(std::move(from)) {
    for (const gs_sim::Topic& topic : topics()) {
      const bool is_every_step = !topic.sensor && !topic.qos.is_latched;
      channels.push_back({topic.name, topic.type.type.name, gs::toRosSchemaText(topic.type),
                          is_every_step ? kSmallMaxWaiting : 1, topic.qos.is_latched});
    }
    driver = channels.size();
    channels.push_back({.topic = "/sim/driver",
                        .type = msgs::String::kRosType,
                        .schema = gs::rosSchemaText<msgs::String>(),
                        .is_latched = true});
  }

  const std::vector<gs_sim::Topic>& topics() const { return description.topics->topics(); }

  int generation;
  gs_sim::WorldDescription description;
  std::vector<ChannelSpec> channels;
  size_t driver = 0;
};

// Messages on their way from the loop to the server's thread, and the newest of each topic, for
// clients who come while nothing moves. Bounded: when the server cannot keep up, the oldest steps
// go.
class StepInbox {
 public:
  using Messages = std::vector<gs_sim::StepMessage>;

  // True when the server's thread has to be woken.
  bool put(const Messages& messages, int generation, bool has_clients) {
    const std::lock_guard lock(mutex_);
    if (std::exchange(latest_generation_, generation) != generation) latest_.clear();
    for (const gs_sim::StepMessage& message : messages) latest_[message.topic] = message;
    if (!has_clients) {
      waiting_.clear();
      return false;
    }
    if (waiting_.size() >= kMaxWaitingSteps) waiting_.pop_front();
    waiting_.push_back({messages, generation});
    return !std::exchange(is_woken_, true);
  }

  // Those of this generation; newer ones wait until their world is known.
  std::vector<Messages> take(int generation) {
    const std::lock_guard lock(mutex_);
    is_woken_ = false;
    std::vector<Messages> steps;
    while (!waiting_.empty() && waiting_.front().generation <= generation) {
      if (waiting_.front().generation == generation)
        steps.push_back(std::move(waiting_.front().messages));
      waiting_.pop_front();
    }
    return steps;
  }

  std::optional<gs_sim::StepMessage> latest(size_t topic, int generation) const {
    const std::lock_guard lock(mutex_);
    const auto found = latest_.find(topic);
    if (generation != latest_generation_ || found == latest_.end()) return std::nullopt;
    return found->second;
  }

 private:
  struct Entry {
    Messages messages;
    int generation;
  };
  mutable std::mutex mutex_;
  std::deque<Entry> waiting_;
  std::map<size_t, gs_sim::StepMessage> latest_;
  int latest_generation_ = 0;
  bool is_woken_ = false;
};

}  // namespace

struct WebBridge::Impl {
  Impl(const WebSettings& settings, const gs_sim::SimulationParameters& given,
       gs_sim::SimulationHost& owner);

  SocketHandlers socketHandlers();
  FoxgloveServer::Callbacks protocolCallbacks();

  // On the server's thread.
  void drain();
  void sendLatest(ClientId client, size_t channel);
  void useChannels(std::shared_ptr<PublishedChannels> next, gs::Stamp stamp);
  void publishDriver();
  void answer(const HttpRequest& request, const Respond& respond);
  std::string callService(size_t service, gs::Bytes request, FoxgloveServer::RespondToCall respond);
  std::string refuseToPublish(const ClientAdvertise::Channel& channel) const;
  std::string receiveControl(gs::Bytes bytes);
  void getParameters(ClientId client, const GetParameters& request);
  void setParameters(ClientId client, const SetParameters& request);

  const gs_sim::SimulationParameters parameters;
  gs_sim::SimulationHost& host;
  gs_sim::ControlMailbox mailbox;
  StepInbox inbox;
  int generation = 1;  // of the world; the loop's

  // The server's thread from here on.
  const std::vector<gs_sim::SimulationService> services;
  AccessRules access;
  std::shared_ptr<PublishedChannels> published;
  const std::string control_type;
  WorldPages pages;
  gs::Stamp now;
  std::string driver = gs_sim::DrivingSeat::kNobody;
  FoxgloveServer protocol;
  SocketServer socket;  // last: its thread uses all of the above
};

WebBridge::Impl::Impl(const WebSettings& settings, const gs_sim::SimulationParameters& given,
                      gs_sim::SimulationHost& owner)
    : parameters(given),
      host(owner),
      services(gs_sim::simulationServices(owner)),
      access{.bound_host = settings.socket.host,
             .own_names = namesOfThisMachine(),
             .allowed_origins = settings.allowed_origins},
      published(std::make_shared<PublishedChannels>(owner.describe(), generation)),
      control_type(published->description.commands.back().type.type.name),
      pages(published->description.world, given.vehicle, published->description.sensors),
      protocol({.name = "gs-simulator " + std::string(gs::buildVersion()),
                .capabilities = {"clientPublish", "services", "parameters", "parametersSubscribe",
                                 "time", "connectionGraph"},
                .metadata = {{"world", published->description.world->bundle.index.scene_id}},
                .session_id = newSessionId()},
               infosOf(services), protocolCallbacks()),
      socket(settings.socket, socketHandlers()) {
  socket.post(
      [this, first = published, stamp = owner.current().info.stamp] { useChannels(first, stamp); });
}

SocketHandlers WebBridge::Impl::socketHandlers() {
  return {.http = [this](const HttpRequest& request,
                         const Respond& respond) { answer(request, respond); },
          .refuse =
              [this](const HttpRequest& request) { return refusedResponse(access, request, true); },
          .opened = [this](ClientId client) { protocol.open(client); },
          .received = [this](ClientId client, bool is_text,
                             gs::Bytes bytes) { protocol.receive(client, is_text, bytes); },
          .closed = [this](ClientId client) { protocol.close(client); }};
}

FoxgloveServer::Callbacks WebBridge::Impl::protocolCallbacks() {
  return {.send = [this](ClientId client, Frame frame) { socket.send(client, std::move(frame)); },
          .forget = [this](ClientId client, uint64_t channel) { socket.forget(client, channel); },
          .close = [this](ClientId client, uint16_t code,
                          const std::string& why) { socket.close(client, code, why); },
          .refuseToPublish = [this](const auto& channel) { return refuseToPublish(channel); },
          .published = [this](const auto&, gs::Bytes bytes) { return receiveControl(bytes); },
          .call =
              [this](size_t service, gs::Bytes request, FoxgloveServer::RespondToCall respond) {
                return callService(service, request, std::move(respond));
              },
          .getParameters = [this](ClientId client,
                                  const auto& request) { getParameters(client, request); },
          .setParameters = [this](ClientId client,
                                  const auto& request) { setParameters(client, request); },
          .subscribed = [this](ClientId client, size_t channel) { sendLatest(client, channel); }};
}

void WebBridge::Impl::drain() {
  const std::vector<StepInbox::Messages> steps = inbox.take(published->generation);
  if (steps.empty()) return;
  // Of several images or clouds of a sensor only the newest is worth encoding.
  std::map<size_t, gs::Stamp> newest;
  for (const auto& messages : steps)
    for (const gs_sim::StepMessage& message : messages) {
      newest[message.topic] = message.stamp;
      now = message.stamp;
    }
  protocol.publishTime(now);
  for (const auto& messages : steps)
    for (const gs_sim::StepMessage& message : messages) {
      const bool is_outdated =
          published->topics()[message.topic].qos.is_bulk && newest[message.topic] != message.stamp;
      if (!is_outdated && protocol.isWanted(message.topic))
        protocol.publish(message.topic, message.stamp, payloadOf(message));
    }
}

// A new subscriber sees where things stand, also while nothing moves.
void WebBridge::Impl::sendLatest(ClientId client, size_t channel) {
  if (const auto message = inbox.latest(channel, published->generation))
    protocol.publishTo(client, channel, message->stamp, payloadOf(*message));
}

void WebBridge::Impl::useChannels(std::shared_ptr<PublishedChannels> next, gs::Stamp stamp) {
  published = std::move(next);
  const gs_sim::WorldDescription& world = published->description;
  pages = WorldPages(world.world, parameters.vehicle, world.sensors);
  now = stamp;
  protocol.setChannels(published->channels);
  for (const gs_sim::StepMessage& message : world.topics->saidOnce(stamp))
    protocol.publish(message.topic, message.stamp, payloadOf(message));
  publishDriver();
  drain();
}

void WebBridge::Impl::publishDriver() {
  protocol.publish(published->driver, now, toPayload(gs::encodeCdr(msgs::String{driver})));
}

void WebBridge::Impl::answer(const HttpRequest& request, const Respond& respond) {
  const std::string_view path = request.path();
  const bool is_data = path.starts_with("/api/");
  if (auto refusal = refusedResponse(access, request, is_data)) return respond(std::move(*refusal));
  HttpResponse response{.content_type = "application/json"};
  if (!is_data) response = pageResponse(embeddedPage(), request);
  else if (path == "/api/session")
    response.body =
        toText(SessionFacts{.mode = "simulation",
                            .world = published->description.world->bundle.index.scene_id,
                            .driver = driver,
                            .clients = socket.clientCount(),
                            .dropped = socket.droppedCount()});
  else if (auto page = pages.find(path)) response = std::move(*page);
  else response = {.status = 404, .body = "there is no such data\n"};
  if (is_data && request.has_origin) response.allow_origin = request.origin;
  respond(std::move(response));
}

std::string WebBridge::Impl::callService(size_t service, gs::Bytes request,
                                         FoxgloveServer::RespondToCall respond) {
  // The answer is given on the loop's thread and sent on this one.
  auto work =
      services[service].prepare(request, [this, respond = std::move(respond)](gs::Bytes response) {
        socket.post(
            [respond, bytes = std::vector(response.begin(), response.end())] { respond(bytes); });
      });
  if (!work) return "the request is no " + services[service].type;
  if (!host.work().post(std::move(work))) return "too many requests wait already";
  return "";
}

std::string WebBridge::Impl::refuseToPublish(const ClientAdvertise::Channel& channel) const {
  if (channel.topic != gs_sim::kCommandTopic)
    return "'" + channel.topic + "' is not listened to; commands go to " + gs_sim::kCommandTopic;
  if (channel.encoding != kEncoding)
    return "'" + channel.encoding + "' is not understood; commands are sent as cdr";
  if (withMsg(channel.type) != control_type)
    return "commands are " + control_type + " here (simulation.control_mode), not " + channel.type;
  return "";
}

std::string WebBridge::Impl::receiveControl(gs::Bytes bytes) {
  std::string why;
  const auto control = gs_sim::findControlInput(control_type, bytes, parameters.vehicle, &why);
  if (!control) return "the command is no " + control_type + ": " + why;
  mailbox.put(*control);
  host.work().wake();
  return "";
}

void WebBridge::Impl::getParameters(ClientId client, const GetParameters& request) {
  const bool is_taken = host.work().post([this, client, request] {
    socket.post(
        [this, client, id = request.id, values = parametersOf(host.parameters(), request.names)] {
          protocol.sendParameters(client, values, id);
        });
  });
  if (!is_taken) protocol.sendStatus(client, StatusLevel::Error, "too many requests wait already");
}

void WebBridge::Impl::setParameters(ClientId client, const SetParameters& request) {
  const bool is_taken = host.work().post([this, client, request] {
    socket.post([this, client, change = changeParameters(host, request.wishes), id = request.id] {
      for (const std::string& problem : change.problems)
        protocol.sendStatus(client, StatusLevel::Error, problem);
      if (id) protocol.sendParameters(client, change.values, id);
    });
  });
  if (!is_taken) protocol.sendStatus(client, StatusLevel::Error, "too many requests wait already");
}

WebBridge::WebBridge(const WebSettings& settings, const gs_sim::SimulationParameters& parameters,
                     gs_sim::SimulationHost& host)
    : impl_(std::make_unique<Impl>(settings, parameters, host)) {
  host.attach(*this);
}

WebBridge::~WebBridge() { impl_->host.detach(*this); }

void WebBridge::publish(const gs_sim::PublishedStep& step) {
  Impl& self = *impl_;
  if (self.inbox.put(step.messages, self.generation, self.socket.clientCount() > 0))
    self.socket.post([&self] { self.drain(); });
}

void WebBridge::publishStatus(const gs_sim::PublishedStep& now) { publish(now); }

std::optional<gs_sim::ControlInput> WebBridge::nextControl(const gs_sim::StepInfo&) {
  return impl_->mailbox.take();
}

void WebBridge::forgetThePast() { impl_->mailbox.take(); }

void WebBridge::useNewWorld() {
  Impl& self = *impl_;
  self.mailbox.take();
  ++self.generation;
  self.socket.post(
      [&self, next = std::make_shared<PublishedChannels>(self.host.describe(), self.generation),
       stamp = self.host.current().info.stamp] { self.useChannels(next, stamp); });
}

void WebBridge::tellParameters(const std::vector<gs_sim::Parameter>& changed) {
  impl_->socket.post([self = impl_.get(), changed] { self->protocol.tellParameters(changed); });
}

void WebBridge::tellDriver(const std::string& driver) {
  impl_->socket.post([self = impl_.get(), driver] {
    self->driver = driver;
    self->publishDriver();
  });
}

std::string WebBridge::url() const { return impl_->socket.url(); }
uint16_t WebBridge::port() const { return impl_->socket.port(); }

}  // namespace gs_web

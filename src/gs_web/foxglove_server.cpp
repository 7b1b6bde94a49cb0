// SPDX-License-Identifier: Apache-2.0
#include "gs_web/foxglove_server.hpp"

#include <algorithm>
#include <utility>

namespace gs_web {
namespace {

constexpr uint16_t kProtocolError = 1002;
constexpr size_t kMaxClientChannels = 100;
// Keys of the send queue that are no channel.
constexpr uint64_t kTimeKey = uint64_t{1} << 32;

}  // namespace

FoxgloveServer::FoxgloveServer(ServerInfo info, std::vector<ServiceInfo> services,
                               Callbacks callbacks)
    : info_(std::move(info)), services_(std::move(services)), callbacks_(std::move(callbacks)) {}

void FoxgloveServer::setChannels(const std::vector<ChannelSpec>& wanted) {
  std::vector<Channel> before = std::exchange(channels_, {});
  std::vector<ChannelInfo> added;
  for (const ChannelSpec& spec : wanted) {
    const auto kept = std::find_if(before.begin(), before.end(),
                                   [&](const Channel& old) { return old.spec == spec; });
    if (kept != before.end()) {
      channels_.push_back(std::move(*kept));
      before.erase(kept);
      continue;
    }
    channels_.push_back({next_channel_++, spec, {}, nullptr});
    added.push_back({channels_.back().id, spec.topic, spec.type, spec.schema});
  }
  std::vector<uint32_t> removed;
  std::vector<std::string> removed_topics;
  for (const Channel& old : before) {
    removed.push_back(old.id);
    removed_topics.push_back(old.spec.topic);
  }
  for (auto& [client, session] : sessions_) {
    for (const uint32_t id : removed) {
      callbacks_.forget(client, id);
      if (const auto found = session.subscription_of_channel.find(id);
          found != session.subscription_of_channel.end()) {
        session.channel_of_subscription.erase(found->second);
        session.subscription_of_channel.erase(found);
      }
    }
    if (!removed.empty()) sendText(client, unadvertiseText(removed));
    if (!added.empty()) sendText(client, advertiseText(added));
  }
  tellGraph(removed_topics);
}

bool FoxgloveServer::isWanted(size_t channel) const {
  const uint32_t id = channels_[channel].id;
  return std::any_of(sessions_.begin(), sessions_.end(), [id](const auto& entry) {
    return entry.second.subscription_of_channel.contains(id);
  });
}

void FoxgloveServer::publish(size_t channel, gs::Stamp stamp, const Payload& payload) {
  Channel& to = channels_[channel];
  if (to.spec.is_latched) {
    to.latched_at = stamp;
    to.latched = payload;
  }
  for (const auto& [client, session] : sessions_) publishTo(client, channel, stamp, payload);
}

void FoxgloveServer::publishTo(ClientId client, size_t channel, gs::Stamp stamp,
                               const Payload& payload) {
  const Channel& to = channels_[channel];
  const auto session = sessions_.find(client);
  if (session == sessions_.end()) return;
  const auto subscription = session->second.subscription_of_channel.find(to.id);
  if (subscription == session->second.subscription_of_channel.end()) return;
  callbacks_.send(client, {.head = messageHead(subscription->second, stamp),
                           .body = payload,
                           .channel = to.id,
                           .max_waiting = to.spec.max_waiting});
}

void FoxgloveServer::publishTime(gs::Stamp stamp) {
  for (const auto& [client, session] : sessions_)
    callbacks_.send(client, {.head = timeMessage(stamp), .channel = kTimeKey});
}

void FoxgloveServer::sendParameters(ClientId client, const std::vector<gs_sim::Parameter>& values,
                                    const std::optional<std::string>& id) {
  sendText(client, parameterValuesText(values, id));
}

void FoxgloveServer::tellParameters(const std::vector<gs_sim::Parameter>& changed) {
  for (const auto& [client, session] : sessions_) {
    std::vector<gs_sim::Parameter> heard;
    for (const gs_sim::Parameter& parameter : changed)
      if (session.hears_all_parameters || session.parameters.contains(parameter.name))
        heard.push_back(parameter);
    if (!heard.empty()) sendParameters(client, heard, std::nullopt);
  }
}

void FoxgloveServer::sendStatus(ClientId client, StatusLevel level, const std::string& message) {
  sendText(client, statusText(level, message));
}

void FoxgloveServer::open(ClientId client) {
  sessions_[client] = {};
  sendText(client, toText(info_));
  std::vector<ChannelInfo> all;
  for (const Channel& channel : channels_)
    all.push_back({channel.id, channel.spec.topic, channel.spec.type, channel.spec.schema});
  sendText(client, advertiseText(all));
  sendText(client, advertiseServicesText(services_));
}

void FoxgloveServer::receive(ClientId client, bool is_text, gs::Bytes bytes) {
  const auto found = sessions_.find(client);
  if (found == sessions_.end()) return;
  const ClientOperation operation =
      is_text ? decodeClientText(gs::asText(bytes)) : decodeClientBinary(bytes);
  std::visit([&](const auto& request) { on(client, found->second, request); }, operation);
}

void FoxgloveServer::close(ClientId client) {
  sessions_.erase(client);
  tellGraph();
}

void FoxgloveServer::on(ClientId client, Session& session, const Subscribe& request) {
  for (const auto& [subscription, channel_id] : request.wishes) {
    const auto channel = findChannel(channel_id);
    if (!channel) {  // it may have gone a moment ago, with its world
      sendStatus(client, StatusLevel::Warning, "there is no channel " + std::to_string(channel_id));
      continue;
    }
    if (session.channel_of_subscription.contains(subscription) ||
        session.subscription_of_channel.contains(channel_id)) {
      sendStatus(client, StatusLevel::Error,
                 "subscription " + std::to_string(subscription) + " to channel " +
                     std::to_string(channel_id) + " exists already");
      continue;
    }
    session.channel_of_subscription[subscription] = channel_id;
    session.subscription_of_channel[channel_id] = subscription;
    const Channel& to = channels_[*channel];
    if (to.spec.is_latched && to.latched) publishTo(client, *channel, to.latched_at, to.latched);
    else callbacks_.subscribed(client, *channel);
  }
  tellGraph();
}

void FoxgloveServer::on(ClientId client, Session& session, const Unsubscribe& request) {
  for (const uint32_t subscription : request.ids) {
    const auto found = session.channel_of_subscription.find(subscription);
    if (found == session.channel_of_subscription.end()) continue;
    callbacks_.forget(client, found->second);
    session.subscription_of_channel.erase(found->second);
    session.channel_of_subscription.erase(found);
  }
  tellGraph();
}

void FoxgloveServer::on(ClientId client, Session& session, const ClientAdvertise& request) {
  for (const ClientAdvertise::Channel& channel : request.channels) {
    std::string problem = callbacks_.refuseToPublish(channel);
    if (problem.empty() && session.published.contains(channel.id))
      problem = "channel " + std::to_string(channel.id) + " is in use";
    if (problem.empty() && session.published.size() >= kMaxClientChannels)
      problem = "too many channels";
    if (problem.empty()) session.published[channel.id] = channel;
    else sendStatus(client, StatusLevel::Error, problem);
  }
}

void FoxgloveServer::on(ClientId, Session& session, const ClientUnadvertise& request) {
  for (const uint32_t id : request.ids) session.published.erase(id);
}

void FoxgloveServer::on(ClientId client, Session&, const GetParameters& request) {
  callbacks_.getParameters(client, request);
}

void FoxgloveServer::on(ClientId client, Session&, const SetParameters& request) {
  callbacks_.setParameters(client, request);
}

void FoxgloveServer::on(ClientId, Session& session, const SubscribeParameters& request) {
  if (request.names.empty()) {
    session.hears_all_parameters = request.is_on;
    if (!request.is_on) session.parameters.clear();
  }
  for (const std::string& name : request.names) {
    if (!request.is_on) session.parameters.erase(name);
    else if (session.parameters.size() < kMaxClientChannels) session.parameters.insert(name);
  }
}

void FoxgloveServer::on(ClientId client, Session& session, const SubscribeGraph& request) {
  session.hears_graph = request.is_on;
  if (request.is_on) sendText(client, connectionGraphText(graph(), {}));
}

void FoxgloveServer::on(ClientId client, Session& session, const ClientMessage& request) {
  const auto channel = session.published.find(request.channel);
  if (channel == session.published.end())
    return sendStatus(client, StatusLevel::Error,
                      "channel " + std::to_string(request.channel) + " was not advertised");
  const std::string problem = callbacks_.published(channel->second, request.data);
  if (!problem.empty()) sendStatus(client, StatusLevel::Error, problem);
}

void FoxgloveServer::on(ClientId client, Session&, const ServiceCall& request) {
  const uint32_t service = request.service, call = request.call;
  const auto fail = [&](const std::string& why) {
    sendText(client, serviceFailureText(service, call, why));
  };
  const auto found = std::find_if(services_.begin(), services_.end(),
                                  [&](const ServiceInfo& info) { return info.id == service; });
  if (found == services_.end()) return fail("there is no service " + std::to_string(service));
  if (request.encoding != kEncoding) return fail("requests are understood as cdr only");
  const std::string problem = callbacks_.call(
      static_cast<size_t>(found - services_.begin()), request.data,
      [this, client, service, call](gs::Bytes response) {
        callbacks_.send(client, {.head = serviceResponseHead(service, call, kEncoding),
                                 .body = std::make_shared<const std::vector<std::byte>>(
                                     response.begin(), response.end())});
      });
  if (!problem.empty()) fail(problem);
}

void FoxgloveServer::on(ClientId client, Session&, const UnknownOperation& request) {
  sendStatus(client, StatusLevel::Warning, "'" + request.name + "' is not understood here");
}

void FoxgloveServer::on(ClientId client, Session&, const Malformed& request) {
  sendStatus(client, StatusLevel::Error, request.why);
  callbacks_.close(client, kProtocolError, request.why);
}

std::optional<size_t> FoxgloveServer::findChannel(uint32_t id) const {
  const auto found = std::find_if(channels_.begin(), channels_.end(),
                                  [id](const Channel& channel) { return channel.id == id; });
  if (found == channels_.end()) return std::nullopt;
  return static_cast<size_t>(found - channels_.begin());
}

void FoxgloveServer::sendText(ClientId client, std::string text) {
  callbacks_.send(client, {.head = std::move(text), .is_text = true});
}

ConnectionGraph FoxgloveServer::graph() const {
  ConnectionGraph graph;
  for (const Channel& channel : channels_) graph.published[channel.spec.topic] = {info_.name};
  for (const ServiceInfo& service : services_) graph.services[service.name] = {info_.name};
  for (const auto& [client, session] : sessions_)
    for (const auto& [subscription, id] : session.channel_of_subscription)
      if (const auto channel = findChannel(id))
        graph.subscribed[channels_[*channel].spec.topic].push_back("client " +
                                                                   std::to_string(client));
  // A topic that lost its last listener must be named to become empty.
  for (const Channel& channel : channels_) graph.subscribed[channel.spec.topic];
  return graph;
}

void FoxgloveServer::tellGraph(const std::vector<std::string>& removed_topics) {
  const auto hears = [](const auto& entry) { return entry.second.hears_graph; };
  if (std::none_of(sessions_.begin(), sessions_.end(), hears)) return;
  const std::string text = connectionGraphText(graph(), removed_topics);
  for (const auto& [client, session] : sessions_)
    if (session.hears_graph) sendText(client, text);
}

}  // namespace gs_web

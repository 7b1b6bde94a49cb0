// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "gs_web/foxglove_protocol.hpp"
#include "gs_web/send_queue.hpp"
#include "gs_web/socket_server.hpp"

namespace gs_web {

// A topic to publish on.
struct ChannelSpec {
  std::string topic, type, schema;
  size_t max_waiting = 1;   // per client, see Frame
  bool is_latched = false;  // the last message is for everybody who comes later

  bool operator==(const ChannelSpec&) const = default;
};

// The protocol of all clients: who subscribed to what, who publishes what. Knows no sockets and no
// simulation; belongs to one thread.
class FoxgloveServer {
 public:
  using RespondToCall = std::function<void(gs::Bytes)>;
  struct Callbacks {
    std::function<void(ClientId, Frame)> send;
    std::function<void(ClientId, uint64_t channel)>
        forget;  // what waits of an unsubscribed channel
    std::function<void(ClientId, uint16_t code, const std::string& why)> close;
    // Why a client may not publish that; empty when it may.
    std::function<std::string(const ClientAdvertise::Channel&)> refuseToPublish;
    // A message of a client. Says what is wrong with it, or nothing.
    std::function<std::string(const ClientAdvertise::Channel&, gs::Bytes)> published;
    // Says why the call cannot be made, or calls `respond` once, on this thread.
    std::function<std::string(size_t service, gs::Bytes request, RespondToCall respond)> call;
    std::function<void(ClientId, const GetParameters&)> getParameters;
    std::function<void(ClientId, const SetParameters&)> setParameters;
    // Somebody new listens to a channel.
    std::function<void(ClientId, size_t channel)> subscribed;
  };

  FoxgloveServer(ServerInfo info, std::vector<ServiceInfo> services, Callbacks callbacks);

  // Of a new world. Channels that stay the same keep their subscribers.
  void setChannels(const std::vector<ChannelSpec>& channels);
  bool isWanted(size_t channel) const;  // index of setChannels()
  void publish(size_t channel, gs::Stamp stamp, const Payload& payload);
  void publishTo(ClientId client, size_t channel, gs::Stamp stamp, const Payload& payload);
  void publishTime(gs::Stamp stamp);

  void sendParameters(ClientId client, const std::vector<gs_sim::Parameter>& values,
                      const std::optional<std::string>& id);
  // To those who asked to hear of changes.
  void tellParameters(const std::vector<gs_sim::Parameter>& changed);
  void sendStatus(ClientId client, StatusLevel level, const std::string& message);

  void open(ClientId client);
  void receive(ClientId client, bool is_text, gs::Bytes bytes);
  void close(ClientId client);

 private:
  struct Session {
    std::map<uint32_t, uint32_t> channel_of_subscription;
    std::map<uint32_t, uint32_t> subscription_of_channel;
    std::map<uint32_t, ClientAdvertise::Channel> published;
    std::set<std::string> parameters;
    bool hears_all_parameters = false;
    bool hears_graph = false;
  };
  struct Channel {
    uint32_t id;  // never used again for another channel
    ChannelSpec spec;
    gs::Stamp latched_at;
    Payload latched;  // null: nothing was published yet
  };

  void on(ClientId client, Session& session, const Subscribe& request);
  void on(ClientId client, Session& session, const Unsubscribe& request);
  void on(ClientId client, Session& session, const ClientAdvertise& request);
  void on(ClientId client, Session& session, const ClientUnadvertise& request);
  void on(ClientId client, Session& session, const GetParameters& request);
  void on(ClientId client, Session& session, const SetParameters& request);
  void on(ClientId client, Session& session, const SubscribeParameters& request);
  void on(ClientId client, Session& session, const SubscribeGraph& request);
  void on(ClientId client, Session& session, const ClientMessage& request);
  void on(ClientId client, Session& session, const ServiceCall& request);
  void on(ClientId client, Session& session, const UnknownOperation& request);
  void on(ClientId client, Session& session, const Malformed& request);

  std::optional<size_t> findChannel(uint32_t id) const;
  void sendText(ClientId client, std::string text);
  ConnectionGraph graph() const;
  void tellGraph(const std::vector<std::string>& removed_topics = {});

  const ServerInfo info_;
  const std::vector<ServiceInfo> services_;
  const Callbacks callbacks_;
  std::vector<Channel> channels_;
  uint32_t next_channel_ = 1;
  std::map<ClientId, Session> sessions_;
};

}  // namespace gs_web

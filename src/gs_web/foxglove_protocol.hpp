// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "gs/core/bytes.hpp"
#include "gs/core/time.hpp"
#include "gs_sim/parameter_store.hpp"

// The messages of foxglove.websocket.v1, as values. Pure functions; what a client sent is checked
// here and nowhere else. https://github.com/foxglove/ws-protocol/blob/main/docs/spec.md
namespace gs_web {

constexpr const char* kSubprotocol = "foxglove.websocket.v1";
constexpr const char* kEncoding = "cdr";

struct ServerInfo {
  std::string name;
  std::vector<std::string> capabilities;
  std::map<std::string, std::string> metadata;
  std::string session_id;
};

struct ChannelInfo {
  uint32_t id = 0;
  std::string topic, type, schema;  // schema: ros2msg
};

struct ServiceInfo {
  uint32_t id = 0;
  std::string name, type;
  std::string request_type, request_schema, response_type, response_schema;
};

enum class StatusLevel { Info = 0, Warning = 1, Error = 2 };

// Text messages of the server.
std::string toText(const ServerInfo& info);
std::string advertiseText(std::span<const ChannelInfo> channels);
std::string unadvertiseText(std::span<const uint32_t> channel_ids);
std::string advertiseServicesText(std::span<const ServiceInfo> services);
std::string statusText(StatusLevel level, const std::string& message);
std::string serviceFailureText(uint32_t service, uint32_t call, const std::string& message);
// `id` is that of the request, if it had one.
std::string parameterValuesText(const std::vector<gs_sim::Parameter>& parameters,
                                const std::optional<std::string>& id);
// Who publishes, who listens, who answers; by name.
struct ConnectionGraph {
  std::map<std::string, std::vector<std::string>> published, subscribed, services;
};
std::string connectionGraphText(const ConnectionGraph& graph,
                                const std::vector<std::string>& removed_topics);

// Binary messages of the server, without their payload.
std::string messageHead(uint32_t subscription, gs::Stamp stamp);
std::string timeMessage(gs::Stamp stamp);
std::string serviceResponseHead(uint32_t service, uint32_t call, std::string_view encoding);

// What clients send.
struct Subscribe {
  struct Wish {
    uint32_t id, channel;
  };
  std::vector<Wish> wishes;
};
struct Unsubscribe {
  std::vector<uint32_t> ids;
};
struct ClientAdvertise {
  struct Channel {
    uint32_t id;
    std::string topic, encoding, type;
  };
  std::vector<Channel> channels;
};
struct ClientUnadvertise {
  std::vector<uint32_t> ids;
};
struct GetParameters {
  std::vector<std::string> names;  // empty: all
  std::optional<std::string> id;
};
struct SetParameters {
  std::vector<gs_sim::Parameter> wishes;
  std::optional<std::string> id;
};
struct SubscribeParameters {
  std::vector<std::string> names;  // empty: all
  bool is_on = true;
};
struct SubscribeGraph {
  bool is_on = true;
};
struct ClientMessage {
  uint32_t channel = 0;
  gs::Bytes data;  // of the bytes decoded
};
struct ServiceCall {
  uint32_t service = 0, call = 0;
  std::string_view encoding;
  gs::Bytes data;
};
struct UnknownOperation {
  std::string name;  // of a newer version of the protocol
};
// Nothing that the protocol knows: whoever sends it cannot be talked to.
struct Malformed {
  std::string why;
};

using ClientOperation =
    std::variant<Subscribe, Unsubscribe, ClientAdvertise, ClientUnadvertise, GetParameters,
                 SetParameters, SubscribeParameters, SubscribeGraph, ClientMessage, ServiceCall,
                 UnknownOperation, Malformed>;
ClientOperation decodeClientText(std::string_view text);
ClientOperation decodeClientBinary(gs::Bytes bytes);

}  // namespace gs_web

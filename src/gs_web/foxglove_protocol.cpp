// SPDX-License-Identifier: Apache-2.0
#include "gs_web/foxglove_protocol.hpp"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include <nlohmann/json.hpp>

#include "gs/core/document.hpp"
#include "gs_sim/parameter_store.hpp"

namespace gs_web {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kMaxEntries = 10'000;  // of one list in a request

enum ServerOpcode : char { kMessageData = 1, kTime = 2, kServiceResponse = 3 };
enum ClientOpcode : uint8_t { kClientMessage = 1, kServiceCall = 2 };

// Text from a bundle may be anything; a client must get JSON all the same.
std::string dumped(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

template <typename T>
void append(std::string& out, T value) {
  std::array<char, sizeof(T)> bytes;  // little endian, as the protocol has it and bytes.hpp checks
  std::memcpy(bytes.data(), &value, sizeof(T));
  out.append(bytes.data(), bytes.size());
}

std::optional<uint32_t> takeUint32(gs::Bytes& bytes) {
  uint32_t value = 0;
  if (bytes.size() < sizeof(value)) return std::nullopt;
  std::memcpy(&value, bytes.data(), sizeof(value));
  bytes = bytes.subspan(sizeof(value));
  return value;
}

// JSON has no infinity.
Json numberJson(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json toJson(const gs_sim::ParameterValue& value) {
  return std::visit(
      []<typename T>(const T& held) -> Json {
        if constexpr (std::is_same_v<T, double>) return numberJson(held);
        if constexpr (std::is_same_v<T, std::vector<double>>) {
          Json list = Json::array();
          for (const double item : held) list.push_back(numberJson(item));
          return list;
        }
        // Bytes are no parameters of ours; the protocol would have them as base64.
        if constexpr (std::is_same_v<T, std::monostate> ||
                      std::is_same_v<T, std::vector<std::byte>>)
          return nullptr;
        else return held;
      },
      value);
}

// The request that is being read, with the first thing that is wrong with it.
class Request {
 public:
  explicit Request(const gs::Node& root) : root_(root) {}

  const std::string& problem() const { return problem_; }

  uint32_t number(const gs::Node& in, const char* key) {
    const gs::Node* found = in.find(key);
    const auto value = found != nullptr ? found->findInteger() : std::nullopt;
    if (!value || *value < 0 || *value > std::numeric_limits<uint32_t>::max()) {
      fail(std::string("'") + key + "' is no number");
      return 0;
    }
    return static_cast<uint32_t>(*value);
  }

  std::string text(const gs::Node& in, const char* key) {
    const gs::Node* found = in.find(key);
    auto value = found != nullptr ? found->findString() : std::nullopt;
    if (!value) fail(std::string("'") + key + "' is no text");
    return value.value_or("");
  }

  std::optional<std::string> id() {
    const gs::Node* found = root_.find("id");
    if (found == nullptr || found->kind == gs::Node::Kind::Null) return std::nullopt;
    return text(root_, "id");
  }

  const std::vector<gs::Node>& list(const char* key) {
    static const std::vector<gs::Node> kNone;
    const gs::Node* found = root_.find(key);
    if (found == nullptr || found->kind != gs::Node::Kind::Sequence) {
      fail(std::string("'") + key + "' is no list");
      return kNone;
    }
    if (found->items.size() > kMaxEntries) {
      fail(std::string("'") + key + "' is too long");
      return kNone;
    }
    return found->items;
  }

  std::vector<uint32_t> numbers(const char* key) {
    std::vector<uint32_t> values;
    for (const gs::Node& item : list(key)) {
      const auto value = item.findInteger();
      if (!value || *value < 0 || *value > std::numeric_limits<uint32_t>::max())
        fail(std::string("'") + key + "' holds something that is no number");
      else values.push_back(static_cast<uint32_t>(*value));
    }
    return values;
  }

  std::vector<std::string> texts(const char* key) {
    std::vector<std::string> values;
    for (const gs::Node& item : list(key)) {
      if (auto value = item.findString()) values.push_back(std::move(*value));
      else fail(std::string("'") + key + "' holds something that is no text");
    }
    return values;
  }

 private:
  void fail(std::string why) {
    if (problem_.empty()) problem_ = std::move(why);
  }

  const gs::Node& root_;
  std::string problem_;
};

// A whole number is meant as float64 where the client says so; otherwise the store decides.
gs_sim::Parameter parameterOf(Request& request, const gs::Node& node) {
  gs_sim::Parameter parameter{.name = request.text(node, "name"), .value = {}};
  const gs::Node* value = node.find("value");
  if (value == nullptr) return parameter;
  if (const auto converted = gs_sim::toParameter(*value)) parameter.value = *converted;
  const gs::Node* type = node.find("type");
  if (type != nullptr && type->findString() == "float64")
    if (const auto number = value->findDouble()) parameter.value = *number;
  return parameter;
}

ClientOperation decodeOperation(const std::string& op, Request& request) {
  if (op == "subscribe") {
    Subscribe all;
    for (const gs::Node& item : request.list("subscriptions"))
      all.wishes.push_back({request.number(item, "id"), request.number(item, "channelId")});
    return all;
  }
  if (op == "unsubscribe") return Unsubscribe{request.numbers("subscriptionIds")};
  if (op == "advertise") {
    ClientAdvertise all;
    for (const gs::Node& item : request.list("channels"))
      all.channels.push_back({request.number(item, "id"), request.text(item, "topic"),
                              request.text(item, "encoding"), request.text(item, "schemaName")});
    return all;
  }
  if (op == "unadvertise") return ClientUnadvertise{request.numbers("channelIds")};
  if (op == "getParameters") return GetParameters{request.texts("parameterNames"), request.id()};
  if (op == "setParameters") {
    SetParameters all{.wishes = {}, .id = request.id()};
    for (const gs::Node& item : request.list("parameters"))
      all.wishes.push_back(parameterOf(request, item));
    return all;
  }
  if (op == "subscribeParameterUpdates")
    return SubscribeParameters{request.texts("parameterNames"), true};
  if (op == "unsubscribeParameterUpdates")
    return SubscribeParameters{request.texts("parameterNames"), false};
  if (op == "subscribeConnectionGraph") return SubscribeGraph{true};
  if (op == "unsubscribeConnectionGraph") return SubscribeGraph{false};
  return UnknownOperation{op.substr(0, 50)};
}

Json graphJson(const std::map<std::string, std::vector<std::string>>& from, const char* key) {
  Json list = Json::array();
  for (const auto& [name, ids] : from) list.push_back({{"name", name}, {key, ids}});
  return list;
}

}  // namespace

std::string toText(const ServerInfo& info) {
  Json metadata = Json::object();
  for (const auto& [key, value] : info.metadata) metadata[key] = value;
  return dumped({{"op", "serverInfo"},
                 {"name", info.name},
                 {"capabilities", info.capabilities},
                 {"supportedEncodings", {kEncoding}},
                 {"metadata", metadata},
                 {"sessionId", info.session_id}});
}

std::string advertiseText(std::span<const ChannelInfo> channels) {
  Json list = Json::array();
  for (const ChannelInfo& channel : channels)
    list.push_back({{"id", channel.id},
                    {"topic", channel.topic},
                    {"encoding", kEncoding},
                    {"schemaName", channel.type},
                    {"schema", channel.schema},
                    {"schemaEncoding", "ros2msg"}});
  return dumped({{"op", "advertise"}, {"channels", list}});
}

std::string unadvertiseText(std::span<const uint32_t> channel_ids) {
  return dumped({{"op", "unadvertise"},
                 {"channelIds", std::vector<uint32_t>(channel_ids.begin(), channel_ids.end())}});
}

std::string advertiseServicesText(std::span<const ServiceInfo> services) {
  Json list = Json::array();
  const auto half = [](const std::string& type, const std::string& schema) {
    return Json{{"encoding", kEncoding},
                {"schemaName", type},
                {"schemaEncoding", "ros2msg"},
                {"schema", schema}};
  };
  // Both forms: clients before and after the protocol learned of several encodings.
  for (const ServiceInfo& service : services)
    list.push_back({{"id", service.id},
                    {"name", service.name},
                    {"type", service.type},
                    {"request", half(service.request_type, service.request_schema)},
                    {"response", half(service.response_type, service.response_schema)},
                    {"requestSchema", service.request_schema},
                    {"responseSchema", service.response_schema}});
  return dumped({{"op", "advertiseServices"}, {"services", list}});
}

std::string statusText(StatusLevel level, const std::string& message) {
  return dumped({{"op", "status"}, {"level", static_cast<int>(level)}, {"message", message}});
}

std::string serviceFailureText(uint32_t service, uint32_t call, const std::string& message) {
  return dumped({{"op", "serviceCallFailure"},
                 {"serviceId", service},
                 {"callId", call},
                 {"message", message}});
}

std::string parameterValuesText(const std::vector<gs_sim::Parameter>& parameters,
                                const std::optional<std::string>& id) {
  Json list = Json::array();
  for (const gs_sim::Parameter& parameter : parameters) {
    Json entry = {{"name", parameter.name}};
    // Absent is how the protocol says that a parameter is not set.
    if (Json value = toJson(parameter.value); !value.is_null()) entry["value"] = std::move(value);
    if (std::holds_alternative<double>(parameter.value)) entry["type"] = "float64";
    if (std::holds_alternative<std::vector<double>>(parameter.value))
      entry["type"] = "float64_array";
    list.push_back(std::move(entry));
  }
  Json json = {{"op", "parameterValues"}, {"parameters", std::move(list)}};
  if (id) json["id"] = *id;
  return dumped(json);
}

std::string connectionGraphText(const ConnectionGraph& graph,
                                const std::vector<std::string>& removed_topics) {
  return dumped({{"op", "connectionGraphUpdate"},
                 {"publishedTopics", graphJson(graph.published, "publisherIds")},
                 {"subscribedTopics", graphJson(graph.subscribed, "subscriberIds")},
                 {"advertisedServices", graphJson(graph.services, "providerIds")},
                 {"removedTopics", removed_topics},
                 {"removedServices", Json::array()}});
}

std::string messageHead(uint32_t subscription, gs::Stamp stamp) {
  std::string head(1, kMessageData);
  append(head, subscription);
  append(head, static_cast<uint64_t>(stamp.ns));
  return head;
}

std::string timeMessage(gs::Stamp stamp) {
  std::string head(1, kTime);
  append(head, static_cast<uint64_t>(stamp.ns));
  return head;
}

std::string serviceResponseHead(uint32_t service, uint32_t call, std::string_view encoding) {
  std::string head(1, kServiceResponse);
  append(head, service);
  append(head, call);
  append(head, static_cast<uint32_t>(encoding.size()));
  head += encoding;
  return head;
}

ClientOperation decodeClientText(std::string_view text) {
  std::vector<gs::Problem> problems;
  const auto root = gs::parseDocument(text, gs::DocumentFormat::Json, problems);
  if (!root || root->kind != gs::Node::Kind::Map) return Malformed{"the text is no JSON object"};
  const gs::Node* op = root->find("op");
  const auto name = op != nullptr ? op->findString() : std::nullopt;
  if (!name) return Malformed{"there is no 'op'"};
  Request request(*root);
  ClientOperation operation = decodeOperation(*name, request);
  if (!request.problem().empty()) return Malformed{*name + ": " + request.problem()};
  return operation;
}

ClientOperation decodeClientBinary(gs::Bytes bytes) {
  if (bytes.empty()) return Malformed{"the message is empty"};
  const auto opcode = static_cast<uint8_t>(bytes[0]);
  bytes = bytes.subspan(1);
  if (opcode == kClientMessage) {
    const auto channel = takeUint32(bytes);
    if (!channel) return Malformed{"the message ends within its channel"};
    return ClientMessage{*channel, bytes};
  }
  if (opcode != kServiceCall) return Malformed{"opcode " + std::to_string(opcode) + " is unknown"};
  const auto service = takeUint32(bytes), call = takeUint32(bytes), length = takeUint32(bytes);
  if (!service || !call || !length || *length > bytes.size())
    return Malformed{"the service call is shorter than it says"};
  return ServiceCall{*service, *call, gs::asText(bytes.first(*length)), bytes.subspan(*length)};
}

}  // namespace gs_web

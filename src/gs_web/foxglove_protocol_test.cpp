// SPDX-License-Identifier: Apache-2.0
#include "gs_web/foxglove_protocol.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "gs_sim/parameter_store.hpp"

namespace gs_web {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;

gs::Bytes bytes(const std::string& text) { return gs::asBytes(text); }

template <typename T>
T expect(const ClientOperation& operation) {
  if (const auto* found = std::get_if<T>(&operation)) return *found;
  ADD_FAILURE() << "another operation: " << operation.index();
  return T();
}

std::string problemOf(const std::string& text) {
  return expect<Malformed>(decodeClientText(text)).why;
}

TEST(FoxgloveProtocol, BinaryHeadsAreLittleEndian) {
  EXPECT_EQ(messageHead(0x01020304, gs::Stamp{0x1122334455667788}),
            std::string("\x01\x04\x03\x02\x01\x88\x77\x66\x55\x44\x33\x22\x11", 13));
  EXPECT_EQ(timeMessage(gs::Stamp{1}), std::string("\x02\x01\0\0\0\0\0\0\0", 9));
  EXPECT_EQ(serviceResponseHead(5, 6, "cdr"), std::string("\x03\5\0\0\0\6\0\0\0\3\0\0\0cdr", 16));
}

TEST(FoxgloveProtocol, AChannelIsAdvertisedWithItsDefinition) {
  const ChannelInfo channel{3, "/odom", "nav_msgs/msg/Odometry", "float64 x\n"};
  EXPECT_EQ(json::parse(advertiseText({&channel, 1})),
            json::parse(R"({"op": "advertise", "channels": [{"id": 3, "topic": "/odom",
              "encoding": "cdr", "schemaName": "nav_msgs/msg/Odometry", "schema": "float64 x\n",
              "schemaEncoding": "ros2msg"}]})"));
}

TEST(FoxgloveProtocol, TextThatIsNoUnicodeStillMakesJson) {
  EXPECT_TRUE(json::accept(statusText(StatusLevel::Error, "\xff\xfe \"quoted\" \n")));
}

TEST(FoxgloveProtocol, ParametersSayTheirKindOfNumber) {
  const std::vector<gs_sim::Parameter> parameters = {
      {"a", 2.0}, {"b", int64_t{2}}, {"c", std::string("x")}, {"d", {}}, {"e", std::nan("")}};
  EXPECT_EQ(json::parse(parameterValuesText(parameters, "7")),
            json::parse(R"({"op": "parameterValues", "id": "7", "parameters": [
              {"name": "a", "value": 2.0, "type": "float64"}, {"name": "b", "value": 2},
              {"name": "c", "value": "x"}, {"name": "d"}, {"name": "e", "type": "float64"}]})"));
  EXPECT_FALSE(json::parse(parameterValuesText({}, std::nullopt)).contains("id"));
}

TEST(FoxgloveProtocol, RequestsAreRead) {
  const auto subscribe = expect<Subscribe>(decodeClientText(
      R"({"op": "subscribe", "subscriptions": [{"id": 0, "channelId": 3}, {"id": 1, "channelId": 5}]})"));
  ASSERT_EQ(subscribe.wishes.size(), 2u);
  EXPECT_EQ(subscribe.wishes[1].id, 1u);
  EXPECT_EQ(subscribe.wishes[1].channel, 5u);
  EXPECT_THAT(expect<Unsubscribe>(
                  decodeClientText(R"({"op": "unsubscribe", "subscriptionIds": [0, 4294967295]})"))
                  .ids,
              ElementsAre(0, 4294967295u));
  const auto advertise = expect<ClientAdvertise>(decodeClientText(
      R"({"op": "advertise", "channels": [{"id": 9, "topic": "/a", "encoding": "cdr", "schemaName": "b"}]})"));
  EXPECT_EQ(advertise.channels.at(0).topic, "/a");
  const auto get = expect<GetParameters>(
      decodeClientText(R"({"op": "getParameters", "parameterNames": ["x"], "id": "1"})"));
  EXPECT_EQ(get.id, "1");
  const auto set = expect<SetParameters>(decodeClientText(
      R"({"op": "setParameters", "parameters": [{"name": "a", "value": 3, "type": "float64"},
          {"name": "b", "value": 3}, {"name": "c"}, {"name": "d", "value": {"x": 1}}]})"));
  ASSERT_EQ(set.wishes.size(), 4u);
  EXPECT_EQ(set.wishes[0].value, gs_sim::ParameterValue(3.0));
  EXPECT_EQ(set.wishes[1].value, gs_sim::ParameterValue(int64_t{3}));
  EXPECT_FALSE(gs_sim::isSet(set.wishes[2].value));
  EXPECT_FALSE(set.id);
  EXPECT_EQ(expect<UnknownOperation>(decodeClientText(R"({"op": "fetchAsset", "uri": "x"})")).name,
            "fetchAsset");
}

TEST(FoxgloveProtocol, BinaryRequestsAreRead) {
  const std::string message("\x01\7\0\0\0abc", 8);
  const auto published = expect<ClientMessage>(decodeClientBinary(bytes(message)));
  EXPECT_EQ(published.channel, 7u);
  EXPECT_EQ(gs::asText(published.data), "abc");
  const std::string request("\x02\1\0\0\0\2\0\0\0\3\0\0\0cdrxy", 18);
  const auto call = expect<ServiceCall>(decodeClientBinary(bytes(request)));
  EXPECT_EQ(call.service, 1u);
  EXPECT_EQ(call.call, 2u);
  EXPECT_EQ(call.encoding, "cdr");
  EXPECT_EQ(gs::asText(call.data), "xy");
}

TEST(FoxgloveProtocol, WhatIsNoRequestIsNamed) {
  EXPECT_THAT(problemOf("{"), HasSubstr("no JSON"));
  EXPECT_THAT(problemOf("[1]"), HasSubstr("no JSON object"));
  EXPECT_THAT(problemOf("{}"), HasSubstr("op"));
  EXPECT_THAT(problemOf(R"({"op": 1})"), HasSubstr("op"));
  EXPECT_THAT(problemOf(R"({"op": "subscribe"})"), HasSubstr("subscriptions"));
  EXPECT_THAT(problemOf(R"({"op": "subscribe", "subscriptions": [1]})"), HasSubstr("id"));
  EXPECT_THAT(problemOf(R"({"op": "unsubscribe", "subscriptionIds": [-1]})"), HasSubstr("number"));
  EXPECT_THAT(problemOf(R"({"op": "unsubscribe", "subscriptionIds": [4294967296]})"),
              HasSubstr("number"));
  EXPECT_THAT(problemOf(R"({"op": "advertise", "channels": [{"id": 1}]})"), HasSubstr("topic"));
  EXPECT_THAT(problemOf(R"({"op": "getParameters", "parameterNames": [1]})"), HasSubstr("text"));
  EXPECT_THAT(problemOf(std::string(5000, '[')), HasSubstr("no JSON"));
  for (const std::string& text : {std::string(), std::string("\x05"), std::string("\x01\0\0\0", 4),
                                  std::string("\x02\1\0\0\0\2\0\0\0", 9),
                                  std::string("\x02\1\0\0\0\2\0\0\0\x04\0\0\0cdr", 16),
                                  std::string("\x02\1\0\0\0\2\0\0\0\xff\xff\xff\xff", 13)})
    EXPECT_NE(expect<Malformed>(decodeClientBinary(bytes(text))).why, "");
}

}  // namespace
}  // namespace gs_web

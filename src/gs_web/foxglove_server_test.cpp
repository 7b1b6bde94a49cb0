// SPDX-License-Identifier: Apache-2.0
#include "gs_web/foxglove_server.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace gs_web {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;

// A server whose sockets are lists.
struct Lists {
  Lists() {
    server.setChannels(
        {{"/small", "a/msg/A", "", 10},
         {"/large", "b/msg/B", "", 1},
         {.topic = "/latched", .type = "c/msg/C", .schema = "", .is_latched = true}});
  }

  FoxgloveServer::Callbacks callbacks() {
    return {.send = [this](ClientId client, Frame frame) { sent[client].push_back(frame); },
            .forget = [this](ClientId, uint64_t channel) { forgotten.push_back(channel); },
            .close = [this](ClientId client, uint16_t,
                            const std::string&) { closed.push_back(client); },
            .refuseToPublish =
                [](const auto& channel) {
                  return channel.topic == "/cmd" ? "" : "refused " + channel.topic;
                },
            .published =
                [this](const auto&, gs::Bytes data) {
                  heard.emplace_back(gs::asText(data));
                  return heard.back() == "bad" ? "bad command" : "";
                },
            .call =
                [](size_t, gs::Bytes request, const FoxgloveServer::RespondToCall& respond) {
                  if (request.empty()) return "no request";
                  respond(request);
                  return "";
                },
            .getParameters = [](ClientId, const GetParameters&) {},
            .setParameters = [](ClientId, const SetParameters&) {},
            .subscribed = [this](ClientId, size_t channel) { subscribed.push_back(channel); }};
  }

  void text(ClientId client, const std::string& message) {
    server.receive(client, true, gs::asBytes(message));
  }
  void binary(ClientId client, const std::string& message) {
    server.receive(client, false, gs::asBytes(message));
  }
  void publish(size_t channel) {
    server.publish(channel, gs::Stamp{1}, std::make_shared<std::vector<std::byte>>(4));
  }
  json last(ClientId client) const { return json::parse(sent.at(client).back().head); }
  size_t messagesTo(ClientId client) const {
    const auto found = sent.find(client);
    return found == sent.end()
               ? 0
               : std::count_if(found->second.begin(), found->second.end(),
                               [](const Frame& f) { return !f.is_text && f.head[0] == 1; });
  }

  std::map<ClientId, std::vector<Frame>> sent;
  std::vector<uint64_t> forgotten;
  std::vector<ClientId> closed;
  std::vector<std::string> heard;
  std::vector<size_t> subscribed;
  FoxgloveServer server{
      {.name = "test"}, {{.id = 4, .name = "/service", .type = "d/srv/D"}}, callbacks()};
};

TEST(FoxgloveServer, GreetsWithInfoChannelsAndServices) {
  Lists lists;
  lists.server.open(1);
  std::vector<std::string> ops;
  for (const Frame& frame : lists.sent[1]) ops.push_back(json::parse(frame.head)["op"]);
  EXPECT_THAT(ops, ElementsAre("serverInfo", "advertise", "advertiseServices"));
  for (const Frame& frame : lists.sent[1]) EXPECT_EQ(frame.channel, 0u);  // never dropped
}

TEST(FoxgloveServer, PublishesToSubscribersUnderTheirOwnNumber) {
  Lists lists;
  lists.server.open(1);
  lists.server.open(2);
  EXPECT_FALSE(lists.server.isWanted(0));
  lists.text(1, R"({"op": "subscribe", "subscriptions": [{"id": 77, "channelId": 1}]})");
  EXPECT_THAT(lists.subscribed, ElementsAre(0));
  EXPECT_TRUE(lists.server.isWanted(0));
  lists.publish(0);
  EXPECT_EQ(lists.messagesTo(1), 1u);
  EXPECT_EQ(lists.messagesTo(2), 0u);
  EXPECT_EQ(lists.sent[1].back().head, messageHead(77, gs::Stamp{1}));
  EXPECT_EQ(lists.sent[1].back().max_waiting, 10u);
  lists.text(1, R"({"op": "unsubscribe", "subscriptionIds": [77, 78]})");
  EXPECT_FALSE(lists.server.isWanted(0));
  EXPECT_THAT(lists.forgotten, ElementsAre(1));
  lists.publish(0);
  EXPECT_EQ(lists.messagesTo(1), 1u);
}

TEST(FoxgloveServer, LatchedMessagesAreForThoseWhoComeLater) {
  Lists lists;
  lists.publish(2);
  lists.server.open(1);
  lists.text(1, R"({"op": "subscribe", "subscriptions": [{"id": 0, "channelId": 3}]})");
  EXPECT_EQ(lists.messagesTo(1), 1u);
}

TEST(FoxgloveServer, ASubscriptionTwiceAndAnUnknownChannelAreSaid) {
  Lists lists;
  lists.server.open(1);
  lists.text(1, R"({"op": "subscribe", "subscriptions": [{"id": 0, "channelId": 1}]})");
  lists.text(1, R"({"op": "subscribe", "subscriptions": [{"id": 0, "channelId": 2}]})");
  EXPECT_THAT(lists.last(1)["message"], HasSubstr("exists already"));
  lists.text(1, R"({"op": "subscribe", "subscriptions": [{"id": 1, "channelId": 1}]})");
  EXPECT_THAT(lists.last(1)["message"], HasSubstr("exists already"));
  lists.text(1, R"({"op": "subscribe", "subscriptions": [{"id": 1, "channelId": 99}]})");
  EXPECT_THAT(lists.last(1)["message"], HasSubstr("no channel 99"));
  EXPECT_TRUE(lists.closed.empty());
}

TEST(FoxgloveServer, ANewWorldKeepsWhatStaysTheSame) {
  Lists lists;
  lists.server.open(1);
  lists.text(1, R"({"op": "subscribe", "subscriptions": [{"id": 0, "channelId": 1},
                                                          {"id": 1, "channelId": 2}]})");
  lists.server.setChannels({{"/small", "a/msg/A", "", 10}, {"/other", "b/msg/B", "", 1}});
  EXPECT_EQ(lists.last(1)["channels"][0]["id"], 4);  // a number is never used twice
  lists.publish(0);
  lists.publish(1);
  EXPECT_EQ(lists.messagesTo(1), 1u);
}

TEST(FoxgloveServer, CommandsAreHeardFromWhoAdvertisedThem) {
  Lists lists;
  lists.server.open(1);
  lists.text(1, R"({"op": "advertise", "channels": [
    {"id": 5, "topic": "/cmd", "encoding": "cdr", "schemaName": "x"},
    {"id": 6, "topic": "/no", "encoding": "cdr", "schemaName": "x"}]})");
  EXPECT_EQ(lists.last(1)["message"], "refused /no");
  lists.binary(1, std::string("\x01\5\0\0\0go", 7));
  EXPECT_THAT(lists.heard, ElementsAre("go"));
  lists.binary(1, std::string("\x01\5\0\0\0bad", 8));
  EXPECT_EQ(lists.last(1)["message"], "bad command");
  lists.binary(1, std::string("\x01\6\0\0\0go", 7));
  EXPECT_THAT(lists.last(1)["message"], HasSubstr("not advertised"));
  lists.server.open(2);  // numbers belong to their client
  lists.binary(2, std::string("\x01\5\0\0\0go", 7));
  EXPECT_THAT(lists.last(2)["message"], HasSubstr("not advertised"));
  lists.text(1, R"({"op": "unadvertise", "channelIds": [5]})");
  lists.binary(1, std::string("\x01\5\0\0\0go", 7));
  EXPECT_EQ(lists.heard.size(), 2u);
}

TEST(FoxgloveServer, CallsAreAnsweredOrFail) {
  Lists lists;
  lists.server.open(1);
  lists.binary(1, std::string("\x02\4\0\0\0\x09\0\0\0\3\0\0\0cdrxy", 18));
  EXPECT_EQ(lists.sent[1].back().head, serviceResponseHead(4, 9, "cdr"));
  EXPECT_EQ(lists.sent[1].back().body->size(), 2u);
  lists.binary(1, std::string("\x02\4\0\0\0\x09\0\0\0\3\0\0\0cdr", 16));
  EXPECT_EQ(lists.last(1)["op"], "serviceCallFailure");
  EXPECT_EQ(lists.last(1)["message"], "no request");
  lists.binary(1, std::string("\x02\4\0\0\0\x09\0\0\0\4\0\0\0json{}", 19));
  EXPECT_THAT(lists.last(1)["message"], HasSubstr("cdr only"));
  lists.binary(1, std::string("\x02\5\0\0\0\x09\0\0\0\3\0\0\0cdrxy", 18));
  EXPECT_THAT(lists.last(1)["message"], HasSubstr("no service 5"));
}

TEST(FoxgloveServer, WhoSendsNonsenseIsToldAndClosed) {
  Lists lists;
  lists.server.open(1);
  lists.text(1, "{");
  EXPECT_EQ(lists.last(1)["op"], "status");
  EXPECT_THAT(lists.closed, ElementsAre(1));
  lists.server.close(1);
  lists.text(1, "{");  // too late
  EXPECT_THAT(lists.closed, ElementsAre(1));
}

TEST(FoxgloveServer, ParametersAreToldToThoseWhoAsked) {
  Lists lists;
  for (ClientId client = 1; client <= 3; ++client) lists.server.open(client);
  lists.text(1, R"({"op": "subscribeParameterUpdates", "parameterNames": ["a"]})");
  lists.text(2, R"({"op": "subscribeParameterUpdates", "parameterNames": []})");
  lists.server.tellParameters({{"a", {}}});
  lists.server.tellParameters({{"b", {}}});
  EXPECT_EQ(lists.last(1)["parameters"][0]["name"], "a");
  EXPECT_EQ(lists.last(2)["parameters"][0]["name"], "b");
  EXPECT_EQ(lists.last(3)["op"], "advertiseServices");
}

}  // namespace
}  // namespace gs_web

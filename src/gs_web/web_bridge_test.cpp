// SPDX-License-Identifier: Apache-2.0
#include "gs_web/web_bridge.hpp"

#include <chrono>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "gs/core/error.hpp"
#include "gs/core/testing/eventually.hpp"
#include "gs/formats/cdr.hpp"
#include "gs/msgs/ackermann_msgs.hpp"
#include "gs_sim/testing/fake_host.hpp"
#include "gs_web/foxglove_protocol.hpp"
#include "gs_web/testing/raw_client.hpp"

namespace gs_web {
namespace {

namespace msgs = gs::msgs;
using gs::testing::eventually;
using gs_sim::testing::fakeStep;
using nlohmann::json;
using testing::RawClient;
using SteadyClock = std::chrono::steady_clock;

struct Served {
  Served() { publish(0); }

  void publish(int64_t k) {
    host.k = k;
    bridge.publish(host.published(k));
  }
  void handleRequests() {
    host.work().waitUntil(SteadyClock::now() + std::chrono::seconds(30));
    host.work().runWaiting();
  }
  json session() const { return json::parse(RawClient(bridge.port()).get("/api/session").body); }

  gs_sim::testing::FakeHost host{{}, GS_MINIMAL_WORLD};
  WebBridge bridge{{.socket = {.port = 0, .max_clients = 3}}, {}, host};
};

// A WebSocket that has read the greetings.
struct Visitor : RawClient {
  explicit Visitor(const Served& served) : RawClient(served.bridge.port()) {
    EXPECT_EQ(upgrade(), 101);
    while (services.is_null()) {
      const auto next = message();
      if (!next) break;
      const json greeting = json::parse(next->payload);
      if (greeting["op"] == "advertise")
        for (const json& channel : greeting["channels"]) channels[channel["topic"]] = channel["id"];
      if (greeting["op"] == "advertiseServices") services = greeting["services"];
    }
    // The channels come first, or at once after the server has begun.
    while (channels.empty()) {
      const auto next = messageWith("advertise");
      if (!next) throw std::runtime_error("the connection ended before the channels came");
      for (const json& channel : json::parse(next->payload)["channels"])
        channels[channel["topic"]] = channel["id"];
    }
  }

  void subscribe(const std::string& topic, uint32_t id) {
    const json wish = {{"id", id}, {"channelId", channels.at(topic)}};
    sendMessage(kText, json{{"op", "subscribe"}, {"subscriptions", {wish}}}.dump());
  }
  // The stamp and bytes of the next message of a subscription.
  std::pair<int64_t, std::string> data(uint32_t id) {
    std::string head(1, '\x01');
    head.append(reinterpret_cast<const char*>(&id), 4);
    while (const auto next = message()) {
      if (next->opcode != kBinary || !next->payload.starts_with(head)) continue;
      int64_t stamp = 0;
      std::memcpy(&stamp, next->payload.data() + 5, 8);
      return {stamp, next->payload.substr(13)};
    }
    ADD_FAILURE() << "no message of subscription " << id;
    return {};
  }

  std::map<std::string, uint32_t> channels;
  json services;
};

TEST(WebBridge, ServesThePageAndWhatItAsksFor) {
  const Served served;
  RawClient client(served.bridge.port());
  EXPECT_EQ(client.get("/").status, 200);
  EXPECT_EQ(client.get("/../web_bridge.cpp").status, 404);
  EXPECT_EQ(json::parse(client.get("/api/world").body)["name"], "minimal_test");
  EXPECT_EQ(client.get("/api/ground").body.size(), 20u + 4 * 128 * 128);
  EXPECT_EQ(client.get("/api/other").status, 404);
  EXPECT_EQ(client.get("/api/session", "Host: evil.example\r\n").status, 403);
  EXPECT_EQ(client.get("/", "Host: evil.example\r\n").status, 403);
  client.send("POST /api/world HTTP/1.1\r\nHost: localhost\r\n\r\n");
  EXPECT_EQ(client.answer().status, 405);
}

TEST(WebBridge, WhatIsNoHttpIsRefusedAndClosed) {
  const Served served;
  for (const std::string& nonsense :
       {std::string("hello\r\n\r\n"), std::string("GET / HTTP/9.9\r\n\r\n"),
        "GET /" + std::string(1 << 15, 'a') + " HTTP/1.1\r\n\r\n",
        std::string("GET / HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n")}) {
    RawClient client(served.bridge.port());
    client.send(nonsense);
    EXPECT_EQ(client.answer().status, 400) << nonsense.substr(0, 20);
    EXPECT_EQ(client.read(1), "");
  }
}

TEST(WebBridge, OnlyOurOwnPagesOpenAWebSocket) {
  const Served served;
  const auto status = [&](const std::string& headers, const std::string& host = "localhost") {
    return RawClient(served.bridge.port()).upgrade(headers, host);
  };
  EXPECT_EQ(status(""), 101);
  EXPECT_EQ(status("Origin: file://\r\n"), 101);
  EXPECT_EQ(status("Origin: https://evil.example\r\n"), 403);
  EXPECT_EQ(status("Origin: null\r\n"), 403);
  EXPECT_EQ(status("", "evil.example"), 403);
  EXPECT_EQ(RawClient(served.bridge.port()).upgrade("", "localhost", "chat"), 400);
}

TEST(WebBridge, StreamsTheStepsToSubscribers) {
  Served served;
  Visitor visitor(served);
  visitor.subscribe("/odom", 1);
  EXPECT_EQ(visitor.data(1).first, fakeStep(0).info.stamp.ns);  // where things stand, at once
  served.publish(3);
  const auto [stamp, bytes] = visitor.data(1);
  EXPECT_EQ(stamp, fakeStep(3).info.stamp.ns);
  EXPECT_EQ(gs::decodeCdr<msgs::Odometry>(gs::asBytes(bytes), "odom").pose.pose.position.x, 1.5);

  visitor.subscribe("/camera/front/image_raw/compressed", 2);
  const auto image =
      gs::decodeCdr<msgs::CompressedImage>(gs::asBytes(visitor.data(2).second), "image");
  EXPECT_EQ(image.format, "jpeg");
  EXPECT_EQ(image.header.frame_id, "camera_front");
  EXPECT_EQ(image.data.at(0), 0xff);
}

TEST(WebBridge, PausedItSendsTheStatusAlone) {
  Served served;
  Visitor visitor(served);
  visitor.subscribe("/sim/status", 1);
  const auto pausedIn = [](const std::string& bytes) {
    return gs::decodeCdr<msgs::SimulationStatus>(gs::asBytes(bytes), "status").is_paused;
  };
  EXPECT_FALSE(pausedIn(visitor.data(1).second));  // the latest there was
  served.host.is_paused = true;
  served.bridge.publishStatus(served.host.currentStatus());
  const auto [stamp, bytes] = visitor.data(1);
  EXPECT_TRUE(pausedIn(bytes));
  EXPECT_EQ(stamp, served.host.current().info.stamp.ns);
}

TEST(WebBridge, CommandsReachTheLoop) {
  Served served;
  Visitor visitor(served);
  visitor.sendMessage(RawClient::kText, R"({"op": "advertise", "channels": [{"id": 1,
    "topic": "/vehicle/control_cmd", "encoding": "cdr",
    "schemaName": "ackermann_msgs/AckermannDriveStamped"}]})");
  msgs::AckermannDriveStamped command;
  command.drive.speed = 4;
  const auto bytes = gs::encodeCdr(command);
  visitor.sendMessage(RawClient::kBinary,
                      std::string("\x01\1\0\0\0", 5) + std::string(gs::asText(bytes)));
  std::optional<gs_sim::ControlInput> heard;
  ASSERT_TRUE(eventually([&] {
    heard = served.bridge.nextControl(fakeStep(0).info);
    return heard.has_value();
  }));
  EXPECT_EQ(heard->speed, 4);
  EXPECT_FALSE(served.bridge.nextControl(fakeStep(0).info));
}

TEST(WebBridge, ServicesAreDoneByTheLoop) {
  Served served;
  Visitor visitor(served);
  uint32_t pause = 0;
  for (const json& service : visitor.services)
    if (service["name"] == "/sim/pause") pause = service["id"];
  std::string call("\x02", 1);
  for (const uint32_t number : {pause, 7u, 3u})
    call.append(reinterpret_cast<const char*>(&number), 4);
  visitor.sendMessage(RawClient::kBinary, call + "cdr" + std::string("\0\1\0\0", 4));
  EXPECT_FALSE(served.host.is_paused);
  served.handleRequests();
  EXPECT_TRUE(served.host.is_paused);
  const auto answer = visitor.messageWith("cdr");
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->payload.substr(0, 16), serviceResponseHead(pause, 7, "cdr"));
}

TEST(WebBridge, ParametersAreSetByTheLoopAndRefusedWithAReason) {
  Served served;
  Visitor visitor(served);
  visitor.sendMessage(RawClient::kText, R"({"op": "setParameters", "id": "1", "parameters": [
    {"name": "simulation.real_time_factor", "value": 3}, {"name": "vehicle.mass", "value": 1}]})");
  served.handleRequests();
  EXPECT_EQ(served.host.real_time_factor, 3);
  const auto refused = visitor.messageWith("vehicle.mass");
  ASSERT_TRUE(refused);
  EXPECT_EQ(json::parse(refused->payload)["op"], "status");
  const auto values = visitor.messageWith("parameterValues");
  ASSERT_TRUE(values);
  EXPECT_EQ(json::parse(values->payload)["parameters"][0]["value"], 3);
}

TEST(WebBridge, MalformedAndOversizedMessagesCloseTheirSender) {
  const Served served;
  const auto codeAfter = [&](RawClient::Opcode opcode, const std::string& payload) {
    Visitor visitor(served);
    visitor.sendMessage(opcode, payload);
    const auto closing = visitor.untilClosed();
    return closing ? closing->closeCode() : -1;
  };
  EXPECT_EQ(codeAfter(RawClient::kText, "{"), 1002);
  EXPECT_EQ(codeAfter(RawClient::kText, "\xff\xff"), 1007);  // no UTF-8
  EXPECT_EQ(codeAfter(RawClient::kBinary, ""), 1002);
  EXPECT_EQ(codeAfter(RawClient::kBinary, "\x09xyz"), 1002);
  EXPECT_EQ(codeAfter(RawClient::kBinary, std::string((1 << 20) + 1, 'x')), 1009);
}

TEST(WebBridge, AFourthVisitorIsRefusedUntilOneGoes) {
  Served served;
  {
    const Visitor one(served), two(served), three(served);
    EXPECT_EQ(RawClient(served.bridge.port()).upgrade(), 503);
  }
  ASSERT_TRUE(eventually([&] { return served.session()["clients"] == 0; }));
  EXPECT_EQ(RawClient(served.bridge.port()).upgrade(), 101);
}

TEST(WebBridge, AVisitorWhoDoesNotReadLosesImagesAndNobodyWaits) {
  Served served;
  Visitor slow(served);
  slow.subscribe("/camera/front/image_raw", 1);
  slow.data(1);
  int64_t k = 8;
  ASSERT_TRUE(eventually([&] {
    served.publish(k += 8);
    return served.session()["dropped"] >= 5;
  }));
  slow.subscribe("/odom", 2);
  int64_t last = 0;
  for (int i = 0; i < 3; ++i) {  // what it gets is in order
    const int64_t stamp = slow.data(1).first;
    EXPECT_GT(stamp, last);
    last = stamp;
  }
}

TEST(WebBridge, AnotherWorldIsAdvertisedToThoseWhoAreThere) {
  Served served;
  Visitor visitor(served);
  visitor.subscribe("/sim/world_info", 1);
  visitor.data(1);
  served.host.loadWorld("/worlds/other");
  served.host.announceNewWorld();
  const auto info = gs::decodeCdr<msgs::WorldInfo>(gs::asBytes(visitor.data(1).second), "info");
  EXPECT_EQ(info.world_id, "other");
  EXPECT_EQ(served.session()["world"], "other");
}

TEST(WebBridge, WhoDrivesIsTold) {
  Served served;
  Visitor visitor(served);
  visitor.subscribe("/sim/driver", 1);
  const auto driver = [&] {
    return gs::decodeCdr<msgs::String>(gs::asBytes(visitor.data(1).second), "driver").data;
  };
  EXPECT_EQ(driver(), "nobody");
  served.bridge.tellDriver("browser");
  EXPECT_EQ(driver(), "browser");
  EXPECT_EQ(served.session()["driver"], "browser");
}

TEST(WebBridge, APortThatIsTakenIsSaid) {
  const Served served;
  gs_sim::testing::FakeHost host({}, GS_MINIMAL_WORLD);
  try {
    const WebBridge second({.socket = {.port = served.bridge.port()}}, {}, host);
    FAIL();
  } catch (const gs::Error& error) {
    EXPECT_THAT(error.report().message, ::testing::HasSubstr("another program"));
    EXPECT_THAT(error.report().suggestion, ::testing::HasSubstr("port"));
  }
  EXPECT_THROW(WebBridge({.socket = {.host = "nowhere", .port = 0}}, {}, host), gs::Error);
}

}  // namespace
}  // namespace gs_web

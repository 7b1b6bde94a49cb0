// SPDX-License-Identifier: Apache-2.0
#include "gs_web/socket_server.hpp"

#include <gtest/gtest.h>

#include "gs/core/testing/eventually.hpp"
#include "gs_web/testing/raw_client.hpp"

namespace gs_web {
namespace {

using testing::RawClient;

constexpr int kMegabytes = 32;  // more than the buffers of both sides hold

// Says good bye to whoever sends "bye", refuses whoever is of origin "other".
struct Sockets {
  explicit Sockets(SocketSettings settings = {}) : server(with(settings), handlers()) {}

  static SocketSettings with(SocketSettings settings) {
    settings.port = 0;
    return settings;
  }
  SocketHandlers handlers() {
    return {.http = [](const HttpRequest&, const Respond& respond) { respond({.body = "here"}); },
            .refuse = [](const HttpRequest& request) -> std::optional<HttpResponse> {
              if (request.origin != "other") return std::nullopt;
              return HttpResponse{.status = 403};
            },
            .opened = [](ClientId) {},
            .received =
                [this](ClientId client, bool, gs::Bytes data) {
                  if (gs::asText(data) == "bye") server.close(client, 4000, "bye");
                },
            .closed = [](ClientId) {}};
  }

  SocketServer server;
};

struct Visitor : RawClient {
  explicit Visitor(const Sockets& sockets) : RawClient(sockets.server.port()) {
    EXPECT_EQ(upgrade(), 101);
  }
};

// The head of a masked frame of so many bytes that follow.
std::string frameOf(uint8_t first, uint64_t length) {
  std::string head = {static_cast<char>(first), static_cast<char>(0xff)};
  for (int i = 7; i >= 0; --i) head += static_cast<char>(length >> (8 * i));
  return head + std::string(4, '\0');
}

// Sends without end before it reads at all, as a program does that writes from one place only.
void expectLastWords(RawClient& client, int code) {
  EXPECT_TRUE(client.sendMegabytes(kMegabytes)) << "reset while it was sending";
  const auto closing = client.untilClosed();
  ASSERT_TRUE(closing);
  EXPECT_EQ(closing->closeCode(), code);
  client.finishSending();
  EXPECT_TRUE(client.endsCleanly());
}

TEST(SocketServer, WhoSendsTooMuchCanReadWhyItWasClosed) {
  const Sockets sockets;
  Visitor client(sockets);
  client.send(frameOf(0x82, 1 << 30));
  expectLastWords(client, 1009);
}

TEST(SocketServer, WhoBreaksTheProtocolCanReadWhyItWasClosed) {
  const Sockets sockets;
  Visitor client(sockets);
  client.send(frameOf(0xf2, 1 << 30));  // bits that mean nothing here
  expectLastWords(client, 1002);
}

TEST(SocketServer, WhoIsSentAwayCanReadWhy) {
  Sockets sockets;
  Visitor client(sockets);
  client.sendMessage(RawClient::kText, "bye");
  client.send(frameOf(0x82, kMegabytes << 20));
  EXPECT_TRUE(client.sendMegabytes(kMegabytes));
  client.sendMessage(RawClient::kClose, "");
  expectLastWords(client, 4000);
}

TEST(SocketServer, AnAnswerOutlivesWhatWasNotRead) {
  const Sockets sockets({.max_clients = 0});
  const std::string upgrade =
      "GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
      "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n";
  const std::string protocol = "Sec-WebSocket-Protocol: foxglove.websocket.v1\r\n";
  const std::string version = "Sec-WebSocket-Version: 13\r\n";
  for (const auto& [request, status] : std::initializer_list<std::pair<std::string, int>>{
           {"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000000\r\n", 400},
           {"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n", 200},
           {upgrade + version + protocol + "Origin: other\r\n", 403},
           {upgrade + version, 400},
           {upgrade + version + protocol, 503}}) {
    RawClient client(sockets.server.port());
    client.send(request + "\r\n");
    EXPECT_TRUE(client.sendMegabytes(kMegabytes)) << request;
    EXPECT_EQ(client.answer().status, status) << request;
    client.finishSending();
    EXPECT_TRUE(client.endsCleanly()) << request;
  }
}

TEST(SocketServer, AHandshakeThatFailsIsAnsweredToo) {
  const Sockets sockets;
  RawClient client(sockets.server.port());
  client.send(
      "GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
      "Sec-WebSocket-Protocol: foxglove.websocket.v1\r\nSec-WebSocket-Version: 13\r\n\r\n");
  EXPECT_TRUE(client.sendMegabytes(kMegabytes));
  EXPECT_EQ(client.answer().status, 400);
  client.finishSending();
  EXPECT_TRUE(client.endsCleanly());
}

TEST(SocketServer, WhoDoesNotCloseIsClosedAfterAWhile) {
  const Sockets sockets({.close_patience = std::chrono::milliseconds(20)});
  Visitor client(sockets);
  client.send(frameOf(0x82, 1 << 30));
  EXPECT_EQ(client.untilClosed()->closeCode(), 1009);
  EXPECT_TRUE(gs::testing::eventually([&] { return sockets.server.clientCount() == 0; }));
}

TEST(SocketServer, WhoDoesNotStopSendingIsCutOff) {
  const Sockets sockets({.close_patience = std::chrono::hours(1), .max_discarded = 4u << 20});
  Visitor client(sockets);
  client.send(frameOf(0x82, 1 << 30));
  EXPECT_FALSE(client.sendMegabytes(1 << 10));
}

}  // namespace
}  // namespace gs_web

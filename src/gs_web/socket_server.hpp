// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "gs/core/bytes.hpp"
#include "gs_web/http.hpp"
#include "gs_web/send_queue.hpp"

namespace gs_web {

using ClientId = uint64_t;

struct SocketSettings {
  std::string host = "127.0.0.1";
  uint16_t port = 8765;            // 0: any that is free
  size_t max_clients = 16;         // WebSockets
  size_t max_connections = 64;     // of both kinds
  size_t max_received = 1u << 20;  // bytes of one message of a client
  // How long, and for how many bytes, a peer is listened to that was told the end of its
  // connection.
  std::chrono::milliseconds close_patience{5000};
  size_t max_discarded = 64u << 20;
  std::string subprotocol = "foxglove.websocket.v1";
};

// Who is told what happens on the sockets. All are called on the server's thread and must neither
// throw nor wait.
struct SocketHandlers {
  // `respond` may be called later and from any thread, while the server lives.
  std::function<void(const HttpRequest&, Respond)> http;
  // Nothing, or the answer to somebody who may not open a WebSocket.
  std::function<std::optional<HttpResponse>(const HttpRequest&)> refuse;
  std::function<void(ClientId)> opened;
  std::function<void(ClientId, bool is_text, gs::Bytes)> received;
  std::function<void(ClientId)> closed;
};

struct ServerState;

// HTTP and WebSocket on one port, on a thread of its own.
class SocketServer {
 public:
  // Throws gs::Error when the address cannot be listened on.
  SocketServer(const SocketSettings& settings, SocketHandlers handlers);
  ~SocketServer();

  uint16_t port() const;
  std::string url() const;  // "http://localhost:8765/"

  // From any thread: runs on the server's thread, in the order of posting.
  void post(std::function<void()> work);

  // On the server's thread. Unknown clients are ignored: they may have gone a moment ago.
  void send(ClientId client, Frame frame);
  void forget(ClientId client, uint64_t channel);
  // After what waits was sent; nothing more is received.
  void close(ClientId client, uint16_t code, const std::string& reason);

  // From any thread.
  size_t clientCount() const;
  uint64_t droppedCount() const;  // messages that slow clients never got

 private:
  std::unique_ptr<ServerState> state_;
};

}  // namespace gs_web

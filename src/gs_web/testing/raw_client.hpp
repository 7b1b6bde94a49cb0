// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <sys/socket.h>
#include <unistd.h>

#include <arpa/inet.h>
#include <netinet/in.h>

// A client that knows nothing but bytes, so that it can send what no client should.
namespace gs_web::testing {

class RawClient {
 public:
  explicit RawClient(uint16_t port) : socket_(socket(AF_INET, SOCK_STREAM, 0)) {
    const timeval patience{30, 0};  // a test that would hang fails instead
    setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
    setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0)
      throw std::runtime_error("cannot connect");
  }
  ~RawClient() { close(socket_); }
  RawClient(const RawClient&) = delete;
  RawClient& operator=(const RawClient&) = delete;

  // Whether all of it could be sent.
  bool send(const std::string& bytes) const {
    for (size_t sent = 0; sent < bytes.size();) {
      const auto count = ::send(socket_, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
      if (count <= 0) return false;  // the other side has closed: what is read next says how
      sent += static_cast<size_t>(count);
    }
    return true;
  }
  bool sendMegabytes(int count) const {
    const std::string megabyte(1 << 20, 'x');
    for (int i = 0; i < count; ++i)
      if (!send(megabyte)) return false;
    return true;
  }
  void finishSending() const { shutdown(socket_, SHUT_WR); }

  // Up to and with `end`; what there is when the connection ends before.
  std::string readUntil(const std::string& end) {
    while (buffer_.find(end) == std::string::npos && receive()) {
    }
    const size_t at = buffer_.find(end);
    return take(at == std::string::npos ? buffer_.size() : at + end.size());
  }

  std::string read(size_t count) {
    while (buffer_.size() < count && receive()) {
    }
    return take(std::min(count, buffer_.size()));
  }

  // Reads to the end: true when the other side closed it as agreed, false when it was reset.
  bool endsCleanly() {
    while (receive()) {
    }
    return has_end_;
  }

  struct Answer {
    int status = 0;
    std::string head, body;
  };
  Answer get(const std::string& target, const std::string& headers = "Host: localhost\r\n") {
    std::string request = "GET ";  // in parts: g++ 12 fears for a sum of temporaries
    for (const char* part : {target.c_str(), " HTTP/1.1\r\n", headers.c_str(), "\r\n"})
      request += part;
    send(request);
    return answer();
  }
  Answer answer() {
    Answer answer;
    answer.head = readUntil("\r\n\r\n");
    if (answer.head.size() > 12) answer.status = std::atoi(answer.head.c_str() + 9);
    const size_t length = answer.head.find("Content-Length: ");
    if (length != std::string::npos)
      answer.body = read(static_cast<size_t>(std::atol(answer.head.c_str() + length + 16)));
    return answer;
  }

  // The status of the answer: 101 when it is a WebSocket from here on.
  int upgrade(const std::string& headers = "", const std::string& host = "localhost",
              const std::string& subprotocol = "foxglove.websocket.v1") {
    return get("/",
               "Host: " + host + "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" +
                   "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n" +
                   "Sec-WebSocket-Protocol: " + subprotocol + "\r\n" + headers)
        .status;
  }

  enum Opcode : uint8_t { kText = 1, kBinary = 2, kClose = 8, kPing = 9 };
  struct Message {
    uint8_t opcode = 0;
    std::string payload;
    // Of a close frame.
    int closeCode() const {
      return payload.size() < 2
                 ? 0
                 : static_cast<uint8_t>(payload[0]) * 256 + static_cast<uint8_t>(payload[1]);
    }
  };

  void sendMessage(Opcode opcode, const std::string& payload) const {
    std::string frame(1, static_cast<char>(0x80 | opcode));
    appendLength(frame, payload.size());
    frame += std::string(4, '\0');  // the mask that changes nothing
    send(frame + payload);
  }

  // Nothing when the connection is over.
  std::optional<Message> message() {
    const std::string head = read(2);
    if (head.size() < 2) return std::nullopt;
    size_t length = static_cast<uint8_t>(head[1]) & 0x7f;
    if (length >= 126) {
      const std::string more = read(length == 126 ? 2 : 8);
      length = 0;
      for (const char c : more) length = length * 256 + static_cast<uint8_t>(c);
    }
    return Message{static_cast<uint8_t>(head[0] & 0x0f), read(length)};
  }

  // The next message that holds `part`.
  std::optional<Message> messageWith(const std::string& part) {
    while (auto next = message())
      if (next->payload.find(part) != std::string::npos) return next;
    return std::nullopt;
  }

  std::optional<Message> untilClosed() {
    while (auto next = message())
      if (next->opcode == kClose) return next;
    return std::nullopt;
  }

 private:
  static void appendLength(std::string& frame, size_t length) {
    constexpr uint8_t kMasked = 0x80;
    if (length < 126) {
      frame += static_cast<char>(kMasked | length);
      return;
    }
    const int bytes = length < 65536 ? 2 : 8;
    frame += static_cast<char>(kMasked | (bytes == 2 ? 126 : 127));
    for (int i = bytes - 1; i >= 0; --i) frame += static_cast<char>(length >> (8 * i));
  }

  bool receive() {
    std::array<char, 65536> part;
    const auto count = recv(socket_, part.data(), part.size(), 0);
    has_end_ = count == 0;
    if (count <= 0) return false;
    buffer_.append(part.data(), static_cast<size_t>(count));
    return true;
  }

  std::string take(size_t count) {
    std::string taken = buffer_.substr(0, count);
    buffer_.erase(0, count);
    return taken;
  }

  const int socket_;
  std::string buffer_;
  bool has_end_ = false;
};

}  // namespace gs_web::testing

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gs_web {

// The bytes of a message, made once for all clients.
using Payload = std::shared_ptr<const std::vector<std::byte>>;

// One WebSocket message on its way to one client.
struct Frame {
  std::string head = {};   // what is this client's own: opcode, its subscription, the stamp
  Payload body = {};       // may be null
  bool is_text = false;    // JSON
  uint64_t channel = 0;    // 0: belongs to none and is never dropped
  size_t max_waiting = 1;  // of its channel; when more would wait, only the newest stays

  size_t size() const { return head.size() + (body ? body->size() : 0); }
};

// What waits to be sent to one client. Bounded whatever the client does: a client that is too slow
// loses messages of its own, and nobody else notices.
class SendQueue {
 public:
  static constexpr size_t kMaxUndroppable = size_t{16} << 20;  // bytes

  // False when frames that cannot be dropped have piled up: the client is to be given up.
  bool push(Frame frame);
  std::optional<Frame> pop();
  // Forgets what waits of a channel, for instance after an unsubscription.
  void forget(uint64_t channel);

  size_t size() const { return frames_.size(); }
  bool empty() const { return frames_.empty(); }
  uint64_t droppedCount() const { return dropped_; }

 private:
  std::deque<Frame> frames_;
  size_t undroppable_bytes_ = 0;
  uint64_t dropped_ = 0;
};

}  // namespace gs_web

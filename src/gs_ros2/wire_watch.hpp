// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "gs/core/bytes.hpp"
#include "gs_ros2/loss_ledger.hpp"

namespace gs_ros2 {

// Looks at the datagrams of a participant on behalf of its writers' ledgers: the library tells
// nobody which reader has acknowledged what. Any thread may call.
class WireWatch {
 public:
  void add(const Guid& writer, std::shared_ptr<LossLedger> ledger);
  void remove(const Guid& writer);

  void received(gs::Bytes datagram);
  // The datagram as it should leave: its heartbeats name what the ledger wants to be named. In
  // `copy` where that makes it another one.
  gs::Bytes sending(gs::Bytes datagram, std::vector<std::byte>& copy);

 private:
  std::shared_ptr<LossLedger> find(const Guid& writer) const;
  Guid anyWriter() const;

  mutable std::mutex mutex_;
  std::map<Guid, std::shared_ptr<LossLedger>> ledgers_;
};

}  // namespace gs_ros2

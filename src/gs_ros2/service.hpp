// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "gs_ros2/wire.hpp"

// Requests and replies as bytes, correlated the way rmw_fastrtps does it; clients of
// rmw_cyclonedds, which put the correlation into the payload, are answered too.
namespace gs_ros2 {

struct ServiceSpec {
  std::string name;  // "/sim/pause"
  std::string request_type, request_hash;
  std::string response_type, response_hash;
};

class ServiceServer {
 public:
  // Sends the reply; may be called later, from any thread, at most once.
  using Respond = std::function<void(gs::Bytes)>;
  // Runs on a thread of DDS; it must be quick and must not throw.
  using Receive = std::function<void(gs::Bytes request, Respond respond)>;

  ServiceServer(Participant& participant, const ServiceSpec& spec, Receive receive);
  ~ServiceServer();

  Guid requestReader() const;
  Guid replyWriter() const;

 private:
  struct State;  // outlives the server while somebody still holds a Respond
  std::shared_ptr<State> state_;
};

class ServiceClient {
 public:
  ServiceClient(Participant& participant, const ServiceSpec& spec);
  ~ServiceClient();

  bool isAvailable() const;
  // The reply, or nothing when none came in time.
  std::optional<std::vector<std::byte>> call(gs::Bytes request, std::chrono::milliseconds patience);

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<int64_t, std::vector<std::byte>> replies_;
  Guid own_reader_;
  std::unique_ptr<Writer> writer_;
  std::unique_ptr<Reader> reader_;
};

}  // namespace gs_ros2

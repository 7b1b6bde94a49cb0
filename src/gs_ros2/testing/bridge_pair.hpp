// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <thread>

#include <gtest/gtest.h>

#include "gs/formats/cdr.hpp"
#include "gs_ros2/node.hpp"
#include "gs_ros2/ros2_bridge.hpp"
#include "gs_ros2/testing/wait.hpp"
#include "gs_sim/testing/fake_host.hpp"

namespace gs_ros2::testing {

inline BridgeSettings settings() { return {.wire = loopback()}; }

template <typename T>
Publisher<T> publisherFor(Node& node, const std::string& topic, bool is_reliable = true) {
  return node.advertise<T>(topic, {.is_reliable = is_reliable});
}

// A bridge over a fake simulation and a peer node that talks to it. What a subscription writes to
// is declared before it: messages arrive until it goes.
struct Pair {
  explicit Pair(const BridgeSettings& chosen = settings(),
                const gs_sim::SimulationParameters& parameters = {},
                gs_sim::Interface interface = gs_sim::Interface::Standard)
      : host(parameters, GS_MINIMAL_WORLD, interface),
        bridge(chosen, parameters, host),
        there(loopback()),
        peer(there, {.ns = "/", .name = "peer"}, {}) {}

  // Calls a service while the bridge handles requests, as its loop would.
  template <typename Response, typename Request>
  Response call(const std::string& name, const Request& request) {
    ServiceClient client(there, serviceSpec<Request, Response>(name));
    EXPECT_TRUE(eventually([&] { return client.isAvailable(); })) << name;
    std::atomic<bool> is_done = false;
    std::optional<std::vector<std::byte>> reply;
    std::thread caller([&] {
      reply = client.call(gs::encodeCdr(request), kPatience);
      is_done = true;
      bridge.wake();
    });
    while (!is_done)
      bridge.handleRequestsUntil(std::chrono::steady_clock::now() + std::chrono::seconds(1));
    caller.join();
    EXPECT_TRUE(reply) << name;
    return reply ? gs::decodeCdr<Response>(*reply, name) : Response();
  }

  void publish(int64_t k) {
    host.k = k;
    bridge.publish(host.published(k));
  }

  gs_sim::testing::FakeHost host;
  Ros2Bridge bridge;
  Participant there;
  Node peer;
};

}  // namespace gs_ros2::testing

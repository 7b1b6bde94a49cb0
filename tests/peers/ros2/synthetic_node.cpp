// SPDX-License-Identifier: Apache-2.0
// synthetic_node DOMAIN [--autoware]: the bridge over a simulation whose values are known
// from the number of the step, at 100 steps a second, until stdin closes. Commands that arrive are
// printed: "control <speed> <steering_angle> <stamp in ns>"; at the end "lost <count>". Of the
// environment it obeys ROS_DISTRO.
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>
#include <thread>

#include "gs/core/error.hpp"
#include "gs_ros2/environment.hpp"
#include "gs_ros2/ros2_bridge.hpp"
#include "gs_sim/testing/fake_host.hpp"
#include "peers/ros2/child_process.hpp"

namespace {

using Clock = std::chrono::steady_clock;
using namespace gs_ros2;

void run(const BridgeSettings& settings, gs_sim::Interface interface) {
  gs_sim::testing::FakeHost host({}, GS_MINIMAL_WORLD, interface);
  Ros2Bridge bridge(settings, {}, host);
  std::cout << "ready" << std::endl;
  auto next = Clock::now();
  double longest_publish_ms = 0;
  while (!peers::isStdinClosed() && !host.has_quit) {
    if (host.is_paused) {
      bridge.handleRequestsUntil(Clock::now() + std::chrono::milliseconds(50));
      next = Clock::now();
      continue;
    }
    const auto before = Clock::now();
    bridge.publish(host.published(host.k));
    const std::chrono::duration<double, std::milli> cost = Clock::now() - before;
    longest_publish_ms = std::max(longest_publish_ms, cost.count());
    next += std::chrono::milliseconds(10);
    while (Clock::now() < next) bridge.handleRequestsUntil(next);
    if (const auto control = bridge.nextControl(host.current().info))
      std::cout << "control " << control->speed << ' ' << control->steering_angle << ' '
                << control->stamp.ns << std::endl;
    ++host.k;
  }
  const auto statistics = bridge.statistics();
  std::cout << "lost " << statistics.lost_messages << "\ngarbage " << statistics.garbage
            << "\nlongest_publish_ms " << longest_publish_ms << std::endl;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return std::cerr << "usage: synthetic_node DOMAIN [--autoware]\n", 1;
  BridgeSettings settings;
  settings.wire = {.domain = static_cast<uint32_t>(std::atoi(argv[1])),
                   .range = DiscoveryRange::Localhost,
                   .static_peers = {},
                   .gid_bytes = wireSettingsFrom().gid_bytes};
  auto interface = gs_sim::Interface::Standard;
  for (int i = 2; i < argc; ++i)
    if (std::string(argv[i]) == "--autoware") interface = gs_sim::Interface::Autoware;
  try {
    run(settings, interface);
  } catch (const gs::Error& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
  return 0;
}

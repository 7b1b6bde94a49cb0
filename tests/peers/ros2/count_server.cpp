// SPDX-License-Identifier: Apache-2.0
// count_server DOMAIN: node /lab/counter with the action /lab/count, which counts to its target,
// one every 5 ms, until stdin closes. Its clock stands at 5.000000007 s. Targets below one are
// refused.
#include <cstdlib>
#include <iostream>
#include <map>

#include "gs_ros2/action_server.hpp"
#include "gs_ros2/testing/count_action.hpp"
#include "peers/ros2/child_process.hpp"

namespace {

using namespace gs_ros2;
using testing::Count;

struct Job {
  GoalHandle<Count> handle;
  int32_t current = 0, target = 0;
};

// False when the job is done.
bool advance(Job& job) {
  if (job.handle.isCancelRequested()) job.handle.canceled({job.current});
  else if (job.current == job.target) job.handle.succeed({job.current});
  else return job.handle.publishFeedback({++job.current});
  return false;
}

void run(uint32_t domain) {
  std::vector<Job> jobs;
  Participant participant(
      {.domain = domain, .range = DiscoveryRange::Localhost, .static_peers = {}, .gid_bytes = 16});
  Node node(participant, {.ns = "/lab", .name = "counter"}, {});
  const ActionServer<Count> server(
      node, "count",
      {.on_goal = [](const Count::Goal& goal) { return goal.target > 0; },
       .on_accepted =
           [&jobs](const GoalHandle<Count>& handle, const Count::Goal& goal) {
             handle.execute();
             jobs.push_back({handle, 0, goal.target});
           },
       .on_cancel = [](const GoalHandle<Count>&) { return true; }},
      [] { return gs::Stamp{5'000'000'007}; });
  node.announce();
  std::cout << "ready" << std::endl;
  while (!peers::isStdinClosed()) {
    const auto next = std::chrono::steady_clock::now() + std::chrono::milliseconds(5);
    while (node.work().waitUntil(next)) node.work().runWaiting();
    std::erase_if(jobs, [](Job& job) { return !advance(job); });
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return std::cerr << "usage: count_server DOMAIN\n", 1;
  run(static_cast<uint32_t>(std::atoi(argv[1])));
  return 0;
}

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <memory>
#include <string>
#include <unistd.h>
#include <vector>

#include <sched.h>

#include "peers/ros2/child_process.hpp"

namespace peers {

// Two hosts on one machine: network namespaces joined by a cable, gone with this process. This
// process and its children are on the first; programs can be started on the second.
class TwoHosts {
 public:
  static constexpr const char* kFirst = "10.77.0.1";
  static constexpr const char* kSecond = "10.77.0.2";

  TwoHosts() {
    if (geteuid() != 0 || unshare(CLONE_NEWNET) != 0) return;
    // A shell that waits for its end keeps the second one.
    second_ = std::make_unique<ChildProcess>(
        std::vector<std::string>{"/usr/bin/unshare", "-n", "/bin/sh", "-c", "echo there; cat"});
    if (!second_->waitForLine("there", std::chrono::seconds(10))) return;
    const std::string pid = std::to_string(second_->pid());
    const std::string there = "nsenter -t " + pid + " -n ";
    are_there_ =
        shell("ip link set lo up && ip link add cable0 type veth peer name cable1 netns " + pid) &&
        shell("ip addr add 10.77.0.1/24 dev cable0 && ip link set cable0 up") &&
        shell(there +
              "sh -c 'ip link set lo up && ip addr add 10.77.0.2/24 dev cable1 && "
              "ip link set cable1 up'") &&
        isUp("", "cable0") && isUp(there, "cable1");
  }

  // False where namespaces may not be made: not root, or a sandbox.
  bool areThere() const { return are_there_; }

  std::vector<std::string> onSecond(std::vector<std::string> command) const {
    std::vector<std::string> all = {"/usr/bin/nsenter", "-t", std::to_string(second_->pid()), "-n"};
    all.insert(all.end(), command.begin(), command.end());
    return all;
  }

 private:
  // The kernel takes a moment; whoever starts before sees no interface at all.
  static bool isUp(const std::string& where, const std::string& interface) {
    return shell("for i in $(seq 200); do " + where + "ip -br link show " + interface +
                 " | awk '$2 != \"UP\" {exit 1}' && exit 0; sleep 0.05; done; exit 1");
  }
  static bool shell(const std::string& command) { return std::system(command.c_str()) == 0; }

  std::unique_ptr<ChildProcess> second_;
  bool are_there_ = false;
};

}  // namespace peers

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "gs_ros2/testing/wait.hpp"
#include "peers/ros2/child_process.hpp"
#include "peers/ros2/dialect.hpp"

namespace peers {

// gs-simulator in another process, with the variables that `ros2 launch` would give it.
inline std::unique_ptr<ChildProcess> startSimulator(const std::string& program,
                                                    const std::vector<std::string>& arguments) {
  std::vector<std::string> command = {program};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return std::make_unique<ChildProcess>(
      command, std::map<std::string, std::string>{
                   {"ROS_DOMAIN_ID", std::to_string(gs_ros2::testing::loopback().domain)},
                   {"ROS_LOCALHOST_ONLY", "1"},
                   {"ROS_DISTRO", dialect().distro}});
}

}  // namespace peers

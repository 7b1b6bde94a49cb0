// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "gs_ros2/testing/wait.hpp"
#include "peers/ros2/child_process.hpp"

namespace peers {

// gs-simulator in another process, with the variables that `ros2 launch` would give it.
inline std::unique_ptr<ChildProcess> startSimulator(const std::string& program,
                                                    const std::vector<std::string>& arguments) {
  setenv("ROS_DOMAIN_ID", std::to_string(gs_ros2::testing::loopback().domain).c_str(), 1);
  setenv("ROS_LOCALHOST_ONLY", "1", 1);
  setenv("ROS_DISTRO", "jazzy", 1);
  std::vector<std::string> command = {program};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return std::make_unique<ChildProcess>(command);
}

}  // namespace peers

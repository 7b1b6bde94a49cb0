// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "gs/core/log.hpp"
#include "gs/core/time.hpp"
#include "gs/msgs/rcl_interfaces.hpp"
#include "gs_ros2/node.hpp"

namespace gs_ros2 {

// The topic /rosout: what the program logs, and what the wire warns of.
class Rosout {
 public:
  // `now` is asked by whoever logs, on any thread. Off: the topic is there and stays empty.
  Rosout(Node& node, bool is_on, std::function<gs::Stamp()> now);
  ~Rosout();
  Rosout(const Rosout&) = delete;
  Rosout& operator=(const Rosout&) = delete;

  // From now on every line of this level or above, and those that were logged before.
  void listen(gs::LogLevel level);
  // Warnings, when they appear and not as long as they last.
  void sayWhatIsNew(const std::vector<std::string>& warnings);

 private:
  void say(gs::LogLevel level, std::string_view component, std::string_view message) const;

  Node& node_;
  const bool is_on_;
  std::function<gs::Stamp()> now_;
  Publisher<gs::msgs::Log> topic_;
  std::set<std::string> said_;  // the time before
};

}  // namespace gs_ros2

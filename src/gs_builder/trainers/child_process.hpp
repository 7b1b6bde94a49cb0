// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "gs_builder/trainers/stop_request.hpp"

namespace gs_builder {

struct ChildCommand {
  std::vector<std::string> arguments;  // the program first, found in PATH
  std::filesystem::path folder;        // where it runs; empty: here
};

struct ChildEnd {
  int exit_code = 0;                   // when it ended by itself
  int signal = 0;                      // that ended it; 0: none
  bool is_stopped = false;             // because we were asked to stop
  std::deque<std::string> last_lines;  // of what it said, a dozen at most

  bool isSuccess() const { return exit_code == 0 && signal == 0 && !is_stopped; }
  std::string describe() const;  // "ended with exit code 3", "was ended by signal 9 (Killed)"
};

// Runs a program to its end and hands over what it writes to stdout and stderr, line by line. It
// runs in a process group of its own; a stop request reaches that whole group as SIGINT, and as
// SIGTERM and SIGKILL when it does not listen. Throws TRAINING_FAILED when it cannot be started.
ChildEnd runChild(const ChildCommand& command, const StopRequest& stop,
                  const std::function<void(std::string_view line)>& on_line);

}  // namespace gs_builder

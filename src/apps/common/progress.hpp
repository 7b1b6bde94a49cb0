// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <iosfwd>
#include <string>

namespace apps {

// How far long work has come, on stderr: a bar with the time left on a terminal, a plain line every
// ten seconds otherwise (logs, CI). Shows nothing for work that is over within a second.
class Progress {
 public:
  explicit Progress(std::string what);
  Progress(std::string what, std::ostream& out, bool is_terminal);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // 0..1, and a few words on what is being done, shown behind the time that is left.
  void update(double fraction, const std::string& status = {});

  // "1:05 left"; empty while too little is known.
  static std::string timeLeft(double elapsed, double fraction);

 private:
  using Clock = std::chrono::steady_clock;
  std::string what_;
  std::ostream& out_;
  bool is_terminal_;
  bool is_shown_ = false;
  Clock::time_point begin_ = Clock::now(), shown_at_ = begin_;
};

}  // namespace apps

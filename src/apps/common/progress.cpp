// SPDX-License-Identifier: Apache-2.0
#include "apps/common/progress.hpp"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <unistd.h>

#include <fmt/format.h>

namespace apps {

Progress::Progress(std::string what)
    : Progress(std::move(what), std::cerr, isatty(STDERR_FILENO) == 1) {}

Progress::Progress(std::string what, std::ostream& out, bool is_terminal)
    : what_(std::move(what)), out_(out), is_terminal_(is_terminal) {}

Progress::~Progress() {
  if (is_terminal_ && is_shown_) out_ << "\r\033[K" << std::flush;  // the result takes its place
}

std::string Progress::timeLeft(double elapsed, double fraction) {
  if (!(fraction > 0.01) || elapsed < 1) return {};
  const auto seconds = static_cast<int64_t>(std::ceil(elapsed * (1 - fraction) / fraction));
  if (seconds >= 3600)
    return fmt::format("{}:{:02}:{:02} left", seconds / 3600, seconds / 60 % 60, seconds % 60);
  return fmt::format("{}:{:02} left", seconds / 60, seconds % 60);
}

void Progress::update(double fraction, const std::string& status) {
  const auto now = Clock::now();
  const double pause = is_terminal_ ? (is_shown_ ? 0.2 : 1.0) : 10.0;
  if (std::chrono::duration<double>(now - shown_at_).count() < pause) return;
  shown_at_ = now;
  is_shown_ = true;
  fraction = std::clamp(fraction, 0.0, 1.0);
  const std::string left = timeLeft(std::chrono::duration<double>(now - begin_).count(), fraction);
  if (is_terminal_) {
    const auto filled = static_cast<size_t>(std::lround(30 * fraction));
    out_ << "\r\033[K" << what_ << " [" << std::string(filled, '#') << std::string(30 - filled, '.')
         << fmt::format("] {:3.0f} % {}{}{}", 100 * fraction, left, status.empty() ? "" : "  ",
                        status)
         << std::flush;
  } else {
    out_ << fmt::format("{}: {:.0f} % {}{}{}\n", what_, 100 * fraction, left,
                        status.empty() ? "" : "  ", status)
         << std::flush;
  }
}

}  // namespace apps

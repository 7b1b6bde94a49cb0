// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/trainers/stop_request.hpp"

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <unistd.h>

#include "gs/core/check.hpp"

namespace gs_builder {
namespace {

constexpr std::array<int, 2> kSignals = {SIGINT, SIGTERM};
std::array<struct sigaction, kSignals.size()> previous;
std::atomic<bool> is_requested = false;
std::array<int, 2> ends = {-1, -1};

// Only what a signal handler may do.
void onSignal(int) {
  const int error = errno;
  is_requested = true;
  const char byte = 0;
  [[maybe_unused]] const auto written = ::write(ends[1], &byte, 1);
  errno = error;
}

}  // namespace

StopRequest::StopRequest() {
  GS_CHECK(ends[0] == -1);
  GS_CHECK(::pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) == 0);
  is_requested = false;
  struct sigaction action {};
  action.sa_handler = onSignal;
  action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
  for (size_t i = 0; i < kSignals.size(); ++i) {
    ::sigaction(kSignals[i], nullptr, &previous[i]);
    if (previous[i].sa_handler != SIG_IGN) ::sigaction(kSignals[i], &action, nullptr);
  }
}

StopRequest::~StopRequest() {
  for (size_t i = 0; i < kSignals.size(); ++i) ::sigaction(kSignals[i], &previous[i], nullptr);
  for (int& end : ends) {
    ::close(end);
    end = -1;
  }
}

bool StopRequest::isRequested() const { return is_requested; }
int StopRequest::fd() const { return ends[0]; }

}  // namespace gs_builder

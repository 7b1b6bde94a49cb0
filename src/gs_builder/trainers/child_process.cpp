// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/trainers/child_process.hpp"

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>

#include "gs/core/error.hpp"

extern char** environ;

namespace gs_builder {
namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t kKeptLines = 12, kMaxLine = 1 << 16;
// What is waited between SIGINT, SIGTERM and SIGKILL: a trainer may be writing a checkpoint.
constexpr std::array<std::pair<int, std::chrono::seconds>, 3> kRequests = {
    {{SIGINT, std::chrono::seconds(0)},
     {SIGTERM, std::chrono::seconds(20)},
     {SIGKILL, std::chrono::seconds(30)}}};

[[noreturn]] void failStart(const ChildCommand& command, int error) {
  throw gs::Error({.code = gs::ErrorCode::TrainingFailed,
                   .component = "gs_train_orchestrator",
                   .message = fmt::format("'{}' cannot be started: {}", command.arguments.front(),
                                          std::strerror(error)),
                   .details = {{"command", command.arguments}},
                   .suggestion = "Check that the program exists and may be executed."});
}

// Cuts bytes into lines at \n and \r: progress bars write the same line again and again.
class Lines {
 public:
  explicit Lines(std::function<void(std::string_view)> on_line) : on_line_(std::move(on_line)) {}
  void add(std::string_view bytes) {
    for (const char c : bytes) {
      if (c == '\n' || c == '\r') flush();
      else if (line_.size() < kMaxLine) line_.push_back(c);
    }
  }
  void flush() {
    if (!line_.empty()) on_line_(line_);
    line_.clear();
  }

 private:
  std::function<void(std::string_view)> on_line_;
  std::string line_;
};

// Everything that is there now; false at the end of the pipe.
bool drain(int fd, Lines& lines) {
  std::array<char, 8192> buffer;
  while (true) {
    const ssize_t count = ::read(fd, buffer.data(), buffer.size());
    if (count > 0) lines.add({buffer.data(), static_cast<size_t>(count)});
    else if (count == 0) return false;
    else if (errno != EINTR) return true;
  }
}

pid_t spawn(const ChildCommand& command, int output) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
  if (!command.folder.empty())
    posix_spawn_file_actions_addchdir_np(&actions, command.folder.c_str());
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t all, none;
  sigfillset(&all);
  sigemptyset(&none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  std::vector<char*> arguments;
  for (const std::string& argument : command.arguments)
    arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  pid_t pid = 0;
  const int error =
      ::posix_spawnp(&pid, arguments[0], &actions, &attributes, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (error != 0) failStart(command, error);
  return pid;
}

}  // namespace

std::string ChildEnd::describe() const {
  if (signal != 0) return fmt::format("was ended by signal {} ({})", signal, ::strsignal(signal));
  return fmt::format("ended with exit code {}", exit_code);
}

ChildEnd runChild(const ChildCommand& command, const StopRequest& stop,
                  const std::function<void(std::string_view line)>& on_line) {
  std::array<int, 2> pipe{};
  if (::pipe2(pipe.data(), O_CLOEXEC) != 0) failStart(command, errno);
  ::fcntl(pipe[0], F_SETFL, O_NONBLOCK);
  pid_t pid = 0;
  try {
    pid = spawn(command, pipe[1]);
  } catch (...) {
    ::close(pipe[0]);
    ::close(pipe[1]);
    throw;
  }
  ::close(pipe[1]);

  ChildEnd end;
  Lines lines([&](std::string_view line) {
    end.last_lines.emplace_back(line.substr(0, 500));
    if (end.last_lines.size() > kKeptLines) end.last_lines.pop_front();
    on_line(line);
  });
  int status = 0;
  bool has_ended = false, is_open = true;
  size_t requests = 0;
  Clock::time_point stop_begin;
  while (!has_ended) {
    std::array<pollfd, 2> events = {
        {{is_open ? pipe[0] : -1, POLLIN, 0}, {end.is_stopped ? -1 : stop.fd(), POLLIN, 0}}};
    ::poll(events.data(), events.size(), 100);
    if (!end.is_stopped && stop.isRequested()) {
      end.is_stopped = true;
      stop_begin = Clock::now();
    }
    if (end.is_stopped && requests < kRequests.size() &&
        Clock::now() - stop_begin >= kRequests[requests].second)
      ::kill(-pid, kRequests[requests++].first);
    if (is_open) is_open = drain(pipe[0], lines);
    has_ended = ::waitpid(pid, &status, WNOHANG) == pid;
  }
  // What it said last; programs that it left behind may keep the pipe open for ever.
  if (is_open) drain(pipe[0], lines);
  lines.flush();
  ::close(pipe[0]);
  if (WIFSIGNALED(status)) end.signal = WTERMSIG(status);
  else end.exit_code = WEXITSTATUS(status);
  return end;
}

}  // namespace gs_builder

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <map>
#include <optional>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include <poll.h>
#include <signal.h>
#include <spawn.h>

extern char** environ;

namespace peers {

// A program of ours beside the test: lines from its stdout, and an end that it notices, since its
// stdin closes with us. It never outlives the thread that started it, not even if we crash.
class ChildProcess {
 public:
  // Variables that are not here stay as they are in this process; an empty value unsets one.
  explicit ChildProcess(const std::vector<std::string>& command,
                        const std::map<std::string, std::string>& variables = {}) {
    int in[2], out[2];
    if (pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0) std::abort();
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
    std::string launcher[] = {"/usr/bin/setpriv", "--pdeathsig", "KILL"};
    std::vector<char*> arguments;
    for (std::string& word : launcher) arguments.push_back(word.data());
    for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    std::vector<std::string> words;
    for (char** word = environ; *word != nullptr; ++word) {
      const std::string text = *word;
      if (!variables.contains(text.substr(0, text.find('=')))) words.push_back(text);
    }
    for (const auto& [name, value] : variables)
      if (!value.empty()) words.push_back(name + "=" + value);
    std::vector<char*> environment;
    for (std::string& word : words) environment.push_back(word.data());
    environment.push_back(nullptr);
    if (posix_spawn(&pid_, arguments[0], &actions, nullptr, arguments.data(), environment.data()) !=
        0) {
      std::perror(arguments[0]);
      std::abort();
    }
    posix_spawn_file_actions_destroy(&actions);
    close(in[0]);
    close(out[1]);
    stdin_ = in[1];
    stdout_ = out[0];
  }
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ~ChildProcess() {
    finish();
    close(stdout_);
  }

  // The next line, or nothing when the child has ended or the time is up.
  std::optional<std::string> readLine(std::chrono::milliseconds patience) {
    const auto deadline = std::chrono::steady_clock::now() + patience;
    for (;;) {
      if (const size_t end = text_.find('\n'); end != std::string::npos) {
        std::string line = text_.substr(0, end);
        text_.erase(0, end + 1);
        return line;
      }
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
          deadline - std::chrono::steady_clock::now());
      pollfd waiting{stdout_, POLLIN, 0};
      if (left.count() <= 0 || poll(&waiting, 1, static_cast<int>(left.count())) <= 0)
        return std::nullopt;
      char buffer[4096];
      const ssize_t count = read(stdout_, buffer, sizeof buffer);
      if (count <= 0) return std::nullopt;
      text_.append(buffer, static_cast<size_t>(count));
    }
  }

  // The first line that begins so; lines before it are dropped.
  std::optional<std::string> waitForLine(const std::string& start,
                                         std::chrono::milliseconds patience) {
    const auto deadline = std::chrono::steady_clock::now() + patience;
    for (;;) {
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
          deadline - std::chrono::steady_clock::now());
      auto line = readLine(left);
      if (!line || line->starts_with(start)) return line;
    }
  }

  void send(int signal) const {
    if (pid_ > 0) kill(pid_, signal);  // -1 would be everybody
  }
  pid_t pid() const { return pid_; }

  // Closes its stdin and waits; its exit code, or minus the signal that ended it: that of SIGKILL
  // when it does not end by itself.
  int finish(std::chrono::milliseconds patience = std::chrono::seconds(30)) {
    if (stdin_ >= 0) close(stdin_);
    stdin_ = -1;
    if (pid_ > 0) {
      const int status = waitOrKill(patience);
      code_ = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
      pid_ = -1;
    }
    return code_;
  }

 private:
  int waitOrKill(std::chrono::milliseconds patience) const {
    const auto deadline = std::chrono::steady_clock::now() + patience;
    int status = 0;
    while (waitpid(pid_, &status, WNOHANG) == 0) {
      if (std::chrono::steady_clock::now() > deadline) send(SIGKILL);
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return status;
  }

  pid_t pid_ = -1;
  int stdin_ = -1, stdout_ = -1, code_ = 0;
  std::string text_;
};

// True when our own stdin has closed: whoever started us is gone or wants us to go.
inline bool isStdinClosed() {
  pollfd waiting{STDIN_FILENO, POLLIN, 0};
  if (poll(&waiting, 1, 0) <= 0) return false;
  char buffer[64];
  return read(STDIN_FILENO, buffer, sizeof buffer) <= 0;
}

}  // namespace peers

// SPDX-License-Identifier: Apache-2.0
#include "gs/core/log.hpp"

#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include "gs/core/log_observer.hpp"

namespace gs {
namespace {

spdlog::level::level_enum toSpdlog(LogLevel level) {
  switch (level) {
    case LogLevel::Debug: return spdlog::level::debug;
    case LogLevel::Info: return spdlog::level::info;
    case LogLevel::Warn: return spdlog::level::warn;
    case LogLevel::Error: return spdlog::level::err;
    case LogLevel::Off: break;
  }
  return spdlog::level::off;
}

spdlog::logger& sink() {
  static const auto shared = [] {
    auto logger = std::make_shared<spdlog::logger>(
        "gs", std::make_shared<spdlog::sinks::stderr_color_sink_mt>());
    logger->set_pattern("%H:%M:%S.%e %^%-5l%$ %v");
    logger->set_level(spdlog::level::warn);
    return logger;
  }();
  return *shared;
}

struct Line {
  LogLevel level;
  std::string component, message;
};

constexpr size_t kMaxEarlyLines = 100;

struct Observed {
  void see(LogLevel line_level, std::string_view component, std::string_view message) const {
    if (observer && line_level >= level) observer(line_level, component, message);
  }

  std::mutex mutex;
  LogObserver observer;
  LogLevel level = LogLevel::Info;
  bool had_observer = false;
  std::vector<Line> early;  // the first ones, until somebody observes
};

// Never destroyed: lines may be logged until the very end.
Observed& observed() {
  static auto& shared = *new Observed();
  return shared;
}

}  // namespace

void setLogObserver(LogObserver observer, LogLevel level) {
  Observed& all = observed();
  const std::lock_guard lock(all.mutex);
  all.observer = std::move(observer);
  all.level = level;
  if (!all.observer) return;
  all.had_observer = true;
  for (const Line& line : std::exchange(all.early, {}))
    all.see(line.level, line.component, line.message);
}

void initLogging(LogLevel level) { sink().set_level(toSpdlog(level)); }

void Logger::write(LogLevel level, std::string_view message) const {
  sink().log(toSpdlog(level), "[{}] {}", component_, message);
  Observed& all = observed();
  const std::lock_guard lock(all.mutex);
  if (!all.had_observer && all.early.size() < kMaxEarlyLines)
    all.early.push_back({level, component_, std::string(message)});
  all.see(level, component_, message);
}

}  // namespace gs

// SPDX-License-Identifier: Apache-2.0
#include "gs/core/log.hpp"

#include <mutex>
#include <utility>

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

struct Observed {
  std::mutex mutex;
  LogObserver observer;
};

// Never destroyed: lines may be logged until the very end.
Observed& observed() {
  static auto& shared = *new Observed();
  return shared;
}

}  // namespace

void setLogObserver(LogObserver observer) {
  const std::lock_guard lock(observed().mutex);
  observed().observer = std::move(observer);
}

void initLogging(LogLevel level) { sink().set_level(toSpdlog(level)); }

void Logger::write(LogLevel level, std::string_view message) const {
  sink().log(toSpdlog(level), "[{}] {}", component_, message);
  if (!sink().should_log(toSpdlog(level))) return;
  const std::lock_guard lock(observed().mutex);
  if (observed().observer) observed().observer(level, component_, message);
}

}  // namespace gs

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace gs {

enum class LogLevel { Debug, Info, Warn, Error, Off };

// Called once, by main. Everything goes to stderr: stdout carries results and can be piped.
// Before it is called, warnings and errors are shown.
void initLogging(LogLevel level);

// The log of one component, named as in the specification: logger("mcap_ingest").warn(...).
// Libraries log through this and never print.
class Logger {
 public:
  explicit Logger(std::string component) : component_(std::move(component)) {}
  void debug(std::string_view message) const { write(LogLevel::Debug, message); }
  void info(std::string_view message) const { write(LogLevel::Info, message); }
  void warn(std::string_view message) const { write(LogLevel::Warn, message); }
  void error(std::string_view message) const { write(LogLevel::Error, message); }

 private:
  void write(LogLevel level, std::string_view message) const;
  std::string component_;
};

inline Logger logger(std::string component) { return Logger(std::move(component)); }

}  // namespace gs

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "gs/core/error.hpp"

namespace gs_builder {

// The option of the command line that lets a log pass a gate, and its value.
struct Cure {
  std::string option;
  double value = 0;
  std::string text() const;  // "--min-rate 7.9"
};

// Something about a log that a person should know before hours are spent on it.
struct LogFinding {
  enum class Level { Good, Warning, Fatal };

  Level level;
  std::string subject;  // "camera front", "tf", "duration"
  std::string message;
  // Of fatal findings: what the error would be.
  gs::ErrorCode code = gs::ErrorCode::InsufficientData;
  gs::Details details = {};
  std::string suggestion = {};
  std::optional<Cure> cure = {};
};

// Findings in the order in which they were made.
class Findings {
 public:
  void good(std::string subject, std::string message);
  void warn(std::string subject, std::string message, std::string suggestion = {});
  void fatal(gs::ErrorCode code, std::string subject, std::string message, gs::Details details,
             std::string suggestion);
  void fatal(LogFinding finding);

  const std::vector<LogFinding>& all() const { return all_; }
  const LogFinding* firstFatal() const;
  LogFinding::Level worstOf(const std::string& subject) const;  // Good where nothing was found
  std::vector<std::string> warnings() const;                    // "subject: message"

 private:
  std::vector<LogFinding> all_;
};

nlohmann::ordered_json toJson(const Findings& findings);

// A finding as people read it: a mark, the subject, the message, and what helps in a second line. A
// subject with a warning or worse gets no tick, whatever else is fine about it.
std::string toText(const Findings& findings);

// What stops a build: every fatal finding and every cure at once. There must be one.
[[noreturn]] void throwFatal(const Findings& findings, const std::string& component);

}  // namespace gs_builder

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "gs/core/error.hpp"

namespace gs_builder {

// Something about a log that a person should know before hours are spent on it.
struct LogFinding {
  enum class Level { Good, Warning, Fatal };

  Level level;
  std::string subject;  // "camera_front", "tf", "duration"
  std::string message;
  // Of fatal findings: what the error would be.
  gs::ErrorCode code = gs::ErrorCode::InsufficientData;
  gs::Details details = {};
  std::string suggestion = {};
};

// Findings in the order in which they were made.
class Findings {
 public:
  void good(std::string subject, std::string message);
  void warn(std::string subject, std::string message, std::string suggestion = {});
  void fatal(gs::ErrorCode code, std::string subject, std::string message, gs::Details details,
             std::string suggestion);

  const std::vector<LogFinding>& all() const { return all_; }
  const LogFinding* firstFatal() const;
  std::vector<std::string> warnings() const;  // "subject: message"

 private:
  std::vector<LogFinding> all_;
};

nlohmann::ordered_json toJson(const Findings& findings);

}  // namespace gs_builder

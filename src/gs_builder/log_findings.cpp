// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/log_findings.hpp"

#include <nlohmann/json.hpp>

namespace gs_builder {

void Findings::good(std::string subject, std::string message) {
  all_.push_back({LogFinding::Level::Good, std::move(subject), std::move(message)});
}

void Findings::warn(std::string subject, std::string message, std::string suggestion) {
  all_.push_back({.level = LogFinding::Level::Warning,
                  .subject = std::move(subject),
                  .message = std::move(message),
                  .suggestion = std::move(suggestion)});
}

void Findings::fatal(gs::ErrorCode code, std::string subject, std::string message,
                     gs::Details details, std::string suggestion) {
  all_.push_back({LogFinding::Level::Fatal, std::move(subject), std::move(message), code,
                  std::move(details), std::move(suggestion)});
}

const LogFinding* Findings::firstFatal() const {
  for (const LogFinding& finding : all_)
    if (finding.level == LogFinding::Level::Fatal) return &finding;
  return nullptr;
}

std::vector<std::string> Findings::warnings() const {
  std::vector<std::string> warnings;
  for (const LogFinding& finding : all_)
    if (finding.level == LogFinding::Level::Warning)
      warnings.push_back(finding.subject + ": " + finding.message);
  return warnings;
}

nlohmann::ordered_json toJson(const Findings& findings) {
  auto list = nlohmann::ordered_json::array();
  for (const LogFinding& finding : findings.all()) {
    nlohmann::ordered_json entry;
    entry["level"] = finding.level == LogFinding::Level::Good      ? "good"
                     : finding.level == LogFinding::Level::Warning ? "warning"
                                                                   : "fatal";
    entry["subject"] = finding.subject;
    entry["message"] = finding.message;
    if (finding.level == LogFinding::Level::Fatal) entry["code"] = gs::toString(finding.code);
    if (!finding.details.json().empty()) entry["details"] = finding.details.json();
    if (!finding.suggestion.empty()) entry["suggestion"] = finding.suggestion;
    list.push_back(std::move(entry));
  }
  return list;
}

}  // namespace gs_builder

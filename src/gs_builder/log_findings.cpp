// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/log_findings.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace gs_builder {
namespace {

std::vector<const LogFinding*> fatalOnes(const Findings& findings) {
  std::vector<const LogFinding*> fatal;
  for (const LogFinding& finding : findings.all())
    if (finding.level == LogFinding::Level::Fatal) fatal.push_back(&finding);
  return fatal;
}

// One set of options that cures all that options can cure: each at its lowest value.
std::string optionsFor(const std::vector<const LogFinding*>& fatal) {
  std::map<std::string, double> lowest;
  for (const LogFinding* finding : fatal)
    if (finding->cure) {
      const auto [known, is_new] = lowest.emplace(finding->cure->option, finding->cure->value);
      if (!is_new) known->second = std::min(known->second, finding->cure->value);
    }
  std::string text;
  for (const auto& [option, value] : lowest)
    text += (text.empty() ? "" : " ") + Cure{option, value}.text();
  return text;
}

std::string suggestionFor(const std::vector<const LogFinding*>& fatal) {
  if (fatal.size() == 1) return fatal.front()->suggestion;
  const std::string options = optionsFor(fatal);
  const auto isCured = [](const LogFinding* finding) { return finding->cure.has_value(); };
  std::string text;
  for (const LogFinding* finding : fatal)
    if (!isCured(finding) && text.find(finding->suggestion) == text.npos)
      text += (text.empty() ? "" : " ") + finding->suggestion;
  if (options.empty()) return text;
  return text.empty() ? "To build nevertheless: " + options +
                            ". 'gs-world-builder doctor' says "
                            "what each of them costs."
                      : text + " Also needed: " + options + ".";
}

}  // namespace

std::string Cure::text() const { return fmt::format("{} {:.4g}", option, value); }

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
  fatal({LogFinding::Level::Fatal, std::move(subject), std::move(message), code, std::move(details),
         std::move(suggestion)});
}

void Findings::fatal(LogFinding finding) { all_.push_back(std::move(finding)); }

LogFinding::Level Findings::worstOf(const std::string& subject) const {
  LogFinding::Level worst = LogFinding::Level::Good;
  for (const LogFinding& finding : all_)
    if (finding.subject == subject) worst = std::max(worst, finding.level);
  return worst;
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
    entry["level"] = finding.level == LogFinding::Level::Warning                    ? "warning"
                     : finding.level == LogFinding::Level::Fatal                    ? "fatal"
                     : findings.worstOf(finding.subject) != LogFinding::Level::Good ? "info"
                                                                                    : "good";
    entry["subject"] = finding.subject;
    entry["message"] = finding.message;
    if (finding.level == LogFinding::Level::Fatal) entry["code"] = gs::toString(finding.code);
    if (!finding.details.json().empty()) entry["details"] = finding.details.json();
    if (!finding.suggestion.empty()) entry["suggestion"] = finding.suggestion;
    if (finding.cure) entry["cure"] = finding.cure->text();
    list.push_back(std::move(entry));
  }
  return list;
}

std::string toText(const Findings& findings) {
  std::string text;
  for (const LogFinding& finding : findings.all()) {
    const char* mark = finding.level == LogFinding::Level::Warning                    ? "\u26a0"
                       : finding.level == LogFinding::Level::Fatal                    ? "\u2717"
                       : findings.worstOf(finding.subject) != LogFinding::Level::Good ? "\u2022"
                                                                                      : "\u2713";
    text += fmt::format("{} {}: {}\n", mark, finding.subject, finding.message);
    if (finding.level != LogFinding::Level::Good && !finding.suggestion.empty())
      text += "    " + finding.suggestion + "\n";
  }
  return text;
}

void throwFatal(const Findings& findings, const std::string& component) {
  const std::vector<const LogFinding*> fatal = fatalOnes(findings);
  auto details = fatal.front()->details.json();
  auto problems = nlohmann::ordered_json::array();
  std::string message;
  for (const LogFinding* finding : fatal) {
    message +=
        fmt::format("{}{}: {}", message.empty() ? "" : "; ", finding->subject, finding->message);
    problems.push_back({{"code", gs::toString(finding->code)},
                        {"subject", finding->subject},
                        {"message", finding->message},
                        {"suggestion", finding->suggestion}});
  }
  details["problems"] = std::move(problems);
  throw gs::Error({.code = fatal.front()->code,
                   .component = component,
                   .message = message,
                   .details = gs::Details(std::move(details)),
                   .suggestion = suggestionFor(fatal)});
}

}  // namespace gs_builder

// SPDX-License-Identifier: Apache-2.0
#include "gs/bundle/findings.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

namespace gs {
namespace {

size_t countOf(const ValidationReport& report, Severity severity) {
  return static_cast<size_t>(
      std::count_if(report.findings.begin(), report.findings.end(),
                    [&](const Finding& finding) { return finding.rule->severity == severity; }));
}

std::string_view ruleFor(Problem::Kind kind) {
  switch (kind) {
    case Problem::Kind::Syntax: return "document.syntax";
    case Problem::Kind::DuplicateKey: return "document.duplicate_key";
    case Problem::Kind::MissingKey: return "document.missing_key";
    case Problem::Kind::UnknownKey: return "document.unknown_key";
    case Problem::Kind::WrongType:
    case Problem::Kind::BadValue: break;
  }
  return "document.wrong_type";
}

std::string_view wordOf(FileCheck::Status status) {
  switch (status) {
    case FileCheck::Status::Valid: return "valid";
    case FileCheck::Status::MissingOptional: return "missing_optional";
    case FileCheck::Status::Invalid: break;
  }
  return "invalid";
}

std::string headline(const FileCheck& check) {
  switch (check.status) {
    case FileCheck::Status::Valid:
      return "\u2713 " + check.file + ": valid" +
             (check.detail.empty() ? "" : " (" + check.detail + ")");
    case FileCheck::Status::MissingOptional: return "\u26a0 " + check.file + ": missing (optional)";
    case FileCheck::Status::Invalid: break;
  }
  return "\u2717 " + check.file + ": " + (check.detail.empty() ? "invalid" : check.detail);
}

std::string plural(size_t count, const char* noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

}  // namespace

size_t ValidationReport::errorCount() const { return countOf(*this, Severity::Error); }
size_t ValidationReport::warningCount() const { return countOf(*this, Severity::Warning); }

bool ValidationReport::has(std::string_view rule_id) const {
  return std::any_of(findings.begin(), findings.end(),
                     [&](const Finding& finding) { return finding.rule->id == rule_id; });
}

std::string toText(const ValidationReport& report) {
  std::string text;
  for (const FileCheck& check : report.files) {
    text += headline(check) + "\n";
    for (const Finding& finding : report.findings) {
      if (finding.file != check.file) continue;
      text += finding.rule->severity == Severity::Error ? "    error " : "    warning ";
      text += std::string(finding.rule->id) + ": ";
      if (finding.line > 0) text += "line " + std::to_string(finding.line) + ": ";
      text += finding.message + "\n";
    }
  }
  text += (report.isValid() ? "VALID: " : "INVALID: ") + report.bundle + " (" +
          plural(report.files.size(), "file") + ", " + plural(report.errorCount(), "error") + ", " +
          plural(report.warningCount(), "warning") + ")\n";
  return text;
}

nlohmann::ordered_json toJson(const ValidationReport& report) {
  auto files = nlohmann::ordered_json::array();
  for (const FileCheck& check : report.files)
    files.push_back(
        {{"file", check.file}, {"status", wordOf(check.status)}, {"detail", check.detail}});
  auto findings = nlohmann::ordered_json::array();
  for (const Finding& finding : report.findings)
    findings.push_back(
        {{"severity", finding.rule->severity == Severity::Error ? "error" : "warning"},
         {"rule", finding.rule->id},
         {"file", finding.file},
         {"line", finding.line},
         {"message", finding.message}});
  return {{"bundle", report.bundle},       {"valid", report.isValid()},
          {"errors", report.errorCount()}, {"warnings", report.warningCount()},
          {"files", std::move(files)},     {"findings", std::move(findings)}};
}

namespace {

// "cameras.front" is the same as, or around, "cameras.front.fx", but not "cameras.front_left".
bool encloses(std::string_view outer, std::string_view inner) {
  return inner.starts_with(outer) &&
         (inner.size() == outer.size() || inner[outer.size()] == '.' || inner[outer.size()] == '[');
}

}  // namespace

bool FileReporter::isReported(std::string_view path) const {
  if (reported_ == nullptr || path.empty()) return false;
  return std::any_of(reported_->begin(), reported_->end(), [&](const Problem& problem) {
    const bool concerns_value = problem.kind == Problem::Kind::MissingKey ||
                                problem.kind == Problem::Kind::WrongType ||
                                problem.kind == Problem::Kind::BadValue;
    return concerns_value && (encloses(problem.path, path) || encloses(path, problem.path));
  });
}

void FileReporter::add(std::string_view rule_id, std::string_view path, std::string message) {
  if (isReported(path)) return;
  const int line = root_ != nullptr && !path.empty() ? lineOf(*root_, path) : 0;
  if (!path.empty()) message = std::string(path) + " " + message;
  addAtLine(rule_id, line, std::move(message));
}

void FileReporter::addAtLine(std::string_view rule_id, int line, std::string message) {
  report_.findings.push_back({&ruleAt(rule_id), file_, line, std::move(message)});
}

void FileReporter::add(const std::vector<Problem>& problems) {
  for (const Problem& problem : problems)
    addAtLine(ruleFor(problem.kind), problem.line,
              problem.path.empty() ? problem.message : problem.path + ": " + problem.message);
}

}  // namespace gs

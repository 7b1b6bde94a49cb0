// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "gs/bundle/rules.hpp"
#include "gs/core/document.hpp"

namespace gs {

// One rule broken in one place.
struct Finding {
  const Rule* rule = nullptr;
  std::string file;  // relative to the bundle
  int line = 0;      // 0 when no line can be named
  std::string message;
};

// One line of the report: a file of the bundle and what became of it.
struct FileCheck {
  enum class Status { Valid, MissingOptional, Invalid };

  std::string file;
  Status status = Status::Valid;
  std::string detail;  // "100 Gaussians, SH degree 0"
};

struct ValidationReport {
  std::string bundle;
  std::vector<FileCheck> files;
  std::vector<Finding> findings;

  bool isValid() const { return errorCount() == 0; }
  size_t errorCount() const;
  size_t warningCount() const;
  bool has(std::string_view rule_id) const;
};

// One line per file, its findings below it, then the verdict.
std::string toText(const ValidationReport& report);
nlohmann::ordered_json toJson(const ValidationReport& report);

// Reports on one file: knows its name and, for documents, where each key stands.
class FileReporter {
 public:
  FileReporter(ValidationReport& report, std::string file)
      : report_(report), file_(std::move(file)) {}
  // From here on messages get lines, and keys that `problems` names already are passed over: a
  // missing key must not be reported a second time for its default value.
  void setDocument(const Node* root, const std::vector<Problem>* problems) {
    root_ = root;
    reported_ = problems;
  }

  const std::string& file() const { return file_; }
  // `path` is the dotted key the message is about; it finds the line and begins the message.
  void add(std::string_view rule_id, std::string_view path, std::string message);
  void add(std::string_view rule_id, std::string message) { add(rule_id, "", std::move(message)); }
  void addAtLine(std::string_view rule_id, int line, std::string message);
  // Documents: syntax, missing, unknown, duplicate keys and wrong types under their rules.
  void add(const std::vector<Problem>& problems);

 private:
  ValidationReport& report_;
  std::string file_;
  bool isReported(std::string_view path) const;
  const Node* root_ = nullptr;
  const std::vector<Problem>* reported_ = nullptr;
};

}  // namespace gs

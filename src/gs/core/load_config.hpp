// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

#include "gs/core/document.hpp"
#include "gs/core/error.hpp"
#include "gs/core/read_fields.hpp"

// A configuration type X has fields(), and beside it, in its own namespace:
//   std::vector<gs::Problem> problemsIn(const X&);      values out of range; touches no disk
//   void resolvePaths(X&, const path& folder);          optional: relative paths start at `folder`
//   std::vector<gs::Problem> missingFilesOf(const X&);  optional: inputs it names that are not
//   there
namespace gs {

constexpr uint64_t kMaxConfigBytes = uint64_t{1} << 20;

// A configuration file as read, before anybody asked what it should hold. Never throws: a file that
// cannot be read or parsed has no root and says why in `problems`.
struct ConfigDocument {
  std::filesystem::path file;
  std::optional<Node> root;
  std::vector<Problem> problems;
};
ConfigDocument readConfigDocument(const std::filesystem::path& file);
ConfigDocument parseConfigDocument(std::string_view text, std::filesystem::path file);

enum class NamedFiles { MustExist, AreNotChecked };

// `found` in addition to what `problems` already holds: lines filled in from the document, values
// that could not even be read (and so kept their default) not judged a second time.
void addFoundProblems(std::vector<Problem>& problems, const Node& root, std::vector<Problem> found);

// The struct in the document. Whatever is wrong is added to `document.problems`, in file order.
template <HasFields X>
X readConfig(ConfigDocument& document, NamedFiles files = NamedFiles::MustExist) {
  if (!document.root) return {};
  X config = readFields<X>(*document.root, document.problems);
  if constexpr (requires { resolvePaths(config, document.file); })
    resolvePaths(config, document.file.parent_path());
  std::vector<Problem> found = problemsIn(config);
  if constexpr (requires { missingFilesOf(config); }) {
    if (files == NamedFiles::MustExist)
      for (Problem& problem : missingFilesOf(config)) found.push_back(std::move(problem));
  }
  addFoundProblems(document.problems, *document.root, std::move(found));
  return config;
}

// CONFIG_INVALID with every problem: details.file, details.problems[] of {path, line, message}.
Error configError(const std::filesystem::path& file, const std::vector<Problem>& problems);
nlohmann::ordered_json problemsToJson(const std::vector<Problem>& problems);

// The configuration in `file`: absent keys keep their defaults. Throws configError, also when the
// file is missing. Use NamedFiles::AreNotChecked when a flag replaces a path of the file.
template <HasFields X>
X loadConfig(const std::filesystem::path& file, NamedFiles files = NamedFiles::MustExist) {
  ConfigDocument document = readConfigDocument(file);
  X config = readConfig<X>(document, files);
  if (!document.problems.empty()) throw configError(file, document.problems);
  return config;
}

}  // namespace gs

// SPDX-License-Identifier: Apache-2.0
#include "gs/core/load_config.hpp"

#include <algorithm>
#include <utility>

#include <nlohmann/json.hpp>

#include "gs/core/file.hpp"

namespace gs {
namespace fs = std::filesystem;

ConfigDocument readConfigDocument(const fs::path& file) {
  const auto unreadable = [&](std::string why) {
    return ConfigDocument{file, std::nullopt, {{Problem::Kind::Syntax, "", 0, std::move(why)}}};
  };
  std::error_code failure;
  const fs::file_status status = fs::status(file, failure);
  if (!fs::exists(status)) return unreadable("the file does not exist");
  if (fs::is_directory(status)) return unreadable("this is a folder, not a file");
  try {
    return parseConfigDocument(readTextFile(file, kMaxConfigBytes), file);
  } catch (const Error& why) {
    // Translated, not swallowed: to the caller an unreadable configuration is an invalid one.
    return unreadable(why.report().message);
  }
}

ConfigDocument parseConfigDocument(std::string_view text, fs::path file) {
  // YAML unless the name says otherwise: people call configurations .yaml, .yml, .conf or nothing.
  const DocumentFormat format =
      file.extension() == ".json" ? DocumentFormat::Json : DocumentFormat::Yaml;
  ConfigDocument document{std::move(file), std::nullopt, {}};
  document.root = parseDocument(text, format, document.problems);
  return document;
}

void addFoundProblems(std::vector<Problem>& problems, const Node& root,
                      std::vector<Problem> found) {
  const size_t count_read = problems.size();
  for (Problem& problem : found) {
    const auto end = problems.begin() + static_cast<std::ptrdiff_t>(count_read);
    if (std::any_of(problems.begin(), end,
                    [&](const Problem& read) { return read.path == problem.path; }))
      continue;
    if (problem.line == 0) problem.line = lineOf(root, problem.path);
    problems.push_back(std::move(problem));
  }
  std::stable_sort(problems.begin(), problems.end(),
                   [](const Problem& a, const Problem& b) { return a.line < b.line; });
}

nlohmann::ordered_json problemsToJson(const std::vector<Problem>& problems) {
  auto list = nlohmann::ordered_json::array();
  for (const Problem& problem : problems)
    list.push_back({{"path", problem.path}, {"line", problem.line}, {"message", problem.message}});
  return list;
}

Error configError(const fs::path& file, const std::vector<Problem>& problems) {
  std::string message = "'" + file.string() + "' ";
  if (problems.size() == 1) message += "has a problem: " + toString(problems.front());
  else message += "has " + std::to_string(problems.size()) + " problems, see details";
  nlohmann::ordered_json details;
  details["file"] = file.string();
  details["problems"] = problemsToJson(problems);
  return Error({.code = ErrorCode::ConfigInvalid,
                .component = "config",
                .message = std::move(message),
                .details = Details(std::move(details)),
                .suggestion = "Correct the places listed in 'details.problems': each names its key "
                              "and, where it has one, its line."});
}

}  // namespace gs

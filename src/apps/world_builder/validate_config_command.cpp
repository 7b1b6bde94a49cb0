// SPDX-License-Identifier: Apache-2.0
#include <iostream>
#include <memory>

#include "apps/world_builder/commands.hpp"
#include "gs/core/error.hpp"
#include "gs/core/write_fields.hpp"
#include "gs_builder/config.hpp"

// gs-world-builder validate-config FILE. All judgement is in gs_builder/config; this file turns
// arguments into a call and the answer into text.
namespace apps {
namespace {

using gs_builder::ConfigKind;

struct Arguments {
  std::filesystem::path file;
  std::string kind;
  bool is_json = false;
};

ConfigKind kindOf(const gs::ConfigDocument& document, const Arguments& arguments) {
  if (const auto asked = gs_builder::findConfigKind(arguments.kind)) return *asked;
  if (const auto found = gs_builder::recogniseKind(*document.root, document.file)) return *found;
  throw gs::Error({.code = gs::ErrorCode::ConfigInvalid,
                   .component = "config",
                   .message = "cannot tell which configuration '" + document.file.string() +
                              "' is: its keys fit none better than another",
                   .details = {{"file", document.file.string()}},
                   .suggestion = "Add --kind pipeline, --kind training or --kind geometry."});
}

// Names and values come from a file that may hold anything: keep the terminal safe.
std::string printable(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  return text;
}

std::string toLine(const gs::Problem& problem, const std::filesystem::path& file) {
  const std::string place = problem.path.empty() ? file.string() : problem.path;
  const std::string line = problem.line > 0 ? "line " + std::to_string(problem.line) + ": " : "";
  return "\u2717 " + printable(place + ": " + line + problem.message) + "\n";
}

void printProblems(const gs::ConfigDocument& document, bool is_json) {
  if (is_json) {
    nlohmann::ordered_json report;
    report["file"] = document.file.string();
    report["valid"] = false;
    report["problems"] = gs::problemsToJson(document.problems);
    std::cout << gs::toText(report);
    return;
  }
  for (const gs::Problem& problem : document.problems) std::cout << toLine(problem, document.file);
}

void printSuccess(const gs::ConfigDocument& document, ConfigKind kind, bool is_json) {
  const gs_builder::KeyCount keys = gs_builder::countKeys(*document.root, kind);
  if (is_json) {
    nlohmann::ordered_json report;
    report["file"] = document.file.string();
    report["valid"] = true;
    report["kind"] = gs::wordOf(kind);
    report["keys_set"] = keys.set;
    report["defaults"] = keys.defaults;
    std::cout << gs::toText(report);
    return;
  }
  std::cout << "\u2713 " << document.file.string() << ": valid (" << gs::wordOf(kind)
            << " configuration, " << keys.set << " keys set, " << keys.defaults << " defaults)\n";
}

void validateConfig(const Arguments& arguments) {
  gs::ConfigDocument document = gs::readConfigDocument(arguments.file);
  ConfigKind kind = ConfigKind::Pipeline;
  if (document.root) {
    kind = kindOf(document, arguments);
    gs_builder::checkConfig(document, kind);
  }
  if (document.problems.empty()) return printSuccess(document, kind, arguments.is_json);
  printProblems(document, arguments.is_json);
  throw gs::configError(document.file, document.problems);
}

}  // namespace

void addValidateConfigCommand(CLI::App& app) {
  auto* command = app.add_subcommand(
      "validate-config", "Check a configuration file: keys, ranges, paths, duplicate topics");
  auto arguments = std::make_shared<Arguments>();
  command->add_option("file", arguments->file, "Configuration file")->required();
  command->add_option("--kind", arguments->kind, "What the file is; absent: seen from its keys")
      ->check(CLI::IsMember({"pipeline", "training", "geometry"}));
  command->add_flag("--json", arguments->is_json, "Print the result as JSON");
  command->footer(
      "Example:\n"
      "  gs-world-builder validate-config config.yaml");
  command->callback([arguments] { validateConfig(*arguments); });
}

}  // namespace apps

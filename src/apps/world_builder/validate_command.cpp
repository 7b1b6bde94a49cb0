// SPDX-License-Identifier: Apache-2.0
#include <iostream>
#include <memory>
#include <string_view>

#include <fmt/format.h>

#include "apps/world_builder/commands.hpp"
#include "gs/bundle/read_bundle.hpp"
#include "gs/core/error.hpp"
#include "gs/core/write_fields.hpp"

// gs-world-builder validate BUNDLE. All judgement is in gs/bundle; this file turns arguments into a
// call and the answer into text.
namespace apps {
namespace {

struct Arguments {
  std::filesystem::path bundle;
  bool is_json = false;
  bool is_strict = false;
};

void validate(const Arguments& arguments) {
  const gs::ValidationReport report = gs::validateBundle(arguments.bundle);
  std::cout << (arguments.is_json ? gs::toText(toJson(report)) : toText(report));
  if (!report.isValid() || (arguments.is_strict && report.warningCount() > 0))
    gs::throwInvalidBundle(report, gs::ErrorCode::ValidationFailed);
}

std::string_view wordOf(gs::Severity severity) {
  return severity == gs::Severity::Error ? "error" : "warning";
}

void printRulesAsJson() {
  auto rules = nlohmann::ordered_json::array();
  for (const gs::Rule& rule : gs::allRules())
    rules.push_back({{"rule", rule.id}, {"severity", wordOf(rule.severity)}, {"text", rule.text}});
  std::cout << gs::toText(rules);
}

// docs/interfaces/validation_rules.md, whole.
void printRulesAsPage() {
  std::cout
      << "# What `validate` checks\n\n"
         "Written by `gs-world-builder rules --markdown`. An error makes a bundle invalid; a\n"
         "warning does not. The list is in `src/gs/bundle/rules.cpp`, a bundle that breaks each\n"
         "rule comes from `gs-make-test-data broken DIR`.\n\n"
         "| rule | severity | what must hold |\n|---|---|---|\n";
  for (const gs::Rule& rule : gs::allRules())
    std::cout << "| `" << rule.id << "` | " << wordOf(rule.severity) << " | " << rule.text
              << " |\n";
}

void printRulesAsText() {
  for (const gs::Rule& rule : gs::allRules())
    std::cout << fmt::format("{:<8} {:<30} {}\n", wordOf(rule.severity), rule.id, rule.text);
}

}  // namespace

void addValidateCommand(CLI::App& app) {
  auto* command =
      app.add_subcommand("validate", "Check a world bundle: every file, every rule, all at once");
  auto arguments = std::make_shared<Arguments>();
  command->add_option("bundle", arguments->bundle, "Folder that contains world.yaml")->required();
  command->add_flag("--json", arguments->is_json, "Print the report as JSON");
  command->add_flag("--strict", arguments->is_strict, "Fail on warnings too");
  command->footer(
      "Prints one line per file, its findings below it, and the verdict; exit code 6 when the\n"
      "bundle is not valid. 'gs-world-builder rules' explains each rule.\n"
      "Example:\n"
      "  gs-world-builder validate worlds/minimal_test");
  command->callback([arguments] { validate(*arguments); });
}

void addRulesCommand(CLI::App& app) {
  auto* command = app.add_subcommand("rules", "List every rule that 'validate' checks");
  auto is_json = std::make_shared<bool>(false);
  auto is_page = std::make_shared<bool>(false);
  auto* json = command->add_flag("--json", *is_json, "Print the list as JSON");
  command->add_flag("--markdown", *is_page, "Print the list as a page")->excludes(json);
  command->callback([is_json, is_page] {
    if (*is_json) printRulesAsJson();
    else if (*is_page) printRulesAsPage();
    else printRulesAsText();
  });
}

}  // namespace apps

// SPDX-License-Identifier: Apache-2.0
#include "apps/common/run_program.hpp"

#include <csignal>
#include <iostream>
#include <string>
#include <vector>

#include "gs/core/document.hpp"
#include "gs/core/log.hpp"
#include "gs/core/version.hpp"
#include "gs/core/write_fields.hpp"

namespace apps {
namespace {

std::string nearestCommand(const CLI::App& app, int argc, const char* const* argv) {
  if (argc < 2 || argv[1][0] == '-') return {};
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (command->get_name() == argv[1]) return {};  // the mistake is farther to the right
    names.push_back(command->get_name());
  }
  return gs::nearestWord(argv[1], names);
}

gs::ErrorReport usageReport(const CLI::App& app, const CLI::ParseError& usage, int argc,
                            const char* const* argv) {
  const std::string nearest = nearestCommand(app, argc, argv);
  return {.code = gs::ErrorCode::UsageError,
          .component = app.get_name(),
          .message = usage.what(),
          .suggestion = (nearest.empty() ? "" : "Did you mean '" + nearest + "'? ") + "Run '" +
                        app.get_name() + " --help' to see what is possible."};
}

void addCommonOptions(CLI::App& app) {
  app.set_version_flag("--version", app.get_name() + " " + std::string(gs::buildVersion()));
  app.add_flag_callback(
      "-v,--verbose", [] { gs::initLogging(gs::LogLevel::Info); },
      "Say on stderr what is being done");
  // So that the common options may stand behind a command as well as before it.
  for (CLI::App* command : app.get_subcommands([](CLI::App*) { return true; }))
    command->fallthrough();
}

// Results on a full disk or into a closed pipe are lost: that is not success.
void flushResults() {
  if (std::cout.flush()) return;
  throw gs::Error({.code = gs::ErrorCode::OutputFailed,
                   .component = "stdout",
                   .message = "the result could not be written to standard output",
                   .suggestion = "Check free space where standard output goes."});
}

int failWith(const gs::ErrorReport& report, int (*exitCodeFor)(gs::ErrorCode)) {
  std::cout.flush();  // what was already said comes before the error when both go to a terminal
  std::cerr << gs::toText(gs::toJson(report));
  return exitCodeFor(report.code);
}

}  // namespace

int runProgram(CLI::App& app, int argc, const char* const* argv,
               int (*exitCodeFor)(gs::ErrorCode)) {
  // A file that would grow beyond a limit is a failed write like any other, not a reason to die.
  std::signal(SIGXFSZ, SIG_IGN);
  try {
    addCommonOptions(app);
    app.parse(argc, argv);
    flushResults();
    return 0;
  } catch (const ExitWith& answer) {
    std::cout.flush();
    return answer.code;
  } catch (const CLI::Success& help_or_version) {
    return app.exit(help_or_version);
  } catch (const CLI::ParseError& usage) {
    return failWith(usageReport(app, usage, argc, argv), exitCodeFor);
  } catch (const gs::Error& error) {
    return failWith(error.report(), exitCodeFor);
  } catch (const std::exception& bug) {  // not a person's mistake: say so, do not dress it up
    std::cerr << "internal error: " << bug.what() << '\n';
    return 1;
  }
}

}  // namespace apps

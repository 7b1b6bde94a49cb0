// SPDX-License-Identifier: Apache-2.0
#include "apps/common/run_program.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace apps {
namespace {

using ::testing::HasSubstr;

struct Outcome {
  int exit_code;
  std::string out, err;
};

int testExitCode(gs::ErrorCode code) { return code == gs::ErrorCode::UsageError ? 1 : 42; }

Outcome run(
    std::vector<const char*> arguments, std::function<void()> command = [] {}) {
  CLI::App app("A program of tests", "gs-test");
  app.require_subcommand(1);
  app.add_subcommand("measure")->callback(std::move(command));
  arguments.insert(arguments.begin(), "gs-test");
  ::testing::internal::CaptureStdout();
  ::testing::internal::CaptureStderr();
  const int exit_code =
      runProgram(app, static_cast<int>(arguments.size()), arguments.data(), testExitCode);
  return {exit_code, ::testing::internal::GetCapturedStdout(),
          ::testing::internal::GetCapturedStderr()};
}

TEST(RunProgram, SuccessIsSilentAndZero) {
  const Outcome outcome = run({"measure"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.out + outcome.err, "");
}

TEST(RunProgram, HelpAndVersionAreAnswersNotErrors) {
  EXPECT_EQ(run({"--help"}).exit_code, 0);
  EXPECT_THAT(run({"--help"}).out, HasSubstr("A program of tests"));
  EXPECT_THAT(run({"--version"}).out, HasSubstr("gs-test 0."));
  EXPECT_EQ(run({"measure", "--help"}).exit_code, 0);
}

TEST(RunProgram, AnErrorBecomesItsJsonAndItsExitCode) {
  const Outcome outcome = run({"measure"}, [] {
    throw gs::Error(
        {.code = gs::ErrorCode::ConfigInvalid, .component = "config", .message = "bad \xff bytes"});
  });
  EXPECT_EQ(outcome.exit_code, 42);
  EXPECT_EQ(nlohmann::json::parse(outcome.err)["error"]["code"], "CONFIG_INVALID");
}

TEST(RunProgram, WrongUsageIsAnErrorThatHelps) {
  const Outcome outcome = run({"mesure"});
  EXPECT_EQ(outcome.exit_code, 1);
  const auto error = nlohmann::json::parse(outcome.err)["error"];
  EXPECT_EQ(error["code"], "USAGE_ERROR");
  EXPECT_THAT(std::string(error["suggestion"]), HasSubstr("Did you mean 'measure'?"));
  EXPECT_EQ(run({}).exit_code, 1);
  EXPECT_EQ(run({"measure", "--nonsense"}).exit_code, 1);
}

TEST(RunProgram, ABugIsNotDressedUpAsAnError) {
  const Outcome outcome = run({"measure"}, [] { throw std::logic_error("oh"); });
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_EQ(outcome.err, "internal error: oh\n");
}

TEST(RunProgram, VerboseMayStandBehindTheCommand) {
  EXPECT_EQ(run({"measure", "--verbose"}).exit_code, 0);
  EXPECT_EQ(run({"-v", "measure"}).exit_code, 0);
}

}  // namespace
}  // namespace apps

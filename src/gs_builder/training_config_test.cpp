// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/training_config.hpp"

#include <gmock/gmock.h>

#include "gs/core/file.hpp"
#include "gs/core/testing/temp_dir.hpp"
#include "gs_builder/config_testing.hpp"

namespace gs_builder {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// `training` continues the training section, two spaces deep; `rest` stands below it.
std::vector<std::string> problemsOf(const std::string& training, const std::string& rest = "") {
  return testing::problemTexts<TrainingConfig>("version: \"1.0.0\"\ntraining:\n  seed: 1\n" +
                                               training + rest);
}

TEST(TrainingConfig, TheDefaultsAreUsable) { EXPECT_THAT(problemsIn({}), IsEmpty()); }

TEST(TrainingConfig, TheSeedIsRequired) {
  EXPECT_THAT(
      testing::problemTexts<TrainingConfig>("version: \"1.0.0\"\ntraining:\n  batch_size: 1\n"),
      ElementsAre("line 3: training.seed: required, but not there"));
  EXPECT_THAT(testing::problemTexts<TrainingConfig>("version: \"1.0.0\"\n"),
              ElementsAre("line 1: training: required, but not there, with seed"));
  EXPECT_THAT(problemsOf(""), IsEmpty());
  EXPECT_THAT(testing::problemTexts<TrainingConfig>("version: \"1.0.0\"\ntraining: {seed: -1}\n"),
              ElementsAre(HasSubstr("out of range")));
}

TEST(TrainingConfig, EnumsAcceptTheirWordsOnly) {
  EXPECT_THAT(problemsOf("  backend: cuda\n", "model: {type: all}\n"),
              ElementsAre(HasSubstr("'native', 'drivestudio', 'command', found 'cuda'"),
                          HasSubstr("'background_only', found 'all'")));
}

TEST(TrainingConfig, DensificationEndsAfterItsStartAndWithinTheTraining) {
  EXPECT_THAT(problemsOf("  densify: {start_iter: 20, end_iter: 20}\n"),
              ElementsAre(HasSubstr("end_iter: 20 is not after start_iter (20)")));
  EXPECT_THAT(problemsOf("  iterations: 9000\n", "output: {save_iterations: [9000]}\n"),
              ElementsAre(HasSubstr("end_iter: 15000 is after the last iteration (9000)")));
}

TEST(TrainingConfig, SaveIterationsAscendWithinTheTraining) {
  EXPECT_THAT(problemsOf("", "output:\n  save_iterations: [0, 5, 5, 30001]\n"),
              ElementsAre("line 5: output.save_iterations[0]: 0 is less than 1",
                          "line 5: output.save_iterations[2]: 5 does not come after 5",
                          HasSubstr("[3]: 30001 is after the last iteration (30000)")));
  EXPECT_THAT(problemsOf("", "output: {save_iterations: []}\n"), IsEmpty());
}

TEST(TrainingConfig, NumbersOutOfRangeAreAllNamed) {
  EXPECT_THAT(
      problemsOf("  iterations: 0\n"
                 "  batch_size: 0\n"
                 "  held_out_every: 1\n"
                 "  learning_rate: {position: -1, rotation: .nan}\n"
                 "  densify: {start_iter: -2, end_iter: -1, interval: 0, grad_threshold: 0}"
                 "\n",
                 "model: {sh_degree: 4}\noutput: {save_iterations: []}\n"),
      ElementsAre(HasSubstr("iterations"), HasSubstr("batch_size"), HasSubstr("held_out_every"),
                  HasSubstr("position"), HasSubstr("rotation"), HasSubstr("start_iter"),
                  HasSubstr("interval"), HasSubstr("grad_thresh"), HasSubstr("sh_degree")));
}

TEST(TrainingConfig, ABackendThatNeedsMoreSaysSo) {
  EXPECT_THAT(problemsOf("  backend: drivestudio\n"),
              ElementsAre(HasSubstr("training.drivestudio.dir: required for backend drivestudio")));
  EXPECT_THAT(problemsOf("  backend: command\n"),
              ElementsAre(HasSubstr("training.command.line: required for backend command")));
}

TEST(TrainingConfig, ACommandUsesKnownPlaceholdersOnly) {
  EXPECT_THAT(problemsOf("  command: {line: \"t {dataset} {output} {seed} {iterations}\"}\n"),
              IsEmpty());
  EXPECT_THAT(problemsOf("  command: {line: \"t {dataset} {output} {sed} {\"}\n"),
              ElementsAre(HasSubstr("'{sed}' is not one of"), HasSubstr("'{' is not one of")));
  EXPECT_THAT(problemsOf("  command: {line: \"t {dataset}\"}\n"),
              ElementsAre(HasSubstr("needs {dataset} and {output}")));
}

TEST(TrainingConfig, ResultsStayInsideTheWorkspace) {
  for (const char* bad : {"/tmp/x", "../x", "a/../../x", "\"\""})
    EXPECT_THAT(problemsOf("", std::string("output: {checkpoint_dir: ") + bad + "}\n"),
                ElementsAre(HasSubstr("output.checkpoint_dir")))
        << bad;
}

TEST(TrainingConfig, ADriveStudioFolderHoldsItsTrainer) {
  const gs::testing::TempDir dir;
  const auto file = dir / "training.yaml";
  gs::writeFileAtomically(file,
                          "version: \"1.0.0\"\ntraining:\n  seed: 1\n  backend: drivestudio\n"
                          "  drivestudio: {dir: ds}\n");
  EXPECT_THROW(gs::loadConfig<TrainingConfig>(file), gs::Error);
  std::filesystem::create_directories(dir / "ds/tools");
  gs::writeFileAtomically(dir / "ds/tools/train.py", "x");
  EXPECT_EQ(gs::loadConfig<TrainingConfig>(file).training.drivestudio.dir, (dir / "ds").string());
}

}  // namespace
}  // namespace gs_builder

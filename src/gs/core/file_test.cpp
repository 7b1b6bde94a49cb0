// SPDX-License-Identifier: Apache-2.0
#include "gs/core/file.hpp"

#include <gmock/gmock.h>

#include "gs/core/error.hpp"
#include "gs/core/testing/temp_dir.hpp"

namespace gs {
namespace fs = std::filesystem;
namespace {

std::vector<std::string> namesIn(const fs::path& dir) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(dir)) names.push_back(entry.path().filename());
  return names;
}

TEST(AtomicFile, LeavesNothingBehindWhenItIsNotCommitted) {
  const testing::TempDir dir;
  {
    AtomicFile file(dir / "a.txt");
    file.write(asBytes("half"));
  }
  EXPECT_THAT(namesIn(dir.path()), ::testing::IsEmpty());
}

TEST(AtomicFile, KeepsTheOldContentUntilCommit) {
  const testing::TempDir dir;
  writeFileAtomically(dir / "a.txt", "old");
  AtomicFile file(dir / "a.txt");
  file.write(asBytes("new"));
  EXPECT_EQ(readTextFile(dir / "a.txt", 100), "old");
  file.commit();
  EXPECT_EQ(readTextFile(dir / "a.txt", 100), "new");
  EXPECT_THAT(namesIn(dir.path()), ::testing::ElementsAre("a.txt"));
}

TEST(AtomicFile, SaysWhereItCannotWrite) {
  const testing::TempDir dir;
  EXPECT_THROW(writeFileAtomically(dir / "no" / "such" / "a.txt", "x"), Error);
}

TEST(ReadTextFile, RefusesMoreThanItWasAllowed) {
  const testing::TempDir dir;
  writeFileAtomically(dir / "a.txt", "12345");
  EXPECT_THROW(readTextFile(dir / "a.txt", 4), Error);
}

TEST(StagedDirectory, ReplacesWholeOrNotAtAll) {
  const testing::TempDir dir;
  {
    StagedDirectory staged(dir / "world");
    writeFileAtomically(staged.path() / "one", "1");
  }
  EXPECT_THAT(namesIn(dir.path()), ::testing::IsEmpty());
  for (const char* name : {"one", "two"}) {
    StagedDirectory staged(dir / "world");
    writeFileAtomically(staged.path() / name, name);
    staged.commit();
  }
  EXPECT_THAT(namesIn(dir / "world"), ::testing::ElementsAre("two"));
  EXPECT_THAT(namesIn(dir.path()), ::testing::ElementsAre("world"));
}

TEST(ResolveInside, AcceptsWhatStaysInside) {
  const testing::TempDir dir;
  EXPECT_EQ(resolveInside(dir.path(), "a/b.txt").problem, PathProblem::None);
  EXPECT_EQ(resolveInside(dir.path(), "a/../b.txt").problem, PathProblem::None);
  EXPECT_EQ(resolveInside(dir.path(), "a/b.txt").path, dir / "a" / "b.txt");
}

TEST(ResolveInside, NamesWhyAPathIsRefused) {
  const testing::TempDir dir;
  EXPECT_EQ(resolveInside(dir.path(), "").problem, PathProblem::Empty);
  EXPECT_EQ(resolveInside(dir.path(), "/etc/passwd").problem, PathProblem::Absolute);
  EXPECT_EQ(resolveInside(dir.path(), "a\\b").problem, PathProblem::Backslash);
  EXPECT_EQ(resolveInside(dir.path(), "../b").problem, PathProblem::Escapes);
  EXPECT_EQ(resolveInside(dir.path(), "a/../../b").problem, PathProblem::Escapes);
}

TEST(ResolveInside, FollowsLinksBeforeItJudges) {
  const testing::TempDir dir;
  fs::create_directories(dir / "world" / "sub");
  writeFileAtomically(dir / "outside", "x");
  writeFileAtomically(dir / "world" / "sub" / "inside", "x");
  fs::create_symlink("sub/inside", dir / "world" / "good");
  fs::create_symlink("../outside", dir / "world" / "bad");
  fs::create_symlink("loop", dir / "world" / "loop");
  EXPECT_EQ(resolveInside(dir / "world", "good").problem, PathProblem::None);
  EXPECT_EQ(resolveInside(dir / "world", "bad").problem, PathProblem::Escapes);
  EXPECT_EQ(resolveInside(dir / "world", "loop").problem, PathProblem::Escapes);
}

TEST(WriteFile, ReplacesWhatWasThereAndSaysWhenItCannot) {
  const testing::TempDir dir;
  writeFile(dir / "a", "long text");
  writeFile(dir / "a", "x");
  EXPECT_EQ(readTextFile(dir / "a", 10), "x");
  flushFileSystemOf(dir.path());
  EXPECT_THROW(writeFile(dir / "absent" / "a", "x"), Error);
  EXPECT_THROW(createDirectories(dir / "a" / "b"), Error);
}

TEST(HardLinkOrCopy, GivesTheSameContent) {
  const testing::TempDir dir;
  writeFileAtomically(dir / "a", "x");
  hardLinkOrCopy(dir / "a", dir / "b");
  EXPECT_EQ(readTextFile(dir / "b", 10), "x");
  EXPECT_THROW(hardLinkOrCopy(dir / "absent", dir / "c"), Error);
}

}  // namespace
}  // namespace gs

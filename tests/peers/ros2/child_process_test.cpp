// SPDX-License-Identifier: Apache-2.0
#include "peers/ros2/child_process.hpp"

#include <gtest/gtest.h>

#include "gs/core/testing/eventually.hpp"

namespace peers {
namespace {

TEST(ChildProcess, EndsWhenItsStdinCloses) {
  ChildProcess child({"/bin/sh", "-c", "echo ready; cat; exit 7"});
  EXPECT_EQ(child.waitForLine("ready", gs::testing::kPatience), "ready");
  EXPECT_EQ(child.finish(), 7);
}

TEST(ChildProcess, WhoDoesNotEndIsKilled) {
  ChildProcess child({"/bin/sh", "-c", "echo ready; exec sleep 1000"});
  EXPECT_TRUE(child.waitForLine("ready", gs::testing::kPatience));
  EXPECT_EQ(child.finish(std::chrono::milliseconds(20)), -SIGKILL);
}

TEST(ChildProcess, DiesWithATestThatCrashes) {
  int ids[2];
  ASSERT_EQ(pipe2(ids, O_CLOEXEC), 0);
  const pid_t test = fork();
  ASSERT_GE(test, 0);
  if (test == 0) {  // nothing here is cleaned up
    ChildProcess child({"/bin/sh", "-c", "echo ready; exec sleep 1000"});
    const bool is_ready = child.waitForLine("ready", gs::testing::kPatience).has_value();
    const pid_t id = is_ready ? child.pid() : -1;
    const bool is_told = write(ids[1], &id, sizeof id) == sizeof id;
    raise(is_told ? SIGKILL : SIGABRT);
  }
  int status = 0;
  ASSERT_EQ(waitpid(test, &status, 0), test);
  pid_t child = -1;
  ASSERT_EQ(read(ids[0], &child, sizeof child), static_cast<ssize_t>(sizeof child));
  ASSERT_GT(child, 0);
  // It was reparented: whoever is its parent now may leave it a zombie, but it does not run.
  EXPECT_TRUE(gs::testing::eventually([&] {
    const std::string path = "/proc/" + std::to_string(child) + "/cmdline";
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return true;
    char first = 0;
    const ssize_t count = read(file, &first, 1);
    close(file);
    return count <= 0;  // of a zombie
  }));
  close(ids[0]);
  close(ids[1]);
}

}  // namespace
}  // namespace peers

// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "gs/core/log.hpp"

int main(int argc, char** argv) {
  // Sanitizers and worker threads do not survive a plain fork; re-executing is always safe.
  ::testing::GTEST_FLAG(death_test_style) = "threadsafe";
  ::testing::InitGoogleMock(&argc, argv);
  gs::initLogging(gs::LogLevel::Error);
  return RUN_ALL_TESTS();
}

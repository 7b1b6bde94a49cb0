// SPDX-License-Identifier: Apache-2.0
#include "apps/simulator/exit_codes.hpp"

#include <gmock/gmock.h>

namespace apps {
namespace {

TEST(SimulatorExitCode, EveryErrorIsAFailureWithinTheContract) {
  for (int i = 0; i <= static_cast<int>(gs::ErrorCode::UsageError); ++i) {
    const auto code = static_cast<gs::ErrorCode>(i);
    EXPECT_GE(simulatorExitCode(code), 1) << gs::toString(code);
    EXPECT_LE(simulatorExitCode(code), 4) << gs::toString(code);
  }
}

TEST(SimulatorExitCode, FollowsTheContract) {
  EXPECT_EQ(simulatorExitCode(gs::ErrorCode::BundleNotFound), 1);
  EXPECT_EQ(simulatorExitCode(gs::ErrorCode::BundleInvalid), 2);
  EXPECT_EQ(simulatorExitCode(gs::ErrorCode::ValidationFailed), 2);
  EXPECT_EQ(simulatorExitCode(gs::ErrorCode::HeightmapInvalid), 2);
  EXPECT_EQ(simulatorExitCode(gs::ErrorCode::FileMissing), 3);
  EXPECT_EQ(simulatorExitCode(gs::ErrorCode::GpuNotAvailable), 4);
  EXPECT_EQ(simulatorExitCode(gs::ErrorCode::UsageError), 1);
}

}  // namespace
}  // namespace apps

// SPDX-License-Identifier: Apache-2.0
#include "apps/world_builder/exit_codes.hpp"

#include <gmock/gmock.h>

namespace apps {
namespace {

// That every code is decided, the compiler checks (-Wswitch); here, that no failure looks like
// success and that the figures are those of the command line's contract.
TEST(BuilderExitCode, EveryErrorIsAFailureWithinTheContract) {
  for (int i = 0; i <= static_cast<int>(gs::ErrorCode::UsageError); ++i) {
    const auto code = static_cast<gs::ErrorCode>(i);
    EXPECT_GE(builderExitCode(code), 1) << gs::toString(code);
    EXPECT_LE(builderExitCode(code), 6) << gs::toString(code);
  }
}

TEST(BuilderExitCode, FollowsTheContract) {
  const std::map<std::string, int> contract = {
      {"CONFIG_INVALID", 2},    {"MCAP_READ_ERROR", 3},     {"INSUFFICIENT_DATA", 3},
      {"TOPIC_NOT_FOUND", 4},   {"TF_MISSING", 5},          {"CAMERA_INFO_MISSING", 5},
      {"TRAINING_FAILED", 5},   {"INVALID_CALIBRATION", 5}, {"GPU_OUT_OF_MEMORY", 5},
      {"POINTCLOUD_EMPTY", 5},  {"HEIGHTMAP_INVALID", 5},   {"CHECKPOINT_NOT_FOUND", 5},
      {"VALIDATION_FAILED", 6}, {"FILE_MISSING", 6},        {"BUNDLE_NOT_FOUND", 6},
      {"BUNDLE_INVALID", 6},    {"USAGE_ERROR", 1},         {"OUTPUT_FAILED", 1},
  };
  for (const auto& [name, exit_code] : contract)
    EXPECT_EQ(builderExitCode(gs::findErrorCode(name).value()), exit_code) << name;
}

}  // namespace
}  // namespace apps

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "gs/core/error.hpp"

namespace apps {

// Exit codes of the simulator: 1 bundle not found and everything general, 2 bundle invalid,
// 3 required file missing, 4 requested GPU not available. No default: a new code must be decided.
constexpr int simulatorExitCode(gs::ErrorCode code) {
  using gs::ErrorCode;
  switch (code) {
    case ErrorCode::ValidationFailed:
    case ErrorCode::BundleInvalid:
    case ErrorCode::InvalidCalibration:  // these are files of the bundle too
    case ErrorCode::HeightmapInvalid:
    case ErrorCode::InvalidQuaternion:
    case ErrorCode::InvalidTransform:
    case ErrorCode::InvalidHeightmapSize: return 2;
    case ErrorCode::FileMissing: return 3;
    case ErrorCode::GpuNotAvailable: return 4;
    case ErrorCode::BundleNotFound:
    case ErrorCode::McapReadError:
    case ErrorCode::TopicNotFound:
    case ErrorCode::InsufficientData:
    case ErrorCode::TfMissing:
    case ErrorCode::CameraInfoMissing:
    case ErrorCode::TrainingFailed:
    case ErrorCode::GpuOutOfMemory:
    case ErrorCode::CheckpointNotFound:
    case ErrorCode::PointcloudEmpty:
    case ErrorCode::InvalidTimestamp:
    case ErrorCode::InvalidControlInput:
    case ErrorCode::InvalidImageSize:
    case ErrorCode::InvalidPointcloudSize:
    case ErrorCode::ConfigInvalid:
    case ErrorCode::InputInvalid:
    case ErrorCode::OutputFailed:
    case ErrorCode::UsageError: return 1;
  }
  return 1;
}

// A run that failed one of its conditions, by the word of the condition.
constexpr int runExitCode(std::string_view failure) {
  if (failure == "collision") return 10;
  if (failure == "offroad") return 11;
  if (failure == "missed_deadline") return 12;
  if (failure == "not_arrived") return 13;
  return 14;  // standstill
}

constexpr int kRunsDiffer = 20;  // of verify

}  // namespace apps

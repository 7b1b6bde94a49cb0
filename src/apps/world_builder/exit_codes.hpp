// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gs/core/error.hpp"

namespace apps {

// Exit codes of gs-world-builder: 0 success, 1 general, 2 configuration, 3 input log, 4 required
// topic missing, 5 a stage failed, 6 validation failed. No default: a new code must be decided.
constexpr int builderExitCode(gs::ErrorCode code) {
  using gs::ErrorCode;
  switch (code) {
    case ErrorCode::ConfigInvalid: return 2;
    case ErrorCode::McapReadError:
    case ErrorCode::InsufficientData: return 3;
    case ErrorCode::TopicNotFound: return 4;
    case ErrorCode::TfMissing:
    case ErrorCode::CameraInfoMissing:
    case ErrorCode::InvalidCalibration:
    case ErrorCode::TrainingFailed:
    case ErrorCode::GpuOutOfMemory:
    case ErrorCode::CheckpointNotFound:
    case ErrorCode::PointcloudEmpty:
    case ErrorCode::HeightmapInvalid: return 5;
    case ErrorCode::ValidationFailed:
    case ErrorCode::FileMissing:
    case ErrorCode::BundleNotFound:
    case ErrorCode::BundleInvalid: return 6;
    case ErrorCode::InvalidQuaternion:
    case ErrorCode::InvalidTransform:
    case ErrorCode::InvalidTimestamp:
    case ErrorCode::InvalidControlInput:
    case ErrorCode::InvalidHeightmapSize:
    case ErrorCode::InvalidImageSize:
    case ErrorCode::InvalidPointcloudSize:
    case ErrorCode::InputInvalid:
    case ErrorCode::OutputFailed:
    case ErrorCode::GpuNotAvailable:
    case ErrorCode::UsageError: return 1;
  }
  return 1;
}

}  // namespace apps

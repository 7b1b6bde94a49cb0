// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "gs/core/time.hpp"
#include "gs/synthetic/drive_options.hpp"

// When the sensors of a made drive fire. Pure functions of the options, so that whoever has a
// stamp of the log finds the frame's number again.
namespace gs {

// Stamps of the log count from here (2026-03-01, 10:00 UTC).
constexpr Stamp kSampleDriveStart{1'772'359'200'000'000'000};

// Number k of something at a rate: integer nanoseconds, no sum of periods.
Duration timeOf(int64_t k, double rate_hz);

// The stamp of a sensor's message number k, counted from the start of the drive.
Duration cameraTime(const SampleDriveOptions& options, const std::string& id, int64_t k);
Duration lidarTime(const SampleDriveOptions& options, const std::string& id, int64_t k);
// When the first shot of that cloud is fired.
Duration sweepBegin(const SampleDriveOptions& options, const std::string& id, int64_t k);

// How far the stamp of an IMU's message is from when it measured.
Duration imuStampError(const SampleDriveOptions& options, const std::string& id, int64_t k);

// The number of the image whose stamp is nearest.
int64_t frameNumberAt(const SampleDriveOptions& options, const std::string& camera, Stamp stamp);

}  // namespace gs

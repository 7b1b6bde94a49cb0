// SPDX-License-Identifier: Apache-2.0
#include "gs/synthetic/drive_timing.hpp"

#include <cmath>

#include "gs/core/rng.hpp"

namespace gs {
namespace {

Duration jitterOf(const SampleDriveOptions& options, const std::string& id, int64_t k) {
  if (options.timing.jitter <= 0) return {0};
  Rng rng = Rng(options.seed).fork(0x7400000000ULL + static_cast<uint64_t>(k));
  for (const char letter : id) rng = rng.fork(static_cast<uint64_t>(letter));
  return {std::llround(1e9 * rng.uniform(-options.timing.jitter, options.timing.jitter))};
}

// Half a turn, and a little more so that no jitter goes before the start.
Duration lookingAhead(const SampleDriveOptions& options, double rate_hz) {
  if (!options.timing.is_triggered_by_lidar) return {0};
  return {std::llround(1e9 * (0.5 / rate_hz + options.timing.jitter))};
}

}  // namespace

Duration timeOf(int64_t k, double rate_hz) {
  return {std::llround(static_cast<double>(k) * 1e9 / rate_hz)};
}

Duration cameraTime(const SampleDriveOptions& options, const std::string& id, int64_t k) {
  const double rate = options.rig.cameras.at(id).rate_hz;
  return timeOf(k, rate) + lookingAhead(options, rate) + jitterOf(options, id, k);
}

Duration lidarTime(const SampleDriveOptions& options, const std::string& id, int64_t k) {
  const double rate = options.rig.lidars.at(id).rate_hz;
  return timeOf(k, rate) + lookingAhead(options, rate) + jitterOf(options, id, k);
}

Duration sweepBegin(const SampleDriveOptions& options, const std::string& id, int64_t k) {
  const Duration stamp = lidarTime(options, id, k);
  if (!options.timing.is_triggered_by_lidar) return stamp;
  return stamp - timeOf(1, 2 * options.rig.lidars.at(id).rate_hz);
}

Duration imuStampError(const SampleDriveOptions& options, const std::string& id, int64_t k) {
  return jitterOf(options, "imu." + id, k);
}

int64_t frameNumberAt(const SampleDriveOptions& options, const std::string& camera, Stamp stamp) {
  const double rate = options.rig.cameras.at(camera).rate_hz;
  const Duration since_first = stamp - kSampleDriveStart - lookingAhead(options, rate);
  return std::llround(toSeconds(since_first) * rate);
}

}  // namespace gs

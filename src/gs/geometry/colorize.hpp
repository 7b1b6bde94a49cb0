// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>

#include "gs/geometry/integrate_scans.hpp"
#include "gs/geometry/map_cloud.hpp"
#include "gs/geometry/posed_scan.hpp"

namespace gs {

// What moved while the images were taken: hides what is behind it. All three belong together.
struct MovingOccluders {
  const ScanSource& scans;
  const std::vector<Stamp>& stamps;  // of the scans, IntegrationResult::stamps
  const MovingRegions& moving;
};

struct ColorizeOptions {
  double min_travel = 2.0;   // m between two images of a camera that are looked at
  double min_turn_deg = 10;  // ... or this much of a turn
  double max_depth = 40;     // m; what is farther has too few pixels
  std::function<void(double)> progress;
};

struct ColorizeCounts {
  size_t images_used = 0;
  size_t images_skipped = 0;  // of another size than the calibration says
  size_t points_colored = 0;
};

// Fills `colors` and `is_colored` of a cloud from the cameras: a depth test against the cloud's own
// points keeps what is hidden from getting the colour of what hides it; near, central and
// face-on views count more; the median of the best views decides, so a passing car does not.
// Points that no camera saw take the colour of what is a few voxels away, or stay grey.
// With `occluders`, the moving points of the scan nearest in time take part in the depth test.
ColorizeCounts colorize(MapCloud& cloud, const ImageSource& images, const ColorizeOptions& options,
                        const MovingOccluders* occluders = nullptr);

}  // namespace gs

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gs/core/time.hpp"

namespace gs {

// One sweep in the frame of the LiDAR, one entry per point in every array. Points stand in the
// order in which their rays left; of a ray that came back twice, both stand side by side.
struct LidarScan {
  std::string lidar_id;  // "top"
  std::string frame_id;  // "lidar_top"
  Stamp stamp;
  std::vector<float> x, y, z;
  std::vector<float> intensity;          // 0 .. 255
  std::vector<uint16_t> ring;            // of sensors that turn, 0 is the lowest channel
  std::vector<uint32_t> time_offset_ns;  // after `stamp`

  // Which return of its ray a point is, 0 the strongest; empty: each ray came back at most once.
  std::vector<uint8_t> return_index;

  size_t size() const { return x.size(); }
};

}  // namespace gs

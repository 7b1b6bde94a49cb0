// SPDX-License-Identifier: Apache-2.0
#include "gs/bundle/spatial_extent.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace gs {

Metadata::SpatialExtent extentOf(const WorldBundle& bundle) {
  const Heightmap& map = bundle.heightmap;
  const HeightRange range = rangeOf(map);
  std::array<double, 3> low = {map.origin_x, map.origin_y, range.min};
  std::array<double, 3> high = {map.origin_x + (map.width - 1) * map.resolution,
                                map.origin_y + (map.height - 1) * map.resolution, range.max};
  for (size_t axis = 0; axis < 3; ++axis) {
    std::vector<float> values(bundle.gaussians.position[axis].begin(),
                              bundle.gaussians.position[axis].end());
    if (!values.empty()) {
      const size_t stray = values.size() / 1000;
      const auto at = [&](size_t i) {
        const auto place = values.begin() + static_cast<std::ptrdiff_t>(i);
        std::nth_element(values.begin(), place, values.end());
        return static_cast<double>(*place);
      };
      low[axis] = std::min(low[axis], at(stray));
      high[axis] = std::max(high[axis], at(values.size() - 1 - stray));
    }
    if (!(low[axis] < high[axis])) high[axis] = low[axis] + 0.1;
  }
  const auto down = [](double v) { return std::floor(v * 100) / 100; };
  const auto up = [](double v) { return std::ceil(v * 100) / 100; };
  return {.min_x = down(low[0]),
          .max_x = up(high[0]),
          .min_y = down(low[1]),
          .max_y = up(high[1]),
          .min_z = down(low[2]),
          .max_z = up(high[2])};
}

}  // namespace gs

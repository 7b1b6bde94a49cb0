// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "gs/geometry/map_cloud.hpp"

namespace gs {

// A cloud from a height function, points `step` apart on a square of the given half width.
inline MapCloud cloudOver(double half, double step,
                          const std::function<double(double x, double y)>& height,
                          const Vec3& origin = Vec3::Zero()) {
  MapCloud cloud{.origin = origin, .voxel_size = step};
  for (double y = -half; y <= half; y += step)
    for (double x = -half; x <= half; x += step) {
      const double e = 0.01;
      const Vec3 normal =
          Vec3(height(x - e, y) - height(x + e, y), height(x, y - e) - height(x, y + e), 2 * e)
              .normalized();
      cloud.positions.push_back(Vec3(x, y, height(x, y)).cast<float>());
      cloud.normals.push_back(normal.cast<float>());
    }
  cloud.spacing.assign(cloud.size(), static_cast<float>(step));
  cloud.reflectivity.assign(cloud.size(), 1.0f);
  cloud.hits.assign(cloud.size(), 5);
  cloud.nearest_range.assign(cloud.size(), 5.0f);
  return cloud;
}

inline void addPoint(MapCloud& cloud, const Vec3& p, const Vec3& normal, uint32_t hits = 5) {
  cloud.positions.push_back((p - cloud.origin).cast<float>());
  cloud.normals.push_back(normal.cast<float>());
  cloud.spacing.push_back(static_cast<float>(cloud.voxel_size));
  cloud.reflectivity.push_back(1);
  cloud.hits.push_back(hits);
  cloud.nearest_range.push_back(5);
}

}  // namespace gs

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gs/bundle/gaussian_cloud.hpp"
#include "gs/train/sky_model.hpp"

namespace gs {

// Splats for what images show and no LiDAR point says: the upper floors of houses, the tops of
// trees, the skyline. Gathered view by view.
class UnseenSplats {
 public:
  // Pixels that look past the splats and are not the sky. What stands above something that the
  // splats show is taken to stand as far away; with nothing below, it is far.
  void collect(const SkyView& view, const SkyModel& sky);
  // At most `max_count` of them: one for a cell of a grid that grows with the distance.
  GaussianCloud make(int sh_degree, size_t max_count) const;

 private:
  struct Found {
    Vec3f position, rgb;
    float size;  // m
  };
  std::vector<Found> found_;
  std::vector<Vec3> eyes_;
};

}  // namespace gs

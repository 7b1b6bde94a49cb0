// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gs/bundle/gaussian_cloud.hpp"
#include "gs/core/image.hpp"
#include "gs/train/sky_model.hpp"

namespace gs {

// Splats for what images show and no LiDAR point says: the upper floors of houses, the tops of
// trees, the skyline. Gathered view by view.
class UnseenSplats {
 public:
  // Pixels that look past the splats and are not the sky.
  void collect(const SkyView& view, const SkyModel& sky);
  // At most `max_count` of them: one for a cell of a grid that grows with the distance. Each is as
  // far away as views from elsewhere on the drive agree. Where they do not, what stands above
  // something that the splats show is taken to stand there too; with nothing below, it is far.
  GaussianCloud make(int sh_degree, size_t max_count) const;

 private:
  struct Found {
    size_t view;
    int x, y;  // px
    Vec3f direction, rgb;
    float guess;     // m along the direction
    float per_size;  // m of size for one of distance
  };
  // A view as others are compared with it.
  struct Seen {
    Lens lens;
    Rigid3 opencv_from_map;
    Vec3 eye;
    Image8 rgb;        // target
    Image8 seen_past;  // 255 where no splat stands before it
  };
  static Seen seenIn(const SkyView& view);
  float distanceOf(const Found& found) const;
  // Mean difference of the surroundings of a pixel and of where `point` is in another view;
  // negative where that view does not show it.
  float differenceTo(const Seen& other, const Found& found, const Vec3& point) const;

  std::vector<Found> found_;
  std::vector<Seen> views_;
};

}  // namespace gs

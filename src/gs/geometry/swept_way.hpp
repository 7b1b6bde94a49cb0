// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "gs/bundle/gaussian_cloud.hpp"
#include "gs/bundle/vehicle_body.hpp"
#include "gs/core/rigid3.hpp"
#include "gs/core/triangle_mesh.hpp"
#include "gs/geometry/map_cloud.hpp"

namespace gs {

// The body with room around it: sideways for poses that err and a driver that follows them not
// quite, upwards for what is carried on the roof, downwards as far as nothing is taken for road.
// `least_top`: of the volume, above the ground; 0: as high as the roof.
BodyBox roomAround(const BodyBox& body, double least_top = 0);

// The volume that a vehicle passed through: it drove there, so nothing stands there, whatever was
// seen at other times (a car that follows is seen in every place of the way).
class SweptWay {
 public:
  // `map_from_footing`: where it stood on the ground, no farther apart than a good part of its
  // length. Poses that are not finite are passed over.
  SweptWay(const std::vector<Rigid3>& map_from_footing, const BodyBox& box);

  bool contains(const Vec3& p_in_map) const;

 private:
  struct Stand {
    Mat3 body_from_map;
    Vec3 shift;
  };
  BodyBox box_;
  std::vector<Stand> stands_;
  std::unordered_map<uint64_t, std::vector<uint32_t>> stands_in_cell_;
};

// Take out what is in the way; each says how many it took.
size_t carve(MapCloud& cloud, const SweptWay& way);
// Triangles with a corner or their middle in it: they must be small beside a vehicle. Vertices
// that nobody needs any more stay.
size_t carve(TriangleMesh& mesh, const SweptWay& way);
// Splats whose middle is in it, and those that reach into it with more than their rim.
size_t carve(GaussianCloud& cloud, const SweptWay& way);

}  // namespace gs

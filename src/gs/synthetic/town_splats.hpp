// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "gs/bundle/gaussian_cloud.hpp"
#include "gs/core/image.hpp"
#include "gs/synthetic/town_renderer.hpp"

namespace gs {

struct TownSplatOptions {
  size_t count = 1'000'000;
  int sh_degree = 3;
  uint64_t seed = 1;
  double length = 1e9;  // m of the route that are covered; all of it when longer
};

// The town as a cloud of splats, as if trained: laid on the surfaces that cameras along the route
// see, with their true colours, flat on the surface, of sizes and opacities like those of a
// trained street. For measurements and for trying things before a trainer has run.
GaussianCloud makeTownSplats(const Town& town, const TownSplatOptions& options = {});

// A clear sky to go with it, equirectangular.
Image8 makeTownSky(int height);

// Where a camera drives through the town: metre `distance` along the route, OpenCV axes.
Rigid3 townCameraPose(const Town& town, double distance, double yaw = 0);

}  // namespace gs

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>

#include "gs/bundle/gaussian_cloud.hpp"
#include "gs/core/rng.hpp"
#include "gs/render/spherical_harmonics.hpp"
#include "gs/render/splat_renderer.hpp"

namespace gs::testing {

// One splat, as people think of it.
struct PlainSplat {
  Vec3 position{0, 0, 5};
  Vec3 scale{0.1, 0.1, 0.1};
  Quat rotation = Quat::Identity();
  double opacity = 0.8;
  Vec3 rgb{1, 0.5, 0.25};
};

inline void append(GaussianCloud& cloud, const PlainSplat& splat) {
  const size_t i = cloud.size(), rest = restCount(cloud.sh_degree);
  cloud.resize(i + 1);
  const Quat& q = splat.rotation;
  for (int axis = 0; axis < 3; ++axis) {
    cloud.position[axis][i] = static_cast<float>(splat.position[axis]);
    cloud.log_scale[axis][i] = static_cast<float>(std::log(splat.scale[axis]));
    cloud.rotation[axis][i] = static_cast<float>(q.coeffs()[axis]);
    cloud.sh_dc[axis][i] = static_cast<float>((splat.rgb[axis] - 0.5) / kSh0);
  }
  cloud.rotation[3][i] = static_cast<float>(q.w());
  cloud.logit_opacity[i] = static_cast<float>(std::log(splat.opacity / (1 - splat.opacity)));
  for (size_t k = 0; k < rest; ++k) cloud.sh_rest[i * rest + k] = 0;
}

inline GaussianCloud cloudOf(std::initializer_list<PlainSplat> splats, int sh_degree = 0) {
  GaussianCloud cloud;
  cloud.sh_degree = sh_degree;
  for (const PlainSplat& splat : splats) append(cloud, splat);
  return cloud;
}

// Splats of all shapes in front of, around and behind a camera at the origin that looks along +z.
inline GaussianCloud randomCloud(size_t count, int sh_degree, uint64_t seed, double spread = 8) {
  Rng rng(seed);
  GaussianCloud cloud;
  cloud.sh_degree = sh_degree;
  for (size_t i = 0; i < count; ++i) {
    PlainSplat splat;
    splat.position = {rng.uniform(-spread, spread), rng.uniform(-spread, spread),
                      rng.uniform(-2, 3 * spread)};
    for (int axis = 0; axis < 3; ++axis) splat.scale[axis] = std::exp(rng.uniform(-5, -0.7));
    splat.rotation = Quat(rng.normal(), rng.normal(), rng.normal(), rng.normal()).normalized();
    splat.opacity = rng.uniform(0.01, 0.999);
    splat.rgb = {rng.uniform(), rng.uniform(), rng.uniform()};
    append(cloud, splat);
  }
  for (float& c : cloud.sh_rest) c = static_cast<float>(0.15 * rng.normal());
  return cloud;
}

inline Camera pinhole(int width, int height, double focal) {
  Camera camera{.width = width, .height = height};
  camera.intrinsics.fx = camera.intrinsics.fy = focal;
  camera.intrinsics.cx = (width - 1) / 2.0;
  camera.intrinsics.cy = (height - 1) / 2.0;
  return camera;
}

inline Camera radtan(int width, int height, double focal) {
  Camera camera = pinhole(width, height, focal);
  camera.intrinsics.k1 = -0.28;
  camera.intrinsics.k2 = 0.07;
  camera.intrinsics.p1 = 0.001;
  camera.intrinsics.p2 = -0.0007;
  camera.intrinsics.k3 = 0.005;
  return camera;
}

inline Camera rational(int width, int height, double focal) {
  Camera camera = radtan(width, height, focal);
  camera.intrinsics.distortion_model = DistortionModel::Rational;
  camera.intrinsics.k1 = 0.4;
  camera.intrinsics.k4 = 0.7;
  camera.intrinsics.k5 = 0.1;
  camera.intrinsics.k6 = 0.01;
  return camera;
}

// The whole half sphere in the image when focal = width / pi.
inline Camera fisheye(int width, int height, double focal) {
  Camera camera = pinhole(width, height, focal);
  camera.intrinsics.model = CameraModel::Fisheye;
  camera.intrinsics.distortion_model = DistortionModel::Equidistant;
  camera.intrinsics.k1 = -0.02;
  camera.intrinsics.k2 = 0.003;
  return camera;
}

}  // namespace gs::testing

// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/initial_gaussians.hpp"

#include <algorithm>
#include <cmath>

#include "gs/bundle/gaussian_encoding.hpp"
#include "gs/core/parallel.hpp"

namespace gs_builder {
namespace {

constexpr float kC0 = 0.28209479177387814f;

// Turns the splat's z axis, the thin one, to the normal.
Eigen::Quaternionf rotationTo(const gs::Vec3f& normal) {
  Eigen::Quaternionf q;
  q.setFromTwoVectors(gs::Vec3f::UnitZ(), normal);
  // In double: a unit quaternion to 1e-6 is asked for.
  const gs::Quat exact = q.cast<double>().normalized();
  return exact.cast<float>();
}

}  // namespace

gs::GaussianCloud initialGaussians(size_t count, const std::function<SurfacePoint(size_t)>& point,
                                   const InitialGaussianOptions& options) {
  const size_t stride = std::max<size_t>(1, (count + options.max_count - 1) / options.max_count);
  const auto growth = static_cast<float>(std::sqrt(static_cast<double>(stride)));
  gs::GaussianCloud cloud;
  cloud.sh_degree = options.sh_degree;
  cloud.resize((count + stride - 1) / stride);
  std::fill(cloud.sh_rest.begin(), cloud.sh_rest.end(), 0.0f);
  const float logit_opacity = gs::logitFromOpacity(options.opacity);
  gs::parallelFor(cloud.size(), 65536, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      const SurfacePoint surface = point(i * stride);
      // Two thirds of the distance as standard deviation: neighbours overlap at one sigma and a
      // half, which leaves no holes and blurs little.
      const float size = std::clamp(0.65f * growth * surface.spacing, 0.01f, 1.0f);
      const bool is_flat = surface.normal.squaredNorm() > 0.5f;
      const Eigen::Quaternionf rotation =
          is_flat ? rotationTo(surface.normal.normalized()) : Eigen::Quaternionf::Identity();
      for (int axis = 0; axis < 3; ++axis) {
        cloud.position[axis][i] = static_cast<float>(surface.position[axis]);
        cloud.log_scale[axis][i] =
            gs::logFromScale(axis == 2 && is_flat ? options.thickness * size : size);
        cloud.sh_dc[axis][i] = (static_cast<float>(surface.color[axis]) / 255.0f - 0.5f) / kC0;
      }
      cloud.rotation[0][i] = rotation.x();
      cloud.rotation[1][i] = rotation.y();
      cloud.rotation[2][i] = rotation.z();
      cloud.rotation[3][i] = rotation.w();
      cloud.logit_opacity[i] = logit_opacity;
    }
  });
  return cloud;
}

}  // namespace gs_builder

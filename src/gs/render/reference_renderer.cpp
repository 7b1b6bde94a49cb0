// SPDX-License-Identifier: Apache-2.0
#include "gs/render/reference_renderer.hpp"

#include <algorithm>
#include <cmath>

#include "gs/render/resolve_pixel.hpp"
#include "gs/render/spherical_harmonics.hpp"
#include "gs/render/usable_splat.hpp"

namespace gs {
namespace {

Vec3 colorOf(const GaussianCloud& cloud, size_t index, const Vec3& direction) {
  const std::array<double, 16> basis = shBasis(direction);
  const size_t rest = restCount(cloud.sh_degree), per_channel = rest / 3;
  Vec3 rgb;
  for (size_t c = 0; c < 3; ++c) {
    double sum = 0.5 + basis[0] * cloud.sh_dc[c][index];
    for (size_t k = 0; k < per_channel; ++k)
      sum += basis[k + 1] * cloud.sh_rest[index * rest + c * per_channel + k];
    rgb[static_cast<int>(c)] = std::max(0.0, sum);
  }
  return rgb;
}

// V = R diag(scale^2) R'.
Mat3 covarianceInAsset(const GaussianCloud& cloud, size_t i) {
  Quat q(cloud.rotation[3][i], cloud.rotation[0][i], cloud.rotation[1][i], cloud.rotation[2][i]);
  q.normalize();
  Vec3 scale;
  for (int axis = 0; axis < 3; ++axis)
    scale[axis] = std::exp(static_cast<double>(cloud.log_scale[axis][i]));
  const Mat3 half = q.toRotationMatrix() * scale.asDiagonal();
  return half * half.transpose();
}

struct Pixel {
  Vec3 color = Vec3::Zero();
  double transmittance = 1, depth = 0;
  uint32_t count = 0;
  bool is_done = false;
};

void blend(const ReferenceSplat& splat, Image<Pixel>& image) {
  // Where alpha can reach kMinAlpha.
  const double reach2 = 2 * std::log(splat.opacity / kMinAlpha);
  const Vec2 half = (reach2 * splat.covariance.diagonal()).cwiseSqrt();
  const auto first = [](double v) { return static_cast<int>(std::ceil(std::max(v, 0.0))); };
  const auto last = [](double v, int size) {
    return static_cast<int>(std::floor(std::min(v, size - 1.0)));
  };
  const Eigen::Matrix2d conic = splat.covariance.inverse();
  for (int y = first(splat.px.y() - half.y()); y <= last(splat.px.y() + half.y(), image.height);
       ++y)
    for (int x = first(splat.px.x() - half.x()); x <= last(splat.px.x() + half.x(), image.width);
         ++x) {
      Pixel& pixel = *image.at(x, y);
      if (pixel.is_done) continue;
      const Vec2 d = Vec2(x, y) - splat.px;
      const double alpha = std::min(kMaxAlpha, splat.opacity * std::exp(-0.5 * d.dot(conic * d)));
      if (!(alpha >= kMinAlpha)) continue;
      const double after = pixel.transmittance * (1 - alpha);
      if (after < kOpaque) {
        pixel.is_done = true;
        continue;
      }
      const double weight = alpha * pixel.transmittance;
      pixel.color += weight * splat.rgb;
      pixel.depth += weight * splat.depth;
      pixel.transmittance = after;
      ++pixel.count;
    }
}

}  // namespace

std::optional<ReferenceSplat> projectReference(const GaussianCloud& cloud, size_t index,
                                               const Lens& lens, const Rigid3& map_from_camera,
                                               const RenderSettings& settings,
                                               const Rigid3& map_from_asset) {
  if (!isUsable(cloud, index)) return std::nullopt;
  const Vec3 in_asset(cloud.position[0][index], cloud.position[1][index], cloud.position[2][index]);
  const Vec3 in_map = map_from_asset * in_asset;
  const Vec3 in_camera = map_from_camera.inverse() * in_map;
  ReferenceSplat splat;
  splat.depth = lens.depthOf(in_camera);
  if (!(splat.depth >= settings.near_plane && splat.depth <= settings.far_plane))
    return std::nullopt;
  const auto point = lens.project(in_camera);
  if (!point) return std::nullopt;
  splat.px = point->px;
  const Eigen::Matrix<double, 2, 3> px_by_map =
      point->px_by_point * map_from_camera.rotation.inverse().toRotationMatrix();
  const Eigen::Matrix<double, 2, 3> px_by_asset =
      px_by_map * map_from_asset.rotation.toRotationMatrix();
  const Eigen::Matrix2d sharp =
      px_by_asset * covarianceInAsset(cloud, index) * px_by_asset.transpose();
  splat.covariance = sharp + kDilation * Eigen::Matrix2d::Identity();
  splat.opacity = 1 / (1 + std::exp(-static_cast<double>(cloud.logit_opacity[index])));
  if (settings.is_antialiased)
    splat.opacity *= std::sqrt(std::max(0.0, sharp.determinant() / splat.covariance.determinant()));
  const Vec3 direction_in_map = (in_map - map_from_camera.translation).normalized();
  splat.rgb = colorOf(cloud, index, map_from_asset.rotation.inverse() * direction_in_map);
  if (!(splat.opacity >= kMinAlpha)) return std::nullopt;
  return splat;
}

RenderedView ReferenceRenderer::render(const SceneState& scene, const SplatView& view,
                                       const RenderSettings& settings) const {
  requireScene(scene, assets_.size(), "renderer");
  const Lens lens(view.camera);
  const Rigid3 map_from_opencv = mapFromOpencv(view);
  RenderedView result;
  RenderStatistics& statistics = result.statistics;
  std::vector<ReferenceSplat> splats;
  for (const auto& [asset, map_from_asset] : scene.instances) {
    const GaussianCloud& cloud = assets_[asset];
    for (size_t i = 0; i < cloud.size(); ++i) {
      statistics.splats += isUsable(cloud, i);
      if (const auto splat =
              projectReference(cloud, i, lens, map_from_opencv, settings, map_from_asset.begin))
        splats.push_back(*splat);
    }
    statistics.splats_considered += cloud.size();
  }
  statistics.splats_in_view = splats.size();
  std::stable_sort(
      splats.begin(), splats.end(),
      [](const ReferenceSplat& a, const ReferenceSplat& b) { return a.depth < b.depth; });
  Image<Pixel> image(view.camera.width, view.camera.height, 1);
  for (const ReferenceSplat& splat : splats) blend(splat, image);

  prepareOutputs(view, result);
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x) {
      const Pixel& pixel = *image.at(x, y);
      const auto transmittance = static_cast<float>(pixel.transmittance);
      Vec3f behind(settings.background[0], settings.background[1], settings.background[2]);
      if (settings.sky)
        behind = settings.sky.colorAt((map_from_opencv.rotation * lens.rayAt(x, y)).cast<float>());
      storePixel(view.outputs, settings, x, y,
                 {.color = pixel.color.cast<float>() + transmittance * behind,
                  .transmittance = transmittance,
                  .weighted_depth = static_cast<float>(pixel.depth),
                  .count = pixel.count},
                 result);
    }
  return result;
}

}  // namespace gs

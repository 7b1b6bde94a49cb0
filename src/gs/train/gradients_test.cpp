// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <functional>

#include <gtest/gtest.h>

#include "gs/core/parallel.hpp"
#include "gs/core/rng.hpp"
#include "gs/render/half_float.hpp"
#include "gs/render/image_metrics.hpp"
#include "gs/render/kernels/simd_targets.hpp"
#include "gs/render/reference_renderer.hpp"
#include "gs/render/testing/small_clouds.hpp"
#include "gs/train/trained_splats.hpp"
#include "gs/train/view_pass.hpp"

namespace gs {
namespace {

// A loss that is a weighted sum of everything that a view gives: its derivative is known.
struct LinearLoss {
  PlanarImage by_color, by_extras;

  LinearLoss(int width, int height, uint64_t seed) {
    Rng rng(seed);
    by_color.resize(width, height);
    by_extras.resize(width, height);
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) {
        for (size_t c = 0; c < 3; ++c)
          by_color.row(c, y)[x] = static_cast<float>(rng.uniform(-1, 1));
        by_extras.row(0, y)[x] = static_cast<float>(rng.uniform(-0.3, 0.3));
        by_extras.row(1, y)[x] = static_cast<float>(rng.uniform(-0.02, 0.02));
      }
  }
};

// Which pixels each splat is blended into, decided once: the cut at 1/255 and the clamp at 0.99 are
// steps, and differences across a step say nothing about the slope beside it.
using Touched = std::vector<std::vector<uint8_t>>;

struct Scene {
  GaussianCloud cloud;
  SplatView view;
  RenderSettings settings{.background = {0.3f, 0.5f, 0.7f}};
};

// The definition in double precision: reference projection, blending from the formula.
double lossOf(const Scene& scene, const LinearLoss& loss, Touched& touched, bool decides) {
  const Lens lens(scene.view.camera);
  const Rigid3 pose = mapFromOpencv(scene.view);
  struct Seen {
    ReferenceSplat splat;
    size_t index;
  };
  std::vector<Seen> splats;
  std::vector<Eigen::Matrix2d> conics;
  for (size_t i = 0; i < scene.cloud.size(); ++i)
    if (const auto splat = projectReference(scene.cloud, i, lens, pose, scene.settings))
      splats.push_back({*splat, i});
  std::stable_sort(splats.begin(), splats.end(),
                   [](const Seen& a, const Seen& b) { return a.splat.depth < b.splat.depth; });
  for (const Seen& seen : splats) conics.push_back(seen.splat.covariance.inverse());
  const int width = scene.view.camera.width, height = scene.view.camera.height;
  if (decides)
    touched.assign(scene.cloud.size(),
                   std::vector<uint8_t>(static_cast<size_t>(width) * height, 0));
  double sum = 0;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      Vec3 color = Vec3::Zero();
      double left = 1, depth = 0;
      for (size_t n = 0; n < splats.size(); ++n) {
        const Seen& seen = splats[n];
        uint8_t& kind = touched[seen.index][static_cast<size_t>(y) * width + x];
        if (kind == 0 && !decides) continue;
        const Vec2 d = Vec2(x, y) - seen.splat.px;
        const double alpha = seen.splat.opacity * std::exp(-0.5 * d.dot(conics[n] * d));
        if (decides) kind = alpha < kMinAlpha ? 0 : alpha < kMaxAlpha ? 1 : 2;
        if (kind == 0) continue;
        const double used = kind == 2 ? kMaxAlpha : alpha;
        color += used * left * seen.splat.rgb;
        depth += used * left * seen.splat.depth;
        left *= 1 - used;
      }
      for (size_t c = 0; c < 3; ++c)
        sum += loss.by_color.row(c, y)[x] *
               (color[static_cast<int>(c)] + left * scene.settings.background[c]);
      sum += loss.by_extras.row(0, y)[x] * left + loss.by_extras.row(1, y)[x] * depth;
    }
  return sum;
}

struct Gradients {
  std::vector<std::vector<double>> of;  // [parameter][splat in the cloud's order]
  PoseGradient pose;
};

constexpr size_t kParameters = 11 + 48;

Gradients analytic(const Scene& scene, const LinearLoss& loss) {
  std::vector<uint32_t> order;
  const SplatScene splats = makeSplatScene(scene.cloud, &order);
  ViewPass pass;
  const PreparedCamera camera(scene.view.camera);
  pass.render(splats, camera, mapFromOpencv(scene.view), scene.settings, true);
  pass.differentiate(loss.by_color, &loss.by_extras);
  Gradients out;
  out.of.assign(kParameters, std::vector<double>(scene.cloud.size(), 0.0));
  ImageGradients image;
  auto gradients = std::make_unique<SplatGradients>();
  std::array<SplatBlame, kClusterSize> blame;
  for (size_t i = 0; i < pass.clusterCount(); ++i) {
    if (!pass.gather(i, image, blame)) continue;
    projectBackward(splats, pass.cluster(i), 3, pass.projection(), image, *gradients, &out.pose);
    for (size_t place = 0; place < kClusterSize; ++place) {
      if (!image.is_seen[place]) continue;
      const size_t n = order[pass.cluster(i) * kClusterSize + place];
      for (size_t k = 0; k < 3; ++k) out.of[k][n] = gradients->position[k][place];
      for (size_t k = 0; k < 3; ++k) out.of[3 + k][n] = gradients->log_scale[k][place];
      for (size_t k = 0; k < 4; ++k) out.of[6 + k][n] = gradients->rotation[k][place];
      out.of[10][n] = gradients->logit_opacity[place];
      for (size_t k = 0; k < 3 * splats.coefficients(); ++k)
        out.of[11 + k][n] = gradients->sh[k][place];
    }
  }
  return out;
}

float& parameter(GaussianCloud& cloud, size_t p, size_t i) {
  if (p < 3) return cloud.position[p][i];
  if (p < 6) return cloud.log_scale[p - 3][i];
  if (p < 10) return cloud.rotation[p - 6][i];
  if (p == 10) return cloud.logit_opacity[i];
  const size_t k = (p - 11) / 3, c = (p - 11) % 3;
  if (k == 0) return cloud.sh_dc[c][i];
  const size_t rest = restCount(cloud.sh_degree);
  return cloud.sh_rest[i * rest + c * (rest / 3) + k - 1];
}

double centralDifference(Scene scene, const LinearLoss& loss, Touched& touched,
                         const std::function<void(Scene&, float)>& move) {
  constexpr float kStep = 1.0f / 1024;
  Scene low = scene, high = scene;
  move(low, -kStep);
  move(high, kStep);
  return (lossOf(high, loss, touched, false) - lossOf(low, loss, touched, false)) / (2 * kStep);
}

Scene sceneWith(const Camera& camera, int sh_degree, uint64_t seed) {
  Scene scene{.cloud = testing::randomCloud(12, sh_degree, seed),
              .view = {.camera = camera, .map_from_camera = {}}};
  scene.view.map_from_camera.begin.rotation = opencvFromCamera(camera.convention);
  // Numbers with few bits, so that a step of 1/1024 is exactly that in floats and in halves.
  Rng rng(seed);
  const auto coarse = [&](float& value, double scale) {
    value = static_cast<float>(std::round(value * scale) / scale);
  };
  for (size_t i = 0; i < scene.cloud.size(); ++i) {
    for (size_t k = 0; k < 3; ++k) coarse(scene.cloud.position[k][i], 256);
    for (size_t k = 0; k < 3; ++k)
      scene.cloud.log_scale[k][i] =
          static_cast<float>(std::round(rng.uniform(-2.2, -0.2) * 256) / 256);
    scene.cloud.logit_opacity[i] = static_cast<float>(std::round(rng.uniform(-2, 1) * 256) / 256);
    for (size_t p = 11; p < 11 + 3 + restCount(sh_degree); ++p)
      coarse(parameter(scene.cloud, p, i), 128);
  }
  return scene;
}

void expectGradients(const Scene& scene, double tolerance) {
  const LinearLoss loss(scene.view.camera.width, scene.view.camera.height, 3);
  Touched touched;
  lossOf(scene, loss, touched, true);
  const Gradients actual = analytic(scene, loss);
  // Property by property: the length of the error against that of the gradient, over all splats.
  struct Property {
    const char* name;
    size_t first, end;
  };
  const size_t parameters = 11 + 3 + restCount(scene.cloud.sh_degree);
  for (const auto& [name, first, end] : {Property{"position", 0, 3},
                                         {"scale", 3, 6},
                                         {"rotation", 6, 10},
                                         {"opacity", 10, 11},
                                         {"colour", 11, 14},
                                         {"view-dependent colour", 14, parameters}}) {
    double error2 = 0, length2 = 0;
    for (size_t p = first; p < end; ++p)
      for (size_t i = 0; i < scene.cloud.size(); ++i) {
        const double expected = centralDifference(
            scene, loss, touched,
            [&, p](Scene& moved, float by) { parameter(moved.cloud, p, i) += by; });
        error2 += std::pow(actual.of[p][i] - expected, 2);
        length2 += expected * expected;
      }
    if (first == end) continue;
    EXPECT_LT(std::sqrt(error2 / length2), tolerance) << name;
  }
  for (int axis = 0; axis < 3; ++axis) {
    const double shift = centralDifference(scene, loss, touched, [&](Scene& moved, float by) {
      moved.view.map_from_camera.begin.translation[axis] += by;
    });
    const double turn =
        centralDifference(scene, loss, touched,
                          [&](Scene& moved, float by) {
                            const Quat by_axis(Eigen::AngleAxisd(by / 8, Vec3::Unit(axis)));
                            const Quat opencv = opencvFromCamera(moved.view.camera.convention);
                            moved.view.map_from_camera.begin.rotation =
                                moved.view.map_from_camera.begin.rotation * opencv.inverse() *
                                by_axis * opencv;
                          }) *
        8;
    EXPECT_NEAR(actual.pose.shift[axis], shift, 1e-3 * std::abs(shift) + 1e-2);
    EXPECT_NEAR(actual.pose.turn[axis], turn, 1e-3 * std::abs(turn) + 1e-2);
  }
}

TEST(Gradients, AreThoseOfTheReferenceForEveryParameter) {
  expectGradients(sceneWith(testing::pinhole(32, 24, 26), 3, 21), 1e-4);
}
TEST(Gradients, AreThoseOfTheReferenceThroughLenses) {
  expectGradients(sceneWith(testing::radtan(32, 24, 26), 0, 22), 1e-4);
  expectGradients(sceneWith(testing::rational(32, 24, 26), 0, 23), 1e-4);
  expectGradients(sceneWith(testing::fisheye(32, 32, 32 / M_PI), 0, 24), 1e-4);
}

}  // namespace
}  // namespace gs

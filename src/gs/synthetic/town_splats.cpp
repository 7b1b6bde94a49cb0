// SPDX-License-Identifier: Apache-2.0
#include "gs/synthetic/town_splats.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "gs/core/parallel.hpp"
#include "gs/core/rng.hpp"

namespace gs {
namespace {

constexpr int kWidth = 480, kHeight = 300, kStations = 30, kYaws = 4;
constexpr double kFocal = 240;  // four views of 90 degrees: all around

ViewCamera surveyCamera() {
  ViewCamera camera{.width = kWidth, .height = kHeight};
  camera.intrinsics.fx = camera.intrinsics.fy = kFocal;
  camera.intrinsics.cx = (kWidth - 1) / 2.0;
  camera.intrinsics.cy = kHeight * 0.55;  // more above the horizon than below
  return camera;
}

// One view of the survey and the splats it contributes.
class ViewSplats {
 public:
  ViewSplats(const TrueView& view, const RayTable& rays, const Rigid3& map_from_camera,
             GaussianCloud& cloud)
      : view_(view), rays_(rays), map_from_camera_(map_from_camera), cloud_(cloud) {}

  // Fills splats [begin, end) with samples of the view; false when it shows nothing.
  bool fill(size_t begin, size_t end, Rng rng) {
    const double spacing =  // px between samples
        std::sqrt(static_cast<double>(kWidth) * kHeight / static_cast<double>(end - begin));
    for (size_t i = begin; i < end; ++i) {
      int x = 0, y = 0, tries = 0;
      do {
        x = 1 + static_cast<int>(rng.below(kWidth - 2));
        y = 1 + static_cast<int>(rng.below(kHeight - 2));
        if (++tries > 10000) return false;
      } while (*view_.depth.at(x, y) <= 0);
      place(i, x, y, spacing, rng);
    }
    return true;
  }

 private:
  Vec3 pointAt(int x, int y) const {
    const Vec3 ray = rays_.rayAt(static_cast<float>(x), static_cast<float>(y)).cast<double>();
    return ray / ray.z() * *view_.depth.at(x, y);
  }

  // Towards the camera; from the neighbours on the same surface.
  Vec3 normalAt(int x, int y) const {
    const Vec3 here = pointAt(x, y);
    const auto step = [&](int dx, int dy) {
      const Vec3 forward = pointAt(x + dx, y + dy) - here, back = here - pointAt(x - dx, y - dy);
      return forward.norm() < back.norm() ? forward : back;
    };
    const Vec3 normal = step(1, 0).cross(step(0, 1));
    const Vec3 towards = -here.normalized();
    if (!(normal.norm() > 1e-12)) return towards;
    return normal.dot(towards) < 0 ? Vec3(-normal.normalized()) : Vec3(normal.normalized());
  }

  void place(size_t i, int x, int y, double spacing, Rng& rng) {
    const Vec3 here = pointAt(x, y), normal = normalAt(x, y);
    const double pixel = here.norm() / kFocal;
    // Seen at a slant a sample stands for more of the surface, up to a limit.
    const double slant = std::clamp(-normal.dot(here.normalized()), 0.15, 1.0);
    const double size = 0.36 * spacing * pixel * std::exp(0.45 * rng.normal());
    const Vec3 along = (here.normalized() - normal * normal.dot(here.normalized()));
    const Vec3 axis_x = along.norm() > 1e-6 ? Vec3(along.normalized()) : normal.unitOrthogonal();
    Mat3 frame;
    frame << axis_x, normal.cross(axis_x), normal;
    const Quat rotation = map_from_camera_.rotation * Quat(frame);
    const Vec3 in_map = map_from_camera_ * here;
    const Vec3 scale(size / std::sqrt(slant), size, 0.08 * size);
    for (int axis = 0; axis < 3; ++axis) {
      cloud_.position[axis][i] = static_cast<float>(in_map[axis]);
      cloud_.log_scale[axis][i] = static_cast<float>(std::log(scale[axis]));
      cloud_.rotation[axis][i] = static_cast<float>(rotation.coeffs()[axis]);
      const double value = view_.rgb.at(x, y)[axis] / 255.0;
      cloud_.sh_dc[axis][i] = static_cast<float>((value - 0.5) / 0.28209479177387814);
    }
    cloud_.rotation[3][i] = static_cast<float>(rotation.w());
    cloud_.logit_opacity[i] = static_cast<float>(1.6 * rng.normal() - 0.2);
    const size_t rest = restCount(cloud_.sh_degree);
    for (size_t k = 0; k < rest; ++k)
      cloud_.sh_rest[i * rest + k] = static_cast<float>(0.015 * rng.normal());
  }

  const TrueView& view_;
  const RayTable& rays_;
  const Rigid3& map_from_camera_;
  GaussianCloud& cloud_;
};

}  // namespace

Rigid3 townCameraPose(const Town& town, double distance, double yaw) {
  const auto& route = town.route();
  const auto index = static_cast<size_t>(std::max(0.0, distance / 0.5));
  const auto &here = route[index % route.size()], &next = route[(index + 1) % route.size()];
  const double heading = std::atan2(next[1] - here[1], next[0] - here[0]) + yaw;
  return {fromRollPitchYaw(0, 0, heading) * Quat(0.5, -0.5, 0.5, -0.5),
          Vec3(here[0], here[1], town.groundHeight(here[0], here[1]) + 1.6)};
}

GaussianCloud makeTownSplats(const Town& town, const TownSplatOptions& options) {
  const TownRenderer renderer(town);
  const RayTable rays(surveyCamera());
  GaussianCloud cloud;
  cloud.sh_degree = options.sh_degree;
  cloud.resize(options.count);
  constexpr size_t kViews = kStations * kYaws;
  const double length = std::min(options.length, static_cast<double>(town.route().size()) * 0.5);
  const Rng rng(options.seed);
  for (size_t n = 0; n < kViews; ++n) {
    const Rigid3 pose = townCameraPose(town, length * static_cast<double>(n / kYaws) / kStations,
                                       static_cast<double>(n % kYaws) * std::numbers::pi / 2);
    const TrueView view = renderer.renderView(rays, pose, 0, {.has_moving_objects = false}, true);
    const size_t begin = options.count * n / kViews, end = options.count * (n + 1) / kViews;
    ViewSplats(view, rays, pose, cloud).fill(begin, end, rng.fork(n));
  }
  return cloud;
}

Image8 makeTownSky(int height) {
  Image8 sky(2 * height, height, 3);
  for (int y = 0; y < height; ++y) {
    const double up = std::max(0.0, 1 - 2.0 * y / height);  // 1 at the zenith, 0 at the horizon
    const double mix = std::pow(up, 0.6);
    for (int x = 0; x < 2 * height; ++x) {
      const double haze = 0.03 * std::sin(6.28318 * x / height) * (1 - up);
      const std::array<double, 3> color{0.82 - 0.55 * mix + haze, 0.88 - 0.38 * mix + haze,
                                        0.94 - 0.14 * mix};
      for (size_t c = 0; c < 3; ++c)
        sky.at(x, y)[c] = static_cast<uint8_t>(std::lround(255 * std::clamp(color[c], 0.0, 1.0)));
    }
  }
  return sky;
}

}  // namespace gs

// SPDX-License-Identifier: Apache-2.0
#include "gs/synthetic/minimal_bundle.hpp"

#include <cmath>

#include "gs/core/version.hpp"

namespace gs {
namespace {

// Where C0 is the constant SH basis function: colour = 0.5 + C0 * f_dc.
float dcOf(double color) { return static_cast<float>((color - 0.5) / 0.28209479177387814); }

struct Splat {
  double x, y;
  std::array<double, 3> color;
  std::array<double, 3> size;  // m, standard deviations along x, y, z
};

void append(GaussianCloud& cloud, const Splat& splat) {
  const size_t i = cloud.size();
  cloud.resize(i + 1);
  const std::array<double, 3> position{splat.x, splat.y, 0.0};
  for (size_t axis = 0; axis < 3; ++axis) {
    cloud.position[axis][i] = static_cast<float>(position[axis]);
    cloud.log_scale[axis][i] = static_cast<float>(std::log(splat.size[axis]));
    cloud.rotation[axis][i] = 0.0f;
    cloud.sh_dc[axis][i] = dcOf(splat.color[axis]);
  }
  cloud.rotation[3][i] = 1.0f;
  cloud.logit_opacity[i] = 3.0f;  // opacity 0.95
}

// Twenty rows of asphalt across the road, a dashed white line in the middle, kerbs at the edges.
GaussianCloud makeRoad() {
  constexpr std::array<double, 3> kAsphalt{0.24, 0.25, 0.27}, kPaint{0.92, 0.92, 0.88},
      kKerb{0.55, 0.53, 0.50};
  GaussianCloud cloud;
  for (int row = 0; row < 20; ++row) {
    const double x = 2.5 + 5.0 * row;
    append(cloud, {x, -5.0, kKerb, {1.8, 0.15, 0.05}});
    append(cloud, {x, -2.5, kAsphalt, {2.0, 1.1, 0.01}});
    append(cloud, {x, 0.0, kPaint, {1.0, 0.08, 0.01}});
    append(cloud, {x, 2.5, kAsphalt, {2.0, 1.1, 0.01}});
    append(cloud, {x, 5.0, kKerb, {1.8, 0.15, 0.05}});
  }
  return cloud;
}

Calibration makeSensors() {
  Calibration calibration;
  calibration.cameras["front"] = {
      .frame_id = "camera_front",
      .image_width = 640,
      .image_height = 480,
      .intrinsics = {.fx = 500, .fy = 500, .cx = 320, .cy = 240},
      // z of the camera looks along x of the vehicle, x to its right, y down.
      .extrinsics = {.translation = {2.0, 0.0, 1.5}, .rotation_quat = {-0.5, 0.5, -0.5, 0.5}},
      .rate_hz = 12};
  calibration.lidars["top"] = {.frame_id = "lidar_top",
                               .extrinsics = {.translation = {0.0, 0.0, 2.0}},
                               .spec = {.model = "generic_32",
                                        .channels = 32,
                                        .horizontal_resolution_deg = 0.4,
                                        .vertical_fov_deg = {-15, 15},
                                        .max_range = 100,
                                        .min_range = 0.5},
                               .rate_hz = 20};
  return calibration;
}

Metadata makeMetadata() {
  Metadata metadata;
  metadata.scene_id = "minimal_test";
  metadata.created_at = "2026-02-14T10:30:00Z";  // fixed: the bundle is checked in
  metadata.builder_version = "gs_world_builder-" + std::string(buildVersion());
  metadata.source = {.type = "synthetic", .file = "gs-make-test-data"};
  metadata.spatial_extent = {
      .min_x = -14, .max_x = 113, .min_y = -64, .max_y = 63, .min_z = -1, .max_z = 5};
  metadata.sensors = {.cameras = {"front"}, .lidars = {"top"}};
  metadata.processing_info.drivesim_commit = "native-" + std::string(buildVersion());
  return metadata;
}

}  // namespace

WorldBundle makeMinimalBundle() {
  WorldBundle bundle;
  bundle.index.scene_id = "minimal_test";
  bundle.metadata = makeMetadata();
  bundle.gaussians = makeRoad();
  bundle.render_config.rendering.background_color = {0.53, 0.68, 0.86};
  bundle.heightmap = {.origin_x = -14,
                      .origin_y = -64,
                      .resolution = 1.0,
                      .width = 128,
                      .height = 128,
                      .samples = std::vector<float>(128 * 128, 0.0f)};
  bundle.drivable.features = {
      {.polygons = {{.outer = {{0, -5}, {100, -5}, {100, 5}, {0, 5}, {0, -5}}}}}};
  bundle.calibration = makeSensors();
  bundle.tf_static =
      deriveStaticTransforms(bundle.calibration, bundle.metadata.coordinate_system.base_link_frame);
  bundle.timebase.initial_pose.position = {10, 0, 0};
  return bundle;
}

}  // namespace gs

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "gs/bundle/calibration.hpp"
#include "gs/core/image.hpp"
#include "gs/core/rigid3.hpp"
#include "gs/core/time.hpp"

namespace gs {

struct ScanPoint {
  float x, y, z;    // m, base_link at the scan's stamp
  float intensity;  // as the sensor gives it; any scale, the same for all scans
};

// One LiDAR sweep, motion-compensated to its stamp. Points that are not finite are skipped.
struct PosedScan {
  Stamp stamp;
  Rigid3 map_from_base;
  // Where the rays came from, in base_link at `stamp`: the sensor in the middle of the sweep.
  Vec3 sensor_in_base = Vec3::Zero();
  std::vector<ScanPoint> points;
};

// Scans by index, in the order of time. `load` may be called more than once for an index, in any
// order and by several threads at once, and gives the same scan each time; so a source can read
// files and nobody holds all scans. Its exceptions pass through.
struct ScanSource {
  size_t count = 0;
  std::function<PosedScan(size_t)> load;
};

// Where an image was taken. `camera.extrinsics` is not looked at; camera_convention is.
struct ImagePose {
  Stamp stamp;
  CameraCalibration camera;
  Rigid3 map_from_camera;
};

// Images by index. Poses are cheap and asked first; pixels only of the images that are wanted.
// `load` gives RGB of the calibrated size (others are skipped and counted); same rules as above.
struct ImageSource {
  std::vector<ImagePose> poses;
  std::function<Image8(size_t)> load;
};

}  // namespace gs

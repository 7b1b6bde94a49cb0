// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "gs/bundle/calibration.hpp"
#include "gs/msgs/sensor_msgs.hpp"

namespace gs_builder {

struct CameraFromInfo {
  gs::CameraIntrinsics intrinsics;
  std::vector<std::string> notes;  // what was corrected
  std::string problem;             // why it cannot be used; empty: it can
};

// The lens of a camera whose images are `width` x `height`, from its CameraInfo. A region of
// interest, binning and images of another size than the info says are accounted for. Rectified
// images have the lens of P and no distortion.
CameraFromInfo cameraFromInfo(const gs::msgs::CameraInfo& info, int width, int height,
                              bool is_rectified);

// "/camera/front/image_rect_color/compressed": the driver's node already took the distortion out.
bool isRectifiedTopic(const std::string& image_topic);

// base_from_camera with z forward. Some logs stamp images with a frame whose x axis looks forward
// (REP 103) instead of its optical frame: then the axes are turned and `was_turned` says so.
struct OpticalMount {
  gs::Rigid3 base_from_camera;
  bool was_turned = false;
};
OpticalMount opticalMountOf(const gs::Rigid3& base_from_frame);

}  // namespace gs_builder

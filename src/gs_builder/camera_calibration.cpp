// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/camera_calibration.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace gs_builder {
namespace {

bool areFinite(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
}

// Fills the distortion, or says why it cannot.
std::string takeDistortion(const gs::msgs::CameraInfo& info, gs::CameraIntrinsics& lens) {
  const std::vector<double>& d = info.d;
  const bool is_zero = std::all_of(d.begin(), d.end(), [](double v) { return v == 0; });
  const auto at = [&](size_t i) { return i < d.size() ? d[i] : 0.0; };
  if (!areFinite(d)) return "its distortion is not finite";
  if (info.distortion_model == "equidistant" || info.distortion_model == "fisheye") {
    lens.model = gs::CameraModel::Fisheye;
    lens.distortion_model = gs::DistortionModel::Equidistant;
    lens.k1 = at(0);
    lens.k2 = at(1);
    lens.k3 = at(2);
    lens.k4 = at(3);
    return {};
  }
  if (is_zero) return {};  // no distortion, whatever it is called
  lens.k1 = at(0);
  lens.k2 = at(1);
  lens.p1 = at(2);
  lens.p2 = at(3);
  if (info.distortion_model == "plumb_bob" || info.distortion_model == "radtan" ||
      (info.distortion_model.empty() && d.size() <= 5)) {
    if (at(4) != 0) lens.k3 = at(4);
    return {};
  }
  if (info.distortion_model == "rational_polynomial") {
    if (std::any_of(d.begin() + std::min<std::ptrdiff_t>(8, std::ssize(d)), d.end(),
                    [](double v) { return v != 0; }))
      return "its lens has thin-prism or tilt terms, which are not supported";
    lens.distortion_model = gs::DistortionModel::Rational;
    lens.k3 = at(4);
    lens.k4 = at(5);
    lens.k5 = at(6);
    lens.k6 = at(7);
    return {};
  }
  return "distortion model '" + info.distortion_model.substr(0, 40) + "' is not known";
}

}  // namespace

bool isRectifiedTopic(const std::string& image_topic) {
  return image_topic.find("image_rect") != image_topic.npos;
}

CameraFromInfo cameraFromInfo(const gs::msgs::CameraInfo& info, int width, int height,
                              bool is_rectified) {
  CameraFromInfo result;
  gs::CameraIntrinsics& lens = result.intrinsics;
  const bool uses_p = is_rectified && info.p[0] > 0;
  lens.fx = uses_p ? info.p[0] : info.k[0];
  lens.fy = uses_p ? info.p[5] : info.k[4];
  lens.cx = uses_p ? info.p[2] : info.k[2];
  lens.cy = uses_p ? info.p[6] : info.k[5];
  if (uses_p) result.notes.push_back("images are rectified: lens from P, no distortion");
  else result.problem = takeDistortion(info, lens);
  if (!std::isfinite(lens.fx) || !std::isfinite(lens.fy) || lens.fx <= 0 || lens.fy <= 0)
    result.problem = fmt::format("its focal lengths are {} and {}", lens.fx, lens.fy);
  else if (!std::isfinite(lens.cx) || !std::isfinite(lens.cy))
    result.problem = "its principal point is not finite";
  if (!result.problem.empty()) return result;

  // As image_geometry does it: crop first, then bin.
  double full_width = info.width, full_height = info.height;
  if (info.roi.width > 0 && info.roi.height > 0 &&
      (info.roi.width != info.width || info.roi.height != info.height)) {
    lens.cx -= info.roi.x_offset;
    lens.cy -= info.roi.y_offset;
    full_width = info.roi.width;
    full_height = info.roi.height;
    result.notes.push_back(fmt::format("region of interest {}x{} at ({}, {})", info.roi.width,
                                       info.roi.height, info.roi.x_offset, info.roi.y_offset));
  }
  const double bin_x = std::max(1u, info.binning_x), bin_y = std::max(1u, info.binning_y);
  if (bin_x > 1 || bin_y > 1) {
    lens.fx /= bin_x;
    lens.cx /= bin_x;
    lens.fy /= bin_y;
    lens.cy /= bin_y;
    full_width = std::floor(full_width / bin_x);
    full_height = std::floor(full_height / bin_y);
    result.notes.push_back(fmt::format("binning {}x{}", bin_x, bin_y));
  }
  if (full_width == 0 || full_height == 0) {
    result.notes.push_back("the info has no size: the image's own is used");
    return result;
  }
  if (full_width == width && full_height == height) return result;
  const double scale_x = width / full_width, scale_y = height / full_height;
  // A resize keeps the shape; anything else is a crop, and nobody says where.
  if (std::abs(scale_x / scale_y - 1) > 0.02) {
    result.problem = fmt::format("its CameraInfo is for {}x{} but images are {}x{}", full_width,
                                 full_height, width, height);
    return result;
  }
  lens.fx *= scale_x;
  lens.fy *= scale_y;
  // Pixel centres are at whole numbers: the corner of the image, at -0.5, stays where it is.
  lens.cx = (lens.cx + 0.5) * scale_x - 0.5;
  lens.cy = (lens.cy + 0.5) * scale_y - 0.5;
  result.notes.push_back(fmt::format("CameraInfo for {}x{} scaled to images of {}x{}", full_width,
                                     full_height, width, height));
  return result;
}

OpticalMount opticalMountOf(const gs::Rigid3& base_from_frame) {
  // No camera of a vehicle looks straight up: a z axis that does belongs to a body frame.
  const gs::Vec3 z_in_base = base_from_frame.rotation * gs::Vec3::UnitZ();
  if (z_in_base.z() < 0.9) return {base_from_frame, false};
  const gs::Quat body_from_optical(0.5, -0.5, 0.5, -0.5);  // w x y z
  return {
      {(base_from_frame.rotation * body_from_optical).normalized(), base_from_frame.translation},
      true};
}

}  // namespace gs_builder

// SPDX-License-Identifier: Apache-2.0
#include "gs_web/render_request.hpp"

#include <cmath>

#include "gs/core/find_number.hpp"

namespace gs_web {
namespace {

constexpr double kFarthest = 1e6;  // m
constexpr int kMinSide = 16, kMaxSide = 2560;

std::optional<int> findSide(std::string_view text) {
  const auto value = gs::findNumber(text);
  if (!value || *value < kMinSide || *value > kMaxSide) return std::nullopt;
  return static_cast<int>(*value);
}

bool assign(std::optional<double> from, double limit, double& to) {
  if (!from || std::abs(*from) > limit) return false;
  to = *from;
  return true;
}

bool assign(std::optional<int> from, int& to) {
  if (from) to = *from;
  return from.has_value();
}

// False for a value that cannot be used; names that are not known are none of our business.
bool take(std::string_view name, std::string_view value, RenderRequest& request) {
  if (name == "x") return assign(gs::findNumber(value), kFarthest, request.x);
  if (name == "y") return assign(gs::findNumber(value), kFarthest, request.y);
  if (name == "z") return assign(gs::findNumber(value), kFarthest, request.z);
  if (name == "yaw") return assign(gs::findNumber(value), 1e3, request.yaw);
  if (name == "pitch") return assign(gs::findNumber(value), M_PI / 2, request.pitch);
  if (name == "fov")
    return assign(gs::findNumber(value), 150, request.fov_deg) && request.fov_deg >= 5;
  if (name == "width") return assign(findSide(value), request.width);
  if (name == "height") return assign(findSide(value), request.height);
  return true;
}

}  // namespace

std::optional<RenderRequest> findRenderRequest(std::string_view target) {
  RenderRequest request;
  const size_t question = target.find('?');
  std::string_view query =
      question == std::string_view::npos ? std::string_view() : target.substr(question + 1);
  while (!query.empty()) {
    const size_t end = std::min(query.find('&'), query.size());
    const std::string_view pair = query.substr(0, end);
    query.remove_prefix(std::min(end + 1, query.size()));
    const size_t equals = pair.find('=');
    if (equals == std::string_view::npos) continue;
    if (!take(pair.substr(0, equals), pair.substr(equals + 1), request)) return std::nullopt;
  }
  return request;
}

gs::SplatView viewOf(const RenderRequest& request) {
  const double focal = request.width / (2 * std::tan(request.fov_deg * M_PI / 360));
  gs::Camera camera{.width = request.width, .height = request.height};
  camera.intrinsics.fx = camera.intrinsics.fy = focal;
  camera.intrinsics.cx = (request.width - 1) / 2.0;
  camera.intrinsics.cy = (request.height - 1) / 2.0;
  const double cy = std::cos(request.yaw), sy = std::sin(request.yaw);
  const double cp = std::cos(request.pitch), sp = std::sin(request.pitch);
  const gs::Vec3 forward(cy * cp, sy * cp, sp), right(sy, -cy, 0);
  Eigen::Matrix3d map_from_camera;  // x right, y down, z forward
  map_from_camera << right, forward.cross(right), forward;
  return {.camera = camera,
          .map_from_camera =
              gs::Rigid3{gs::Quat(map_from_camera), gs::Vec3(request.x, request.y, request.z)},
          .outputs = {}};
}

}  // namespace gs_web

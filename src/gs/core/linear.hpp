// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>

// The only place that picks a precision: poses and geometry are double, splats and pixels float.
namespace gs {

using Vec2 = Eigen::Vector2d;
using Vec3 = Eigen::Vector3d;
using Vec4 = Eigen::Vector4d;
using Mat3 = Eigen::Matrix3d;
using Mat4 = Eigen::Matrix4d;
using Quat = Eigen::Quaterniond;
using Vec2f = Eigen::Vector2f;
using Vec3f = Eigen::Vector3f;

}  // namespace gs

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "gs/bundle/world_bundle.hpp"
#include "gs/render/splat_renderer.hpp"
#include "gs_sim/config.hpp"
#include "gs_sim/sensors.hpp"

namespace gs_sim {

// The cameras of a world by splatting: lens distortion, colour correction and sky as the bundle has
// them, all cameras of one step side by side. A camera whose lens or pose makes no image gives a
// problem and no value; the others are not touched by it. Sizes from 1 x 1 to 8192 x 8192 pixels
// and beyond. Copies what it needs of the bundle. Throws gs::Error (INVALID_CALIBRATION) when a
// camera can never make an image, and GPU_NOT_AVAILABLE when `parameters` insist on a GPU.
std::unique_ptr<CameraRendererInterface> createCameraRenderer(
    const gs::WorldBundle& bundle, const SensorParameters::Camera& parameters);

// The same on a renderer of the caller's choice.
std::unique_ptr<CameraRendererInterface> createCameraRenderer(
    const gs::WorldBundle& bundle, std::unique_ptr<gs::SplatRenderer> renderer);

}  // namespace gs_sim

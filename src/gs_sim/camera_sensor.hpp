// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "gs/render/splat_renderer.hpp"
#include "gs_sim/sensor_kind.hpp"

namespace gs_sim {

// Cameras by splatting: lens distortion, colour correction and sky as the bundle has them. Each
// publishes image_raw with its camera_info, and to browsers the image as JPEG. Sizes from 1 x 1 to
// 8192 x 8192 pixels and beyond. A camera whose lens can never make an image is refused
// (INVALID_CALIBRATION), as is a GPU that is not there (GPU_NOT_AVAILABLE); one that fails in a
// step shows its last picture again.
SensorKind cameraKind();

// The same on a renderer of the caller's choice.
CreatedSensors createCameras(const SensorContext& context,
                             std::shared_ptr<const gs::SplatRenderer> renderer);

}  // namespace gs_sim

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "gs/bundle/gaussian_cloud.hpp"
#include "gs/render/renderer_kind.hpp"
#include "gs/render/splat_renderer.hpp"

namespace gs {

// The one place where a backend is chosen. There is none for GPUs yet: `auto` is the CPU, and
// `vulkan` throws gs::Error (GPU_NOT_AVAILABLE). `reference` is the slow definition.
//
// Assets are what the instances of a scene are made of: asset 0 is the background, null an asset
// without splats. What is needed of them is copied.
std::unique_ptr<SplatRenderer> makeSplatRenderer(RendererKind kind,
                                                 const std::vector<const GaussianCloud*>& assets);

}  // namespace gs

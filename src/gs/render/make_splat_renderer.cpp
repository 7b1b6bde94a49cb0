// SPDX-License-Identifier: Apache-2.0
#include "gs/render/make_splat_renderer.hpp"

#include "gs/core/error.hpp"
#include "gs/render/cpu_renderer.hpp"
#include "gs/render/reference_renderer.hpp"

namespace gs {

std::unique_ptr<SplatRenderer> makeSplatRenderer(RendererKind kind,
                                                 const std::vector<const GaussianCloud*>& assets) {
  switch (kind) {
    case RendererKind::Auto:
    case RendererKind::Cpu: return std::make_unique<CpuRenderer>(assets);
    case RendererKind::Reference: return std::make_unique<ReferenceRenderer>(assets);
    default:
      throw Error({.code = ErrorCode::GpuNotAvailable,
                   .component = "renderer",
                   .message = "a renderer on a GPU is asked for, and this build has none",
                   .suggestion = "Choose 'auto' or 'cpu'."});
  }
}

}  // namespace gs

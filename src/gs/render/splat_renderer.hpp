// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "gs/bundle/render_config.hpp"
#include "gs/core/image.hpp"
#include "gs/core/rigid3.hpp"
#include "gs/render/camera.hpp"
#include "gs/render/sky.hpp"

namespace gs {

// The image of 3D Gaussian Splatting (Kerbl et al. 2023). For each splat in front of the near
// plane, ordered by depth:
//   covariance S = J W V W' J' + 0.3 px^2 * I    (J: lens at the centre, see camera.hpp)
//   alpha = min(0.99, opacity * exp(-d' S^-1 d / 2)), nothing below 1/255
//   colour += T * alpha * rgb,   T *= 1 - alpha,   until T < kOpaque
// and the background or sky where T remains. reference_renderer.hpp is the definition, in double
// precision and without any shortcut.
constexpr double kDilation = 0.3;  // px^2
constexpr double kMinAlpha = 1.0 / 255, kMaxAlpha = 0.99;
constexpr double kOpaque = 1e-4;        // the reference stops here,
constexpr float kNearlyOpaque = 1e-3f;  // the fast path here: a quarter of a grey level at most

struct RenderSettings {
  double near_plane = 0.1, far_plane = 1000;  // m, of a splat's centre
  std::array<float, 3> background{0, 0, 0};   // where transmittance remains
  Sky sky;                                    // instead of the background, where there is one
  // Weighs each splat by what the dilation adds to its area (Mip-Splatting's 2D filter), so that
  // splats smaller than a pixel do not grow brighter with distance.
  bool is_antialiased = false;
  // Applied after blending: white balance, then 2^exposure.
  std::array<float, 3> gain{1, 1, 1};
};
RenderSettings settingsFrom(const RenderConfig& config);

// Which images to make. `color` is blended RGB before gain, rounding and clamping.
struct RenderOutputs {
  bool rgb = true, color = false, depth = false, opacity = false, splat_count = false;
};

struct SplatView {
  Camera camera;
  Rigid3 map_from_camera;
  RenderOutputs outputs;
};

// The pose of the camera with OpenCV axes. Throws InputInvalid when it is not finite.
Rigid3 mapFromOpencv(const SplatView& view);

struct RenderStatistics {
  size_t clusters_in_view = 0;
  size_t splats_projected = 0, splats_in_view = 0;
  size_t tile_entries = 0;       // pairs of splat and tile
  int passes = 0;                // more than one when the pairs would need too much memory
  uint64_t evaluated_lanes = 0;  // pairs of splat and pixel that the blending kernel computed
  double cull_sec = 0, project_sec = 0, sort_sec = 0, bin_sec = 0, blend_sec = 0;
};

struct RenderedView {
  Image8 rgb;
  ImageF color;
  ImageF depth;                 // m, mean of the splats' depths by their weight; 0 where nothing is
  ImageF opacity;               // 1 - T
  Image<uint32_t> splat_count;  // splats blended into the pixel
  RenderStatistics statistics;
};

// Backends of the one definition above. Safe to call from several threads.
class SplatRenderer {
 public:
  virtual ~SplatRenderer() = default;
  virtual RenderedView render(const SplatView& view, const RenderSettings& settings) const = 0;
  // Several cameras at one instant; the same images as one by one.
  virtual std::vector<RenderedView> renderAll(std::span<const SplatView> views,
                                              const RenderSettings& settings) const;
};

}  // namespace gs

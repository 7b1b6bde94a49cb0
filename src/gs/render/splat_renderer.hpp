// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gs/bundle/render_config.hpp"
#include "gs/bundle/scene_state.hpp"
#include "gs/core/image.hpp"
#include "gs/core/pose_interval.hpp"
#include "gs/render/camera.hpp"
#include "gs/render/sky.hpp"

namespace gs {

// The image of 3D Gaussian Splatting (Kerbl et al. 2023). For each splat of each instance of the
// scene in front of the near plane, all ordered by depth together:
//   covariance S = J W V W' J' + 0.3 px^2 * I    (J: lens at the centre, see camera.hpp)
//   alpha = min(0.99, opacity * exp(-d' S^-1 d / 2)), nothing below 1/255
//   colour += T * alpha * rgb,   T *= 1 - alpha,   until T < kOpaque
// and the background or sky where T remains. W and V are of the splat where its instance stands;
// the direction of view is turned into the frame of the asset before its spherical harmonics are
// asked for the colour, which is exact for any rotation. reference_renderer.hpp is the definition,
// in double precision and without any shortcut.
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
  // A backend may take the camera, like every instance of the scene, where it is when the exposure
  // begins: today beginning and end are always the same.
  PoseInterval map_from_camera;
  RenderOutputs outputs;
};

// The pose of the camera with OpenCV axes when the exposure begins. Throws InputInvalid when it is
// not finite.
Rigid3 mapFromOpencv(const SplatView& view);

// What an image took, in words that fit every backend.
struct RenderStatistics {
  struct Phase {
    std::string name;
    double seconds = 0;
  };
  size_t splats = 0;             // that can be drawn at all, of all instances
  size_t splats_considered = 0;  // left over when the scene was culled coarsely
  size_t splats_in_view = 0;     // that reach into the image
  uint64_t evaluations = 0;      // pairs of splat and pixel that were computed
  std::vector<Phase> phases;     // in the order they came; a name may come several times

  double secondsOf(std::string_view phase) const;
  double seconds() const;  // of all phases
};

struct RenderedView {
  Image8 rgb;
  ImageF color;
  ImageF depth;                 // m, mean of the splats' depths by their weight; 0 where nothing is
  ImageF opacity;               // 1 - T
  Image<uint32_t> splat_count;  // splats blended into the pixel
  RenderStatistics statistics;
};

// Backends of the one definition above, made from a list of assets (make_splat_renderer.hpp). Safe
// to call from several threads. Throws gs::Error (INPUT_INVALID) for poses that are not finite and
// for instances of assets that it does not have.
class SplatRenderer {
 public:
  virtual ~SplatRenderer() = default;
  virtual RenderedView render(const SceneState& scene, const SplatView& view,
                              const RenderSettings& settings) const = 0;
  // Several cameras at one instant; the same images as one by one.
  virtual std::vector<RenderedView> renderAll(const SceneState& scene,
                                              std::span<const SplatView> views,
                                              const RenderSettings& settings) const;
  // Of the background alone.
  RenderedView render(const SplatView& view, const RenderSettings& settings) const {
    return render(backgroundOnly(), view, settings);
  }
  std::vector<RenderedView> renderAll(std::span<const SplatView> views,
                                      const RenderSettings& settings) const {
    return renderAll(backgroundOnly(), views, settings);
  }
};

}  // namespace gs

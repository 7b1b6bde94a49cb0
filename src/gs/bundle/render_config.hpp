// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>

#include "gs/bundle/gaussian_encoding.hpp"
#include "gs/core/fields.hpp"

namespace gs {

// gaussians/render_config.json: how the splats become an image.
struct RenderConfig {
  // Applied after blending: white balance, then 2^exposure. Gamma describes the training images
  // (2.2: already display-encoded) and changes nothing.
  struct ColorCorrection {
    std::array<double, 3> white_balance{1, 1, 1};
    double exposure_compensation = 0;
    double gamma = 2.2;

    bool operator==(const ColorCorrection&) const = default;
    static void fields(auto& self, auto&& visit) {
      visit("white_balance", self.white_balance);
      visit("exposure_compensation", self.exposure_compensation);
      visit("gamma", self.gamma);
    }
  };

  struct Rendering {
    std::array<double, 3> background_color{0, 0, 0};  // where transmittance remains and no sky is
    double near_plane = 0.1;
    double far_plane = 1000;

    bool operator==(const Rendering&) const = default;
    static void fields(auto& self, auto&& visit) {
      visit("background_color", self.background_color);
      visit("near_plane", self.near_plane);
      visit("far_plane", self.far_plane);
    }
  };

  std::string version = "1.0.0";
  std::string gaussian_format = "splat_ply";
  int sh_degree = 0;
  GaussianEncoding attribute_encoding;
  ColorCorrection color_correction;
  Rendering rendering;

  bool operator==(const RenderConfig&) const = default;
  static void fields(auto& self, auto&& visit) {
    visit("version", self.version, {.is_required = true});
    visit("gaussian_format", self.gaussian_format);
    visit("sh_degree", self.sh_degree, {.is_required = true});
    visit("attribute_encoding", self.attribute_encoding);
    visit("color_correction", self.color_correction);
    visit("rendering", self.rendering);
  }
};

}  // namespace gs

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gs/core/fields.hpp"

namespace gs {

enum class ScaleEncoding { Log, Linear };
enum class OpacityEncoding { Logit, Linear };
enum class RotationOrder { Xyzw, Wxyz };

constexpr auto enumWords(std::type_identity<ScaleEncoding>) {
  return std::to_array<EnumWord<ScaleEncoding>>(
      {{ScaleEncoding::Log, "log"}, {ScaleEncoding::Linear, "linear"}});
}
constexpr auto enumWords(std::type_identity<OpacityEncoding>) {
  return std::to_array<EnumWord<OpacityEncoding>>(
      {{OpacityEncoding::Logit, "logit"}, {OpacityEncoding::Linear, "linear"}});
}
constexpr auto enumWords(std::type_identity<RotationOrder>) {
  return std::to_array<EnumWord<RotationOrder>>(
      {{RotationOrder::Xyzw, "xyzw"}, {RotationOrder::Wxyz, "wxyz"}});
}

// How a Gaussian PLY stores its attributes (render_config.json: attribute_encoding). The default
// is what this project writes into bundles.
struct GaussianEncoding {
  ScaleEncoding scale = ScaleEncoding::Log;
  OpacityEncoding opacity = OpacityEncoding::Logit;
  RotationOrder rotation = RotationOrder::Xyzw;

  bool operator==(const GaussianEncoding&) const = default;
  static void fields(auto& self, auto&& visit) {
    visit("scale", self.scale);
    visit("opacity", self.opacity);
    visit("rotation", self.rotation);
  }
};

// Linear values as the cloud keeps them. Opacities are kept 2^-24 away from 0 and 1 and a scale of
// 0 becomes the smallest normal float, because their logarithms would be infinite; NaN stays NaN.
float logFromScale(float scale);
float logitFromOpacity(float opacity);

}  // namespace gs

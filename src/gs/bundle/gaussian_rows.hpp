// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "gs/bundle/gaussian_cloud.hpp"

namespace gs {

// The attributes of a splat that are one float each, in the order the conventions ask for; the
// f_rest_* follow them. The names are those of the PLY properties.
constexpr auto kScalarNames = std::to_array<std::string_view>(
    {"x", "y", "z", "scale_0", "scale_1", "scale_2", "rot_0", "rot_1", "rot_2", "rot_3", "opacity",
     "f_dc_0", "f_dc_1", "f_dc_2"});
constexpr size_t kScalarCount = kScalarNames.size();
constexpr size_t kRotationAt = 6;  // of rot_0 in kScalarNames

// The arrays of a cloud in the order of kScalarNames, its rotation as x, y, z, w.
std::array<GaussianCloud::Floats*, kScalarCount> scalarArrays(GaussianCloud& cloud);
std::array<const GaussianCloud::Floats*, kScalarCount> scalarArrays(const GaussianCloud& cloud);

std::string restName(size_t index);  // "f_rest_7"

// How a PLY of floats arranges a splat: where in the row, counted in floats, each value stands.
// Names that are no attribute of a splat (normals) are written as zero.
struct GaussianRowLayout {
  std::vector<std::string> names;
  std::array<size_t, kScalarCount> scalar_at{};  // by the order of scalarArrays()
  size_t rest_at = 0;
};

void writeGaussianRows(const std::filesystem::path& path, const GaussianRowLayout& layout,
                       const GaussianCloud& cloud);

}  // namespace gs

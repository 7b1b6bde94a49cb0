// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "gs/bundle/gaussian_rows.hpp"
#include "gs/core/bytes.hpp"
#include "gs/formats/ply.hpp"

namespace gs {

// Which property of a PLY's vertices is which attribute of a splat: indices into
// PlyElement::properties.
struct GaussianColumns {
  std::array<size_t, kScalarCount> scalar{};  // by the order of kScalarNames
  std::vector<size_t> rest;                   // f_rest_0, f_rest_1, ...
  int sh_degree = 0;
  bool has_specified_order = true;   // as the conventions ask, and nothing else
  bool is_all_float = true;          // every attribute is a 32-bit float
  std::vector<std::string> ignored;  // properties that are no attribute of a splat
};

// Throws the "property_missing" and "sh_count" errors of gaussian_ply.hpp.
GaussianColumns findGaussianColumns(const ByteSource& source, const PlyHeader& header);

[[noreturn]] void failGaussianPly(const ByteSource& source, const char* problem,
                                  const std::string& why, const std::string& suggestion);

}  // namespace gs

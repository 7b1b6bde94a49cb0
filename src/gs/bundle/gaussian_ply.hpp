// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "gs/bundle/gaussian_cloud.hpp"
#include "gs/bundle/gaussian_encoding.hpp"
#include "gs/core/bytes.hpp"

namespace gs {

// What the header of a Gaussian PLY says, without reading the splats.
struct GaussianPlyInfo {
  uint64_t count = 0;
  int sh_degree = 0;
  bool has_specified_order = true;   // properties in the order of the conventions
  std::vector<std::string> ignored;  // properties that are no splat attribute (nx, ny, nz)
  uint64_t trailing_bytes = 0;       // after the last splat
};

// The readers below accept binary_little_endian only, properties in any order, and throw gs::Error
// (INPUT_INVALID, component "gaussians") whose details.problem is one of
//   "header"            not a PLY, or a header that makes no sense
//   "format"            ASCII or big endian; the suggestion names `gs-world-builder import`
//   "property_missing"  a required property is absent, or is not float
//   "sh_count"          the number of f_rest_* is not 0, 9, 24 or 45, or one of 0 .. n-1 is absent
//   "truncated"         fewer bytes than the header promises
// A promised count is compared with the file's size before anything is allocated.
GaussianPlyInfo inspectGaussianPly(const ByteSource& source);
GaussianCloud readGaussianPly(const ByteSource& source, const GaussianEncoding& encoding = {});

// Binary little endian, properties in the order of the conventions, written atomically.
void writeGaussianPly(const std::filesystem::path& path, const GaussianCloud& cloud);

}  // namespace gs

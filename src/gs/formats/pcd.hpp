// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "gs/core/bytes.hpp"

namespace gs {

// The part of a point cloud file that this project uses; other fields are skipped.
struct PcdCloud {
  std::vector<std::array<float, 3>> positions;  // m, in whatever frame the file is in
  std::vector<float> intensity;                 // per point, or empty when the file has none
  size_t non_finite = 0;  // points with a NaN or infinite coordinate; they stay in `positions`

  bool operator==(const PcdCloud&) const = default;
};

// PCD 0.7 (and the older .5 and .6): ascii, binary and binary_compressed, with x, y, z and
// intensity of any numeric type anywhere among the fields. Throws gs::Error (INPUT_INVALID,
// component "pcd") with details.problem
//   "header"       the header is not PCD, contradicts itself, or goes on for too long
//   "fields"       x, y or z is missing or has more than one value
//   "unsupported"  an unknown kind of DATA, or a record beyond kMaxPcdRecordBytes
//   "truncated"    the file is too short for the points it announces
//   "data"         a word that is no number, or a compressed block that is damaged
// Nothing is allocated for more points than the bytes of the file can hold.
PcdCloud readPcd(const ByteSource& source);

// Binary PCD 0.7: the header of the specification, then x y z [intensity] as float32. Without
// intensities the file has no such field. The same cloud gives the same bytes.
std::string encodePcd(const PcdCloud& cloud);
void writePcd(const PcdCloud& cloud, const std::filesystem::path& path);  // atomically

constexpr size_t kMaxPcdHeaderBytes = size_t{1} << 16;
constexpr size_t kMaxPcdRecordBytes = size_t{1} << 20;

}  // namespace gs
